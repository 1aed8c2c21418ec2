"""python -m benchmarks.leaf_counts: positions evaluated per game of Othello by full-width search, beside those that
Moriarty and Miikkulainen (1994) report.

The player searches at levels 1 to 6, its opponent at level 2, from all 244 positions after four plies with both
colours. Counted are the ends of lines of play in the player's searches. How its moves are ordered is not published.
"""

import argparse
import time

import jax.numpy as jnp
import numpy as np

from jaxgames import devices

PUBLISHED = {1: 226, 2: 842, 3: 4042, 4: 16684, 5: 75696, 6: 330453}
ORDERS = {  # (plies at which moves are ordered by static values, whether by kind of square elsewhere)
    "first two plies": (2, False),
    "all plies": (6, False),
    "root only": (1, False),
    "first two plies, then squares": (2, True),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaf_counts", description=__doc__)
    parser.add_argument("--levels", nargs="*", type=int, default=[*PUBLISHED], help="of the player")
    parser.add_argument("--orders", nargs="*", choices=list(ORDERS), default=list(ORDERS), help="of its moves")
    parser.add_argument("--table", choices=["classic", "norvig"], default="classic", help="of the evaluation")
    parser.add_argument("--rounds", type=int, default=2, help="times that all openings are played")
    arguments = parser.parse_args()
    devices.set_up()
    for order in arguments.orders:
        for level in arguments.levels:
            started = time.perf_counter()
            count, error, won = leaves_per_game(level, order, arguments.table, arguments.rounds)
            seconds = time.perf_counter() - started
            print(f"{order}, level {level}: {count:,.0f} ± {error:,.0f} leaves a game, {won:.1%} won, "
                  f"published {PUBLISHED[level]:,} ({seconds:.0f} s)", flush=True)  # fmt: skip


def leaves_per_game(level: int, order: str, table: str, rounds: int) -> tuple[float, float, float]:
    """(mean, its standard error, share of points)."""
    from benchmarks.cases.searches import openings_after
    from jaxgames import Othello, Schedule
    from jaxgames.arena import play_searches
    from jaxgames.games.othello.positional import Positional
    from jaxgames.players import Search

    ordered, by_class = ORDERS[order]
    evaluation = Positional(table)
    player = Search(Othello(), evaluation, level, ordered=ordered, by_class=by_class)
    opponent = Search(Othello(), evaluation, 2, ordered=ordered, by_class=by_class)
    games = 2 * len(openings_after(4))
    streams = jnp.arange(rounds, dtype=jnp.uint32)
    results = play_searches(
        (player, opponent), streams, Schedule(games, games, openings=openings_after(4)), batched=False
    )
    leaves = np.asarray(results.counts.leaves)[..., 0].astype(float)
    points = np.asarray(results.returns)[..., 0] / 2 + 0.5
    return leaves.mean(), leaves.std() / leaves.size**0.5, points.mean()


if __name__ == "__main__":
    main()
