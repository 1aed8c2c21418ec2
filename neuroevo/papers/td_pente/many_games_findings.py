"""What many games taught: strength, the moves of people, where stones go, who wins self-play (Muijrers 2011)."""

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

FIRST_WINS = 2836 / 4000  # of the published self-play
EARLY, LATE = slice(0, 500), slice(-500, None)  # games
EMPTY = np.zeros(0)
WAYS = {"finishing": "a move that wins at once is always made", "two_plies": "two plies ahead"}


@dataclass(frozen=True)
class Learned:
    """Networks with what was found of them; arrays lead with the replicas."""

    weights: Weights
    errors: np.ndarray = field(default_factory=lambda: EMPTY)  # Float[chunks replicas]
    shares: np.ndarray = field(default_factory=lambda: EMPTY)  # Float[replicas tests seats], of games won
    stones: np.ndarray = field(default_factory=lambda: EMPTY)  # Int[replicas points], of their own in these games
    games: np.ndarray = field(default_factory=lambda: EMPTY)  # Int[replicas seatings plies], moves of one of each
    ranks: np.ndarray = field(default_factory=lambda: EMPTY)  # Float[replicas moves], of the moves on record
    ways: dict[str, np.ndarray] = field(default_factory=dict)  # Float[replicas 1 seats], of games won by each of WAYS

    @property
    def largest(self) -> np.ndarray:
        """Float[replicas]: the largest weight; infinite where learning has diverged beyond numbers. Such a network
        likes no move better than another and makes the first one that is possible.
        """
        layers = [np.abs(np.asarray(layer)).reshape(len(layer), -1).max(1) for layer in self.weights.values()]
        return np.nan_to_num(np.max(layers, 0), nan=np.inf)


@dataclass(frozen=True)
class Played:
    """Games of self-play; arrays lead with [replicas, games]."""

    moves: np.ndarray
    result: np.ndarray
    errors: np.ndarray

    def stones(self, games: slice, points: int) -> np.ndarray:
        """Int[replicas points]: how many stones were put on each point."""
        return counts(self.moves[:, games], points)


def counts(moves: np.ndarray, points: int) -> np.ndarray:
    """Int[replicas points] of moves[replicas, …], −1 for none; the first move, which the rules fix, included."""
    return np.stack([np.bincount(one[one >= 0], minlength=points) for one in moves.reshape(len(moves), -1)])


def areas(points: int) -> dict[str, np.ndarray]:
    """Bool[points]: the four corners, and the centre; on 19×19 a corner is 5×5 points, the centre 9×9."""
    side = round(points**0.5)
    row, column = np.divmod(np.arange(points), side)

    def near(far: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        return (far(row) <= side // 4) & (far(column) <= side // 4)

    return {"corners": near(lambda x: np.minimum(x, side - 1 - x)), "centre": near(lambda x: abs(x - side // 2))}


def share_in(stones: np.ndarray, area: str) -> np.ndarray:
    """Float[replicas], of stones[replicas, points]."""
    return stones[:, areas(stones.shape[1])[area]].sum(1) / np.maximum(stones.sum(1), 1)


@dataclass(frozen=True)
class Outcome:
    learned: dict[str, Learned]
    played: dict[str, Played]  # by the number of learners
    task: Gauntlet
    source: str  # where the games on record come from, in words

    @property
    def improved(self) -> bool:
        """Whether there are games in which moves were chosen otherwise, by networks whose numbers are finite."""
        return any(of.ways and np.isfinite(of.largest).any() for of in self.learned.values())

    def arrays(self) -> dict[str, np.ndarray]:
        kept = "errors", "shares", "stones"
        found = {f"{name}_{key}": getattr(of, key) for name, of in self.learned.items() for key in kept}
        games = self.played.items()
        found |= {f"{name}_{key}": getattr(of, key) for name, of in games for key in ("result", "errors")}
        if self.improved:
            found |= {f"{name}_{way}": won for name, of in self.learned.items() for way, won in of.ways.items()}
        return found


def claims(outcome: Outcome) -> list[Claim]:
    learned, points = outcome.learned, outcome.task.game.num_actions
    found = [claim for name, of in learned.items() for claim in _of_networks(name, of)]
    if {"repeated", "distinct"} <= learned.keys():
        found += _pools(learned["repeated"], learned["distinct"])
    found += [claim for name, games in outcome.played.items() for claim in _of_games(name, games, points)]
    return found + ([_improved(learned, outcome.task.tests[-1])] if outcome.improved else [])


def tables(outcome: Outcome) -> list[Table]:
    tests = outcome.task.tests
    found = [strength(outcome.learned, tests), networks(outcome.learned, tests)]
    return found + ([improvements(outcome.learned, tests[-1])] if outcome.improved else [])


def draw(outcome: Outcome) -> dict[str, Figure]:
    """Where stones go, and who wins games of self-play."""
    game, played = outcome.task.game, outcome.played
    maps = {name: of.stones.sum(0) for name, of in outcome.learned.items()}
    maps |= {f"self-play, {name}": games.stones(LATE, game.num_actions).sum(0) for name, games in played.items()}
    found = {"stones": figures.stones({name: count.reshape(game.rows, -1) for name, count in maps.items()})}
    if played:
        found["waves"] = figures.waves({name: games.result for name, games in played.items()}, FIRST_WINS)
    return found


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
    """Of the network and the way of choosing that win most; that it is the best of several flatters it. Replicas whose
    weights are no numbers any more do not count.
    """
    found = {
        (name, way): shares[np.isfinite(of.largest)]
        for name, of in learned.items()
        for way, shares in of.ways.items()
        if np.isfinite(of.largest).any()
    }
    name, way = max(found, key=lambda pair: float(found[pair].mean()))
    return lies_above(
        "improved",
        f"share of games won against {test}, most of {len(found)} networks and ways of choosing: {name}, {WAYS[way]}",
        "could be improved by two-ply search, more different games, and self-play",
        statistics.mean(found[name, way].mean((1, 2)), within=(0, 1)),
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
    runs = np.array([runs_too_few(result > 0) for result in games.result])
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


def runs_too_few(wins: np.ndarray) -> float:
    """By how many standard deviations a sequence of wins and losses has fewer runs than a random order of them (Wald &
    Wolfowitz 1940); 0 where one side wins all.
    """
    n, a = len(wins), int(wins.sum())
    if a in (0, n):
        return 0.0
    runs = 1 + int((wins[1:] != wins[:-1]).sum())
    mean = 1 + 2 * a * (n - a) / n
    return float((mean - runs) / np.sqrt(max((mean - 1) * (mean - 2) / (n - 1), 1e-12)))


def strength(learned: dict[str, Learned], tests: tuple[str, ...]) -> Table:
    rows = []
    for name, of in learned.items():
        for number, test in enumerate(tests):
            seats = [str(statistics.mean(seat, within=(0, 1))) for seat in of.shares[:, number].T]
            rows.append((name, test, *seats))
    columns = ("network", "against", "moving first", "moving second")
    return Table("strength", "Share of games won, mean over replicas", columns, rows)


def networks(learned: dict[str, Learned], tests: tuple[str, ...]) -> Table:
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
    rows = []
    for name, of in learned.items():
        for way, shares in of.ways.items():
            seats = [str(statistics.mean(seat, within=(0, 1))) for seat in shares[:, 0].T]
            rows.append((name, WAYS[way], *seats))
    columns = ("network", "choice", "moving first", "moving second")
    return Table("better", f"Share of games won against {test}, mean over replicas", columns, rows)
