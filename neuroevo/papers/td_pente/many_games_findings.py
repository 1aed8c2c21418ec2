"""Networks that learned many games: strength, recorded moves, places of stones, self-play (Muijrers 2011)."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from matplotlib.figure import Figure

from neuroevo.networks.value import Weights
from neuroevo.papers.td_pente import figures
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate, lies_above
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate
from neuroevo.tasks import Gauntlet

FIRST_WINS = 2836 / 4000  # share of the published games of self-play that seat 0 wins
EARLY, LATE = slice(0, 500), slice(-500, None)  # games of self-play that are compared; chosen by judgement
EMPTY = np.zeros(0)
# Ways of choosing moves that were not published.
WAYS = {"finishing": "a move that wins at once is always made", "two_plies": "two plies ahead"}


@dataclass(frozen=True)
class Learned:
    """Networks of one kind and the results of their tests. EMPTY stands for what was not computed.

    weights: lead with the replicas
    errors: Float[chunks replicas], mean total errors while learning records
    shares: Float[replicas tests seats], share of games won
    stones: Int[replicas points], number of their own stones in these games on each point
    games: Int[replicas seatings plies], moves of one game of each seating
    ranks: Float[replicas moves], ranks of the held-out recorded moves, see `td.move_ranks`
    ways: for some of WAYS, Float[replicas 1 seats], share of games won
    """

    weights: Weights
    errors: np.ndarray = field(default_factory=lambda: EMPTY)
    shares: np.ndarray = field(default_factory=lambda: EMPTY)
    stones: np.ndarray = field(default_factory=lambda: EMPTY)
    games: np.ndarray = field(default_factory=lambda: EMPTY)
    ranks: np.ndarray = field(default_factory=lambda: EMPTY)
    ways: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def largest(self) -> np.ndarray:
        """Float[replicas]: the largest absolute weight, infinite if learning has diverged to infinity or NaN.

        A diverged network values all moves alike and plays the first legal one.
        """
        layers = [np.abs(np.asarray(layer)).reshape(len(layer), -1).max(1) for layer in self.weights.values()]
        return np.nan_to_num(np.max(layers, 0), nan=np.inf)


@dataclass(frozen=True)
class Played:
    """Games of self-play.

    moves: Int[replicas games plies], −1 after the end
    result: Float[replicas games], for seat 0
    errors: Float[replicas games], mean total error
    """

    moves: np.ndarray
    result: np.ndarray
    errors: np.ndarray

    def stones(self, games: slice, points: int) -> np.ndarray:
        """Int[replicas points]: number of stones put on each point in some of the games."""
        return counts(self.moves[:, games], points)


def counts(moves: np.ndarray, points: int) -> np.ndarray:
    """Int[replicas points]: number of times that each point occurs in moves[replicas, …], where −1 is no move."""
    return np.stack([np.bincount(one[one >= 0], minlength=points) for one in moves.reshape(len(moves), -1)])


def areas(points: int) -> dict[str, np.ndarray]:
    """Bool[points] by name: the four corners, and the centre. On 19×19 a corner is 5×5 points, the centre 9×9."""
    side = round(points**0.5)
    row, column = np.divmod(np.arange(points), side)

    def near(far: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        return (far(row) <= side // 4) & (far(column) <= side // 4)

    return {"corners": near(lambda x: np.minimum(x, side - 1 - x)), "centre": near(lambda x: abs(x - side // 2))}


def share_in(stones: np.ndarray, area: str) -> np.ndarray:
    """Float[replicas]: the share of stones[replicas, points] that lie in one of `areas`."""
    return stones[:, areas(stones.shape[1])[area]].sum(1) / np.maximum(stones.sum(1), 1)


@dataclass(frozen=True)
class Outcome:
    """All networks and their games of self-play."""

    learned: dict[str, Learned]  # by kind
    played: dict[str, Played]  # by `learners_1` and `learners_2`
    task: Gauntlet  # the tests
    source: str  # of the recorded games, in words

    @property
    def improved(self) -> bool:
        """Whether networks with finite weights played games in one of WAYS."""
        return any(of.ways and np.isfinite(of.largest).any() for of in self.learned.values())

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is kept in history.npz, by name."""
        learned, played = self.learned.items(), self.played.items()
        arrays = {f"{name}_{key}": getattr(of, key) for name, of in learned for key in ("errors", "shares", "stones")}
        arrays |= {f"{name}_{key}": getattr(games, key) for name, games in played for key in ("result", "errors")}
        if self.improved:
            arrays |= {f"{name}_{way}": won for name, of in learned for way, won in of.ways.items()}
        return arrays


def claims(outcome: Outcome) -> list[Claim]:
    """All claims: about networks, pools, self-play and ways of choosing moves."""
    learned, points = outcome.learned, outcome.task.game.num_actions
    claims = [claim for name, of in learned.items() for claim in _of_networks(name, of)]
    if {"repeated", "distinct"} <= learned.keys():
        claims += _pools(learned["repeated"], learned["distinct"])
    claims += [claim for name, games in outcome.played.items() for claim in _of_games(name, games, points)]
    return claims + ([_improved(learned, outcome.task.tests[-1])] if outcome.improved else [])


def tables(outcome: Outcome) -> list[Table]:
    """Strength by kind of networks, the networks one by one, and other ways of choosing moves."""
    tests = outcome.task.tests
    tables = [strength(outcome.learned, tests), networks(outcome.learned, tests)]
    return tables + ([improvements(outcome.learned, tests[-1])] if outcome.improved else [])


def draw(outcome: Outcome) -> dict[str, Figure]:
    """Figures: the places of stones, and the share of games of self-play that seat 0 wins."""
    game, played = outcome.task.game, outcome.played
    maps = {name: of.stones.sum(0) for name, of in outcome.learned.items()}
    maps |= {f"self-play, {name}": games.stones(LATE, game.num_actions).sum(0) for name, games in played.items()}
    drawn = {"stones": figures.stones({name: count.reshape(game.rows, -1) for name, count in maps.items()})}
    if played:
        drawn["waves"] = figures.waves({name: games.result for name, games in played.items()}, FIRST_WINS)
    return drawn


def _of_networks(name: str, of: Learned) -> list[Claim]:
    won = statistics.mean(of.shares.mean((1, 2)), within=(0, 1))
    corners = statistics.mean(share_in(of.stones, "corners"), within=(0, 1))
    uniform = float(areas(of.stones.shape[1])["corners"].mean())
    return [
        from_estimate(
            f"wins_{name}",
            f"share of games won against all tests from both seats, {name}",
            "did not perform very well",
            "the interval lies below 0.5",
            won,
            won.high < 0.5,
        ),
        lies_above(
            f"corners_{name}",
            f"share of its stones that lie in the corners (5×5 each; {uniform:.3f} of the board), {name}",
            "often chose to move in the corner",
            corners,
            limit=uniform,
        ),
        *([_rank(name, of.ranks)] if of.ranks.size else []),
    ]


def _improved(learned: dict[str, Learned], test: str) -> Claim:
    """The claim about the kind of networks and the way of choosing moves that win most against `test`.

    The share is biased upwards, as it is the best of several. Replicas without finite weights do not count.
    """
    won = {
        (name, way): shares[np.isfinite(of.largest)]
        for name, of in learned.items()
        for way, shares in of.ways.items()
        if np.isfinite(of.largest).any()
    }
    name, way = max(won, key=lambda pair: float(won[pair].mean()))
    return lies_above(
        "improved",
        f"share of games won against {test}, most of {len(won)} networks and ways of choosing: {name}, {WAYS[way]}",
        "could be improved by two-ply search, more different games, and self-play",
        statistics.mean(won[name, way].mean((1, 2)), within=(0, 1)),
        limit=0.5,
    )


def _rank(name: str, ranks: np.ndarray) -> Claim:
    return from_estimate(
        f"rank_{name}",
        f"share of the other moves that are liked better than the one on record (0.5: knows nothing), {name}",
        "plays considerably randomly",
        "reported only",
        statistics.mean(ranks.mean(1), within=(0, 1)),
        None,
    )


def _pools(repeated: Learned, distinct: Learned) -> list[Claim]:
    gap = statistics.difference(distinct.shares.mean((1, 2)), repeated.shares.mean((1, 2)))
    nearer = statistics.difference(repeated.ranks.mean(1), distinct.ranks.mean(1))
    rule, same = "the interval covers 0", "the same games again and again teach as much as different ones"
    return [
        from_estimate("distinct_wins", "share of games won, distinct minus repeated", same, rule, gap, _covers(gap)),
        from_estimate("distinct_ranks", "rank of the moves on record, repeated minus distinct", same, rule, nearer,
                      _covers(nearer)),
    ]  # fmt: skip


def _covers(gap: Estimate) -> bool:
    return gap.low <= 0 <= gap.high


def _of_games(name: str, games: Played, points: int) -> list[Claim]:
    wins = (games.result > 0).mean(1)
    last, early = (share_in(games.stones(part, points), "centre") for part in (LATE, EARLY))
    centre = float(areas(points)["centre"].mean())
    runs = np.array([statistics.runs_too_few(result > 0) for result in games.result])
    return [
        lies_above(
            f"first_{name}",
            f"share of self-play games that seat 0 wins, {name}",
            f"{FIRST_WINS:.3f}; it is more advantageous to move first",
            statistics.mean(wins, within=(0, 1)),
            limit=0.5,
        ),
        lies_above(
            f"waves_{name}",
            "standard deviations by which the winners change less often than in independent games, mean over replicas, "
            f"{name}",
            "one side wins in waves",
            statistics.mean(runs),
        ),
        lies_above(
            f"centre_{name}",
            f"share of stones in the centre (on 19×19 its 9×9; {centre:.3f} of the board), last 500 games, {name}",
            "more stones in the middle of the board",
            statistics.mean(last, within=(0, 1)),
            limit=centre,
        ),
        lies_above(
            f"towards_centre_{name}",
            f"the same share, last 500 games minus first 500, {name}",
            "learned to place stones in the middle",
            statistics.mean(last - early),
        ),
    ]


def strength(learned: dict[str, Learned], tests: tuple[str, ...]) -> Table:
    """Shares of games won, one row per kind of networks and test."""
    rows = []
    for name, of in learned.items():
        for number, test in enumerate(tests):
            seats = [str(statistics.mean(seat, within=(0, 1))) for seat in of.shares[:, number].T]
            rows.append((name, test, *seats))
    columns = ("network", "against", "moving first", "moving second")
    return Table("strength", "Share of games won, mean over replicas", columns, rows)


def networks(learned: dict[str, Learned], tests: tuple[str, ...]) -> Table:
    """One row per network: its largest weight, shares of games won, and stones in the corners."""
    rows = []
    for name, of in learned.items():
        corners = share_in(of.stones, "corners")
        for replica, largest in enumerate(of.largest):
            size = f"{largest:.3g}" if np.isfinite(largest) else "no number"
            won = [f"{share:.3f}" for share in (of.shares[replica].mean(), *of.shares[replica, -1])]
            rows.append((name, str(replica), size, *won, f"{corners[replica]:.3f}"))
    columns = ("network", "replica", "largest weight", "games won", f"moving first, against {tests[-1]}",
               "moving second", "stones in the corners")  # fmt: skip
    return Table("networks", "Each network by itself", columns, rows)


def improvements(learned: dict[str, Learned], test: str) -> Table:
    """Shares of games won in other ways of choosing moves, one row per kind of networks and way."""
    rows = []
    for name, of in learned.items():
        for way, shares in of.ways.items():
            seats = [str(statistics.mean(seat, within=(0, 1))) for seat in shares[:, 0].T]
            rows.append((name, WAYS[way], *seats))
    columns = ("network", "choice", "moving first", "moving second")
    return Table("better", f"Share of games won against {test}, mean over replicas", columns, rows)
