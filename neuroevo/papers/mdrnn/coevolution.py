"""Competitive coevolution: table II and figures 7–9 of Schaul & Schmidhuber (2008, section V-D).

Both kinds of selection are run, each with several replicas in one program. Then all champions of a replica play each
other, and the naive player, which evolution does not use.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy
from matplotlib.figure import Figure

from neuroevo.evolution import Evolution, History, train
from neuroevo.papers.mdrnn import figures, tournament
from neuroevo.papers.mdrnn.champion_scores import absolute_scores
from neuroevo.papers.mdrnn.tournament import Tournament
from neuroevo.papers.sample_games import illustrative_games
from neuroevo.report import statistics
from neuroevo.report.claims import VERDICT, Claim, from_estimate, lies_above
from neuroevo.report.findings import Findings, Table
from neuroevo.report.statistics import Estimate
from neuroevo.runtime.lab import Lab
from neuroevo.strategies import Coevolution as Strategy
from neuroevo.tasks import VersusOthers

# Table II: (mean, standard deviation) of the dominance number over RUNS runs of 400 generations
TABLE_2 = {
    ("AtariGo", "non_elitist"): (14.8, 3.0),
    ("AtariGo", "elitist"): (27.6, 14.0),
    ("Gomoku", "non_elitist"): (11.0, 5.0),
    ("Gomoku", "elitist"): (15.6, 11.0),
}
RUNS = 5  # table II
SAME_LEVEL = 0.1  # change of the mean score up to which the level stands still; chosen by judgement
INTRANSITIVE = 0.01  # share of cyclic triads above which there are cycles; chosen by judgement


@dataclass(frozen=True)
class Scenario:
    """The results of one kind of selection.

    history: of evolution
    games: all champions of a replica against each other
    absolute: Float[replicas generations], the champions' mean scores against the naive player
    """

    history: History
    games: Tournament
    absolute: np.ndarray

    def dominance(self, ties_count: bool = False) -> list[int]:
        """The dominance number of each replica, see `tournament.dominants`."""
        return [len(tournament.dominants(score, ties_count)) for score in self.games.score]


SELECTIONS = {"elitist": True, "non_elitist": False}  # name → the field `elitist` of the strategy


@dataclass(frozen=True)
class Coevolution:
    """Two populations evolve against each other, once with each of SELECTIONS.

    evolution: with strategy=coevolution and task=versus_others.
    generations: number of generations.
    sample_games: number of illustrative games that are kept.
    absolute_games: number of games of every champion against the naive player.
    tile: number of champions whose games with `tile` others are played at the same time.
    larger: size of the second board of the illustrative games.
    """

    evolution: Evolution
    generations: int
    sample_games: int
    absolute_games: int = 100
    tile: int = 100
    larger: int = 9

    def __post_init__(self):
        if not isinstance(self.evolution.strategy, Strategy) or not isinstance(self.evolution.task, VersusOthers):
            raise ValueError("coevolution needs strategy=coevolution and task=versus_others")

    def compute(self, lab: Lab) -> dict[str, Scenario]:
        return {name: self._scenario(name, _with(self.evolution, elitist), lab) for name, elitist in SELECTIONS.items()}

    def conclude(self, outcome: dict[str, Scenario]) -> Findings:
        evolution, best = self.evolution, outcome["elitist"]
        champions, replicas = best.history.champions[-1], evolution.replicas
        pairs = self.generations * (self.generations - 1) // 2
        return Findings(
            size=f"{len(outcome)} kinds of selection × {replicas} replicas × {self.generations} generations",
            games=len(outcome)
            * (
                self.generations * evolution.games_per_generation
                + replicas * (pairs * evolution.task.games_of(1, 1) + self.generations * self.absolute_games)
            ),
            claims=claims(evolution, outcome),
            tables=[table_2(evolution, outcome)],
            figures=draw_figures(evolution, best),
            sample=illustrative_games(evolution, best.history.champions[:, 0], self.larger, self.sample_games),
            arrays={
                f"{name}_{key}": values
                for name, scenario in outcome.items()
                for key, values in {
                    "champions": scenario.history.champions,
                    "score": scenario.games.score,
                    "plies": scenario.games.plies,
                    "absolute": scenario.absolute,
                }.items()
            },
            champions=champions,
            best=int(best.absolute[:, -1].argmax()),
        )

    def _scenario(self, name: str, evolution: Evolution, lab: Lab) -> Scenario:
        assert isinstance(evolution.task, VersusOthers)
        history = train(evolution, self.generations, lab, name)
        champions = history.champions.transpose(1, 0, 2)
        streams = evolution.streams("tournament")
        games = tournament.everybody(lab, f"{name}_tournament", evolution.task, streams, champions, self.tile)
        task, stream = replace(evolution.task.absolute(), games=self.absolute_games), evolution.streams("absolute")[0]
        return Scenario(history, games, absolute_scores(lab, f"{name}_absolute", task, stream, champions, self.tile))


def _with(evolution: Evolution, elitist: bool) -> Evolution:
    assert isinstance(evolution.strategy, Strategy)
    return replace(evolution, strategy=replace(evolution.strategy, elitist=elitist))


def claims(evolution: Evolution, scenarios: dict[str, Scenario]) -> list[Claim]:
    """All claims. scenarios: one for each of SELECTIONS."""
    claims = []
    for name, scenario in scenarios.items():
        claims += [
            _dominance(evolution, name, scenario),
            _lengths(name, scenario),
            _corner(name, scenario),
            _cycles(name, scenario),
            _no_absolute_progress(name, scenario),
        ]
    return [*(_elitist_dominates_more(scenarios, ties_count) for ties_count in (False, True)), *claims]


def _elitist_dominates_more(scenarios: dict[str, Scenario], ties_count: bool) -> Claim:
    numbers = {name: np.array(scenario.dominance(ties_count)) for name, scenario in scenarios.items()}
    estimate = statistics.mean(numbers["elitist"] - numbers["non_elitist"])
    return lies_above(
        "elitist_dominates_more" + "_with_ties" * ties_count,
        "dominance number of elitist minus non-elitist selection, mean over replicas, "
        + ("a tie is as good as a win" if ties_count else "ties are no wins"),
        "larger in both games (table II)",
        estimate,
    )


def _published(evolution: Evolution, name: str) -> tuple[float, float] | None:
    return TABLE_2.get((type(evolution.task.game).__name__, name))


def _agrees(published: tuple[float, float] | None, numbers: list[int]) -> bool | None:
    """Whether Welch's test at 5 % finds no difference from the paper's mean and deviation; None without both."""
    if published is None or len(numbers) < 2:
        return None
    ours = np.mean(numbers), max(np.std(numbers, ddof=1), 1e-9), len(numbers)
    return bool(scipy.stats.ttest_ind_from_stats(*published, RUNS, *ours, equal_var=False).pvalue > 0.05)


def _dominance(evolution: Evolution, name: str, scenario: Scenario) -> Claim:
    numbers, published = scenario.dominance(), _published(evolution, name)
    return from_estimate(
        f"dominance_{name}",
        f"dominance number, {name}, ties are no wins, mean over replicas",
        f"{published[0]} ± {published[1]}" if published else "–",
        "Welch's test at 5 % sees no difference from the paper's 5 runs",
        statistics.mean(np.array(numbers), within=(1, np.inf)),
        _agrees(published, numbers),
    )


def _lengths(name: str, scenario: Scenario) -> Claim:
    early, late = np.array([tournament.game_lengths(plies) for plies in scenario.games.plies]).T
    estimate = statistics.mean(late - early)
    return lies_above(
        f"later_games_longer_{name}",
        f"plies of games among the last quarter's champions minus among the first quarter's, {name}",
        "early games are shorter, later ones more balanced (figure 8)",
        estimate,
    )


def _corner(name: str, scenario: Scenario) -> Claim:
    means = np.array([tournament.corners(tournament.ciao(score)) for score in scenario.games.score])
    estimate = statistics.mean(means.mean(1), within=(-1, 1))
    both = ", ".join(f"{value:+.3f}" for value in means.mean(0))
    return lies_above(
        f"later_beats_earlier_{name}",
        f"score of the last quarter's champions against the other population's first quarter's, {name} "
        f"(the two corners: {both})",
        "both corners of the CIAO plot bright, to a small degree (figure 8)",
        estimate,
    )


def _cycles(name: str, scenario: Scenario) -> Claim:
    shares = np.array([tournament.cyclic_share(score) for score in scenario.games.score])
    shares = shares[np.isfinite(shares)]
    estimate = statistics.mean(shares, within=(0, 1)) if len(shares) else Estimate(0, 0, 1, 0)
    return lies_above(
        f"intransitive_{name}",
        f"share of intransitive triads among the champions, {name} (an order of strength: 0; coin flips: 0.25)",
        "a kind of rock–paper–scissors situation",
        estimate,
        limit=INTRANSITIVE,
    )


def _no_absolute_progress(name: str, scenario: Scenario) -> Claim:
    quarter = max(scenario.absolute.shape[1] // 4, 1)
    later, earlier = scenario.absolute[:, -quarter:], scenario.absolute[:, quarter : 2 * quarter]
    estimate = statistics.mean(later.mean(1) - earlier.mean(1)) if earlier.size else Estimate(0, -2, 2, 1)
    return from_estimate(
        f"absolute_stands_still_{name}",
        f"score against the naive player, last quarter's champions minus second quarter's, {name}",
        "the absolute level does not progress as the dominance number does (figure 7)",
        "the interval over replicas lies below +0.1",
        estimate,
        estimate.high < SAME_LEVEL if estimate.n > 1 else None,
    )


def table_2(evolution: Evolution, scenarios: dict[str, Scenario]) -> Table:
    """One row per kind of selection."""

    def row(name: str, scenario: Scenario) -> tuple[str, ...]:
        published, strict, ties = _published(evolution, name), scenario.dominance(), scenario.dominance(ties_count=True)
        return (
            evolution.task.game.title,
            name.replace("_", "-"),
            f"{published[0]} ± {published[1]}" if published else "–",
            *(
                f"{np.mean(n):.1f} ± {np.std(n, ddof=len(n) > 1):.1f} ({', '.join(map(str, n))})"
                for n in (strict, ties)
            ),
            f"{scenario.absolute[:, -1].mean():.3f}",
            VERDICT[_agrees(published, strict)],
        )

    columns = ("game", "selection", "dominance published", "ours, ties no wins", "ours, ties count",
               "last champion against naive", "holds")  # fmt: skip
    rows = [row(name, scenario) for name, scenario in scenarios.items()]
    return Table("table_2", "Table II: dominance numbers, mean ± s.d. (each replica)", columns, rows)


def draw_figures(evolution: Evolution, scenario: Scenario) -> dict[str, Figure]:
    """Figures 7 and 8, from the first replica of one kind of selection."""
    score, title = scenario.games.score[0], evolution.task.game.title
    cells = tournament.ciao(score)
    return {
        "figure_7": figures.coevolution_run(scenario.absolute[0], tournament.dominants(score), title),
        "figure_8": figures.ciao(cells, tournament.later_against_earlier(cells), title),
    }
