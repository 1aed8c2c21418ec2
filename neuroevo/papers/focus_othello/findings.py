"""The strength of focus networks: figures 7–10 of Moriarty & Miikkulainen (1994) and the paper's claims."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from jaxgames.arena import Results
from neuroevo.papers.focus_othello import figures
from neuroevo.papers.focus_othello.agreement import SIDES
from neuroevo.report import plots, statistics
from neuroevo.report.claims import Claim, covers, from_estimate
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate
from neuroevo.tasks import Focus

FOCUS, FULL, BEST_THREE = "focus", "full", "three"  # who searches: a network, all moves, always the best three moves
Unit = tuple[str, int, int]  # who searches, its depth, the depth of its full-width opponent
STATES = {FOCUS: (189, 662, 3440, 12172, 63304, 230487), FULL: (226, 842, 4042, 16684, 75696, 330453)}  # figure 9
KEPT = {"bill": 0.84}  # published share of legal moves in the window, by the evaluation
KEPT_BY_IAGO = 0.79  # published for Iago's evaluation; our other evaluations are compared with it
WITHIN = 0.05  # difference up to which shares count as equal; chosen by judgement
OTHERWISE = 0.65  # published share of games won at equal levels other than that of training
EQUALLY = {"bill": 0.51}  # published share of games won at the level of training, by the evaluation


@dataclass(frozen=True)
class Match:
    """Games of each replica, all arrays [replicas games]. Games 2 i and 2 i + 1 begin with the same opening.

    score: points, 1, ½ or 0
    leaves: number of positions that the player's searches evaluate
    asked: number of positions in which the window was computed
    legal: number of legal moves in these positions
    kept: number of these moves in the window
    blind: number of these positions in which the window was empty
    """

    score: np.ndarray
    leaves: np.ndarray
    asked: np.ndarray
    legal: np.ndarray
    kept: np.ndarray
    blind: np.ndarray

    @staticmethod
    def blank(shape: tuple[int, int]) -> "Match":
        """A match of zeros."""
        return Match(np.zeros(shape, np.float32), *[np.zeros(shape, np.int32) for _ in range(5)])

    @staticmethod
    def of(results: Results) -> "Match":
        """The match of player 0 in the results of `play_searches`."""
        score = np.asarray(results.returns[..., 0]) / 2 + 0.5
        leaves = np.asarray(results.counts.leaves[..., 0])
        kept = results.filter_counts
        if kept is None:
            return Match(score, leaves, *[np.zeros_like(leaves)] * 4)
        return Match(score, leaves, *(np.asarray(x[..., 0]) for x in (kept.asked, kept.legal, kept.kept, kept.empty)))

    def points(self) -> Estimate:
        """Mean points per game. The interval is over the openings, each of which is played from both sides."""
        return statistics.mean(self.score.reshape(len(self.score), -1, 2).mean((0, 2)), within=(0, 1))

    def share_kept(self) -> float:
        """Share of legal moves in the window, over all games."""
        return float(self.kept.sum() / max(self.legal.sum(), 1))


@dataclass(frozen=True)
class Outcome:
    """The champions, and all their games.

    task: of evolution
    training: Float[generations replicas population], share of games won
    champions: Int[replicas genes], the winners of the finals
    finals: Float[replicas finalists], share of games won
    matches: the tests, by who plays
    share: Float[replicas sides levels], see `agreement`
    kept: Float[replicas sides], see `agreement`
    """

    task: Focus
    training: np.ndarray
    champions: np.ndarray
    finals: np.ndarray
    matches: dict[Unit, Match]
    share: np.ndarray
    kept: np.ndarray

    @property
    def levels(self) -> range:
        """All depths of the tests."""
        return range(1, self.share.shape[2] + 1)

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is kept in history.npz, by name."""
        scores = {"_".join(map(str, unit)): match.score for unit, match in self.matches.items()}
        return scores | {"training": self.training, "finals": self.finals, "agreement": self.share}


def claims(outcome: Outcome) -> list[Claim]:
    """All claims of the paper: strength, windows, agreement with deep searches."""
    return [*_strength(outcome), *_same_level(outcome), *_windows(outcome), *_agreement(outcome)]


def tables(outcome: Outcome) -> list[Table]:
    """Points per game, states examined, and the networks one by one."""
    return [_points_table(outcome), _states_table(outcome), _networks_table(outcome)]


def draw(outcome: Outcome) -> dict[str, Figure]:
    """The training curves, and figures 7, 8 and 10."""
    trained = outcome.task.level
    points = {
        f"level {trained} against level …": {
            who: [outcome.matches[who, trained, level].points() for level in outcome.levels]
            for who in (FOCUS, FULL, BEST_THREE)
        },
        "both sides at level …": {FOCUS: [outcome.matches[FOCUS, level, level].points() for level in outcome.levels]},
    }
    games = outcome.matches[FOCUS, trained, trained].score.size
    wins = {outcome.task.evaluation: outcome.training}
    shares: dict[str, np.ndarray] = dict(zip(SIDES, np.moveaxis(outcome.share, 1, 0), strict=True))
    return {
        "training": plots.fitness_curves(wins, "training", "share of games won"),
        "figures_7_and_8": figures.points_by_level(points, f"{games} games a point, {outcome.task.evaluation}"),
        "figure_10": figures.agreement(shares, dict(zip(SIDES, outcome.kept.mean(0), strict=True))),
    }


# ---------------------------------------------------------------- claims
def _strength(outcome: Outcome) -> list[Claim]:
    trained, deepest = outcome.task.level, len(outcome.levels)
    claims = []
    if deepest >= 2 * trained:
        equal = outcome.matches[FOCUS, trained, 2 * trained].points()
        claims.append(from_estimate(
            f"level_{trained}_as_{2 * trained}",
            f"points per game of focused level {trained} against full-width level {2 * trained}",
            "appears to be as strong", "the interval reaches 0.5", equal, equal.high >= 0.5,
        ))  # fmt: skip
    one, other = (np.concatenate([outcome.matches[who, trained, level].score.mean(0) for level in outcome.levels])
                  for who in (FOCUS, FULL))  # fmt: skip
    gain = statistics.mean((one - other).reshape(-1, 2).mean(1))
    control = outcome.matches[FULL, trained, trained].points()
    return [
        *claims,
        from_estimate(
            "focus_helps", f"points per game of focused less full-width level {trained}, against levels 1 to {deepest}",
            "the shaded bars are higher (figure 7)", "the interval lies above 0", gain, gain.low > 0,
        ),
        from_estimate("control", "points per game of full-width search against itself", "50 %",
                      "the interval covers 0.5", control, covers(control, 0.5)),
    ]  # fmt: skip


def _same_level(outcome: Outcome) -> list[Claim]:
    trained, name = outcome.task.level, outcome.task.evaluation
    home = outcome.matches[FOCUS, trained, trained].points()
    printed = EQUALLY.get(name)
    words = "strongest at the level of training (figure 8)" if printed is None else f"{printed:.0%}"
    holds = home.low > OTHERWISE - WITHIN if printed is None else covers(home, printed)
    rule = f"the interval lies above {OTHERWISE - WITHIN:g}" if printed is None else "the interval covers it"
    claims = [from_estimate(f"level_{trained}", f"points per game, both sides at level {trained}", words, rule, home,
                            holds)]  # fmt: skip
    others = [outcome.matches[FOCUS, level, level].score for level in outcome.levels if level != trained]
    if not others or printed is not None:
        return claims
    estimates = [statistics.mean(score.reshape(len(score), -1, 2).mean((0, 2)), within=(0, 1)) for score in others]
    worst = min(estimates, key=lambda estimate: estimate.low)
    beyond = statistics.mean(np.mean(others, 0).reshape(len(others[0]), -1, 2).mean((0, 2)), within=(0, 1))
    return [
        *claims,
        from_estimate("outplays", "the same at the level, not that of training, at which it does worst",
                      "consistently outplays", "the interval lies above 0.5", worst, worst.low > 0.5),
        from_estimate("elsewhere", "points per game, both sides at the same level, mean of the levels not of training",
                      f"about {OTHERWISE:.0%}", f"the interval comes within {WITHIN} of it", beyond,
                      beyond.low - WITHIN <= OTHERWISE <= beyond.high + WITHIN),
    ]  # fmt: skip


def _windows(outcome: Outcome) -> list[Claim]:
    trained, name = outcome.task.level, outcome.task.evaluation
    match, printed = outcome.matches[FOCUS, trained, trained], KEPT.get(name, KEPT_BY_IAGO)
    kept = statistics.mean(_kept_by_replica(match), within=(0, 1))
    ratios = [_ratio(outcome, level) for level in outcome.levels]
    worst = max(ratios, key=lambda ratio: ratio.high)
    return [
        from_estimate("kept", "share of the legal moves that the window holds, mean over replicas", f"{printed:.0%}",
                      f"ours is within {2 * WITHIN:g} of it", kept, abs(kept.value - printed) <= 2 * WITHIN),
        from_estimate("fewer_states", "states that focused search examines, as a share of full-width search's, at the "
                      "level with the largest", "0.70 … 0.85 (figure 9)", "the interval lies below 1", worst,
                      worst.high < 1),
    ]  # fmt: skip


def _kept_by_replica(match: Match) -> np.ndarray:
    return match.kept.sum(1) / np.maximum(match.legal.sum(1), 1)


def _ratio(outcome: Outcome, level: int) -> Estimate:
    """States examined at this level, focused over full-width. The interval is by the delta method."""
    one, other = (outcome.matches[who, level, outcome.task.level].leaves.mean(0) for who in (FOCUS, FULL))
    ratio = one.mean() / other.mean()
    error = statistics.mean((one - ratio * other) / other.mean() + ratio)
    return Estimate(float(ratio), error.low, error.high, error.n)


def _agreement(outcome: Outcome) -> list[Claim]:
    own, opponent = np.moveaxis(outcome.share, 1, 0)
    deep = statistics.mean(own[:, -1] - outcome.kept[:, 0])
    fall = statistics.mean(opponent[:, 0] - opponent[:, -1])
    level = outcome.levels[-1]
    return [
        from_estimate("own_moves", f"how much more often the window holds the choice of level {level} than any legal "
                      "move, own moves, mean over replicas", "is similar to the moves of a deep search (figure 10)",
                      "above 0", deep, deep.value > 0),
        from_estimate("opponents_moves", f"how much more often it holds the opponent's choice at level 1 than {level}",
                      "less accurate as the opponent searches deeper (figure 10)", "above 0", fall, fall.value > 0),
    ]  # fmt: skip


# ---------------------------------------------------------------- tables
def _points_table(outcome: Outcome) -> Table:
    trained, rows = outcome.task.level, []
    for level in outcome.levels:
        cells = [str(outcome.matches[who, trained, level].points()) for who in (FOCUS, FULL, BEST_THREE)]
        rows.append((str(level), *cells, str(outcome.matches[FOCUS, level, level].points())))
    names = "focus network", "full-width", "best three moves"
    columns = ("level", *(f"{name} at {trained} against it" for name in names), "focus network, both sides")
    return Table("points", "Points per game (figures 7 and 8), intervals over openings", columns, rows)


def _states_table(outcome: Outcome) -> Table:
    rows = []
    for level in outcome.levels:
        focus, full = (outcome.matches[who, level, outcome.task.level] for who in (FOCUS, FULL))
        printed = [f"{STATES[who][level - 1]:,}" if level <= len(STATES[who]) else "–" for who in (FOCUS, FULL)]
        ours = [f"{match.leaves.mean():,.0f}" for match in (focus, full)]
        blind = focus.blind.sum() / max(focus.asked.sum(), 1)
        rows.append((str(level), printed[0], ours[0], printed[1], ours[1], str(_ratio(outcome, level)),
                     f"{focus.share_kept():.3f}", f"{blind:.4f}"))  # fmt: skip
    columns = ("level", "focused, published", "ours", "full-width, published", "ours", "focused / full-width",
               "moves kept", "empty windows")  # fmt: skip
    title = f"States examined per game against full-width level {outcome.task.level} (figure 9)"
    return Table("states", title, columns, rows)


def _networks_table(outcome: Outcome) -> Table:
    trained, rows = outcome.task.level, []
    match = outcome.matches[FOCUS, trained, trained]
    for replica in range(len(match.score)):
        points = [outcome.matches[FOCUS, trained, level].score[replica].mean() for level in outcome.levels]
        rows.append((str(replica), f"{outcome.finals[replica].max():.3f}", *(f"{p:.3f}" for p in points),
                     f"{_kept_by_replica(match)[replica]:.3f}"))  # fmt: skip
    columns = ("replica", "games won in the finals", *(f"against level {level}" for level in outcome.levels), "kept")
    return Table("networks", f"The network of each replica, at level {trained}: points per game", columns, rows)
