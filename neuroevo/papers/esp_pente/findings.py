"""Evolution against hand-coded opponents: table, claims and figures 5–10 of Schrum's Pente experiments."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from neuroevo.evolution import History
from neuroevo.papers.esp_pente import figures
from neuroevo.report import plots, statistics
from neuroevo.report.claims import Claim, from_estimate, lies_above
from neuroevo.report.findings import Table
from neuroevo.tasks import Gauntlet

NAMES = {"none": "ff", "own": "srn", "all": "watch"}  # the paper's names of the kinds of memory
WINDOW = 20  # number of generations over which curves are smoothed; chosen by judgement
EARLY = "random", "blocker", "capturer"  # the opponents that are beaten first (figure 6)
BEATEN = 0.9  # smoothed share of games won from which an opponent counts as beaten; chosen by judgement
JUMP = 0.1  # share of games: a rise within WINDOW generations that counts as a jump; chosen by judgement
FLAT = 0.1  # rise of fitness, as a share, up to which it counts as flat; chosen by judgement


@dataclass(frozen=True)
class Outcome:
    """The results of one kind of network.

    task: the tests
    history: of evolution; `best_cases` are the shares of games that the best network wins in each test
    fresh: Float[replicas tests seats], share of new games that the last champion wins
    elsewhere: the same for all tests of the game with another number of seats, None without such tests
    relative: whether networks evolved against each other, so that their fitness does not come from the tests
    """

    task: Gauntlet
    history: History
    fresh: np.ndarray
    elsewhere: np.ndarray | None = None
    relative: bool = False

    @property
    def wins(self) -> np.ndarray:
        """Float[generations replicas tests]: share of games that the best network of a generation wins."""
        assert self.history.best_cases is not None
        return self.history.best_cases

    def late(self) -> np.ndarray:
        """Float[replicas]: share of games that the best networks win in the last quarter of the run."""
        return self.wins[-max(len(self.wins) // 4, 1) :].mean((0, 2))

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is kept in history.npz, by name."""
        fitness = self.history.measured("fitness")
        return {
            "best": fitness.max(2),
            "average": fitness.mean(2),
            "wins": self.wins,
            "fresh": self.fresh,
            "champions": self.history.champions[-1],
        }


def claims(outcomes: dict[str, Outcome]) -> list[Claim]:
    """Claims about each kind of network, and those of the experiment: a comparison, an order, pairs, coevolution.

    outcomes: by the kind of memory
    """
    first = next(iter(outcomes.values()))
    found = [claim for memory, outcome in outcomes.items() for claim in _of_kind(NAMES[memory], outcome)]
    found += [_elsewhere(NAMES[memory], o.elsewhere) for memory, o in outcomes.items() if o.elsewhere is not None]
    if first.relative:
        found += [_coevolved(first)]
    elif len(outcomes) > 1:
        found += _compared({NAMES[memory]: outcome for memory, outcome in outcomes.items()})
    elif {*EARLY, "simple", "better"} <= {*first.task.tests}:
        found += _order(first)
    elif {"simple+better", "random+blocker", "random+better"} <= {*first.task.tests}:
        found += [_flat(first), _pairs(first)]
    return found


def draw(outcomes: dict[str, Outcome]) -> dict[str, Figure]:
    """Fitness and wins by test over the generations (figures 5–10)."""
    first = next(iter(outcomes.values()))
    curves = {NAMES[memory]: outcome.history.measured("fitness") for memory, outcome in outcomes.items()}
    title = f"{first.task.game.title}, {first.task.games} games a network"
    versus_others = f"{first.task.game.title}, two populations against each other", "mean score of a game"
    what = versus_others if first.relative else (title, "sum over the games")
    wins = {(NAMES[memory], test): smoothed(outcome.wins[..., i].mean(1)) for memory, outcome in outcomes.items()
            for i, test in enumerate(outcome.task.tests)}  # fmt: skip
    return {"fitness": plots.fitness_curves(curves, *what), "wins": figures.wins_by_test(wins, title, WINDOW)}


def _of_kind(name: str, outcome: Outcome) -> list[Claim]:
    last = outcome.wins[-1].mean(1)
    perfect = statistics.share(int((last == 1).sum()), len(last))
    share = statistics.mean(outcome.fresh.mean((1, 2)), within=(0, 1))
    opponents = outcome.task.game.num_seats - 1
    return [
        from_estimate(
            f"perfect_{name}",
            f"share of replicas in which the last generation's best network wins all its {outcome.task.games} games, "
            f"{name}",
            "the final champion wins all games (two seats: 20 of 20 against each; ff against better+better)",
            "at least one replica",
            perfect,
            bool((last == 1).any()),
        ),
        lies_above(
            f"wins_most_{name}",
            f"share of fresh games that the last champion wins, mean over tests, seats and replicas, {name}",
            f"more than a player as good as its {opponents} opponents would win",
            share,
            limit=1 / (opponents + 1),
        ),
    ]


def _elsewhere(name: str, shares: np.ndarray) -> Claim:
    seats = shares.shape[-1]
    return lies_above(
        f"elsewhere_{name}",
        f"share of fresh games that the last champion wins in the game of {seats} seats, {name}",
        "networks of games for two and for three can play each other",
        statistics.mean(shares.mean((1, 2)), within=(0, 1)),
        limit=1 / seats,
    )


def smoothed(values: np.ndarray, window: int = WINDOW) -> np.ndarray:
    """Moving means of values[generations, …] over `window` generations; window − 1 fewer rows than values."""
    window = min(window, len(values))
    total = np.cumsum(np.concatenate([np.zeros_like(values[:1]), values], dtype=float), 0)
    return (total[window:] - total[:-window]) / window


def first_reached(values: np.ndarray, level: float) -> np.ndarray:
    """The first generation in which values[generations, …] reach the level; the number of generations if none does."""
    reached = values >= level
    return np.where(reached.any(0), reached.argmax(0), len(values))


def _order(outcome: Outcome) -> list[Claim]:
    """Figure 6: the order in which opponents are beaten, that is when the smoothed share of wins reaches BEATEN."""
    passed = first_reached(smoothed(outcome.wins), BEATEN)
    when = dict(zip(outcome.task.tests, passed.T, strict=True))
    later = statistics.mean(when["better"] - np.max([when[name] for name in EARLY], 0))
    together = statistics.mean(np.abs(when["better"] - when["simple"]))
    rise = np.array([np.max(curve[WINDOW:] - curve[:-WINDOW], initial=0) for curve in _after_start(outcome).T])
    return [
        lies_above(
            "better_last",
            "generations from when Random, Blocker and Capturer are beaten (nine games in ten) until Better is",
            "Better is beaten last (figure 6)",
            later,
        ),
        from_estimate(
            "simple_with_better",
            "generations between the times at which Simple and Better are beaten",
            "Simple falls together with Better (figure 6)",
            "reported only",
            together,
            None,
        ),
        from_estimate(
            "jump",
            f"share of replicas whose wins rise by {JUMP:.0%} of all games within {WINDOW} generations, "
            "after the first tenth of the run",
            "a fortuitous jump in some runs (figure 5)",
            "reported only",
            statistics.share(int((rise >= JUMP).sum()), len(rise)),
            None,
        ),
    ]


def _after_start(outcome: Outcome) -> np.ndarray:
    """Float[generations replicas]: smoothed share of games won, without the first tenth of the run."""
    return smoothed(outcome.wins.mean(2))[len(outcome.wins) // 10 :]


def _flat(outcome: Outcome) -> Claim:
    best = outcome.history.measured("fitness").max(2)
    quarter = max(len(best) // 4, 1)
    rise = best[-quarter:].mean(0) / best[quarter : 2 * quarter].mean(0) - 1
    estimate = statistics.mean(rise)
    return from_estimate(
        "three_seats_flat",
        "rise of the best fitness from the second to the last quarter of the run, as a share",
        "three-player fitness stays flat (figure 7)",
        "the value lies below 0.1",
        estimate,
        estimate.value < FLAT,
    )


def _coevolved(outcome: Outcome) -> Claim:
    gain = outcome.late() - outcome.wins[: max(len(outcome.wins) // 4, 1)].mean((0, 2))
    return lies_above(
        "coevolution_progresses",
        "share of games won against the hand-coded players, last quarter of the run minus the first",
        "named as a way on, not tried",
        statistics.mean(gain),
    )


def _pairs(outcome: Outcome) -> Claim:
    quarter = max(len(outcome.wins) // 4, 1)
    late = dict(zip(outcome.task.tests, outcome.wins[-quarter:].mean((0, 1)), strict=True))
    best, worst = max(late, key=late.__getitem__), min(late, key=late.__getitem__)
    return from_estimate(
        "best_pair",
        f"share of games won against simple+better, last quarter (best pair: {best} {late[best]:.2f}; worst: {worst} "
        f"{late[worst]:.2f})",
        "best against Simple–Better, worse against Random–Blocker and Random–Better (figure 8)",
        "simple+better above random+blocker and random+better",
        statistics.mean(outcome.wins[-quarter:, :, outcome.task.tests.index("simple+better")].mean(0), within=(0, 1)),
        late["simple+better"] > max(late["random+blocker"], late["random+better"]),
    )


def _compared(outcomes: dict[str, Outcome]) -> list[Claim]:
    """Figures 9 and 10: feed-forward against recurrent networks, over the last quarter of the run."""
    found, what = [], "share of games won by the best networks of the last quarter"
    for other in ("srn", "watch"):
        if {"ff", other} <= outcomes.keys():
            gap = statistics.difference(outcomes["ff"].late(), outcomes[other].late())
            better = "ff is better than the recurrent networks"
            found.append(lies_above(f"ff_over_{other}", f"{what}, ff minus {other}", better, gap))
    if {"srn", "watch"} <= outcomes.keys():
        gap = statistics.difference(outcomes["watch"].late(), outcomes["srn"].late())
        rule = "the interval does not lie above 0"
        same = "watching is no better than srn"
        found.append(from_estimate("watch_over_srn", f"{what}, watch minus srn", same, rule, gap, not gap.low > 0))
    return found


def fresh_wins(outcomes: dict[str, Outcome]) -> Table:
    """One row per kind of network and test."""
    rows = []
    for memory, outcome in outcomes.items():
        for i, test in enumerate(outcome.task.tests):
            last, shares = outcome.wins[-1, :, i], outcome.fresh[:, i]
            of = outcome.task.matches * len(outcome.task.own_seats)
            rows.append((
                NAMES[memory], test, f"{', '.join(f'{of * share:.0f}' for share in last)} of {of}",
                *(f"{statistics.mean(seat, within=(0, 1))}" for seat in shares.T),
            ))  # fmt: skip
    seats = next(iter(outcomes.values())).task.own_seats
    columns = (
        "network",
        "test",
        "wins in the last generation, each replica",
        *(f"fresh, seat {s}" for s in seats),
    )
    return Table("fresh_wins", "Share of fresh games that the last champions win, mean over replicas", columns, rows)
