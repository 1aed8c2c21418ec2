"""Champions on larger boards: table III with its claims, and figure 10 of Schaul & Schmidhuber (2008)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.figure import Figure

from jaxgames.core import StoneGame
from neuroevo.papers.mdrnn import figures
from neuroevo.report import statistics
from neuroevo.report.claims import VERDICT, Claim, covers, from_estimate, lies_above
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate

# Table III: (correlation, p) by game, method, trained on, tested on
TABLE_3 = {
    ("AtariGo", "coevolution", 5, 9): (0.45, 0.92),
    ("AtariGo", "evolution", 5, 9): (0.05, 0.61),
    ("AtariGo", "evolution", 7, 11): (0.07, 0.98),
    ("Gomoku", "coevolution", 5, 9): (-0.11, 0.70),
    ("Gomoku", "evolution", 5, 9): (0.22, 0.73),
    ("Gomoku", "evolution", 7, 11): (0.43, 0.85),
}
# The table's rows for a game, and rows of 19×19, which the paper names as the next step.
ROWS = (
    ("coevolution", 5, 9),
    ("evolution", 5, 9),
    ("evolution", 7, 11),
    ("coevolution", 5, 19),
    ("evolution", 5, 19),
    ("evolution", 7, 19),
)
TESTS = {
    "published": "as published: own game, naive – Atari-Go, random",
    "naive": "consistent: own game, naive",
    "heuristic": "own game, heuristic",
}


@dataclass(frozen=True)
class Comparison:
    """The same champions on two boards.

    method: evolution or coevolution
    small, large: sizes of the boards; the champions were trained on the smaller one
    test: one of TESTS
    pairs: Float[replicas champions 2], mean scores on both boards
    """

    method: str
    small: int
    large: int
    test: str
    pairs: np.ndarray

    @property
    def label(self) -> str:
        """The comparison in words."""
        return f"{self.method}, {self.small}×{self.small} and {self.large}×{self.large}, {TESTS[self.test]}"

    @property
    def id(self) -> str:
        """The comparison in names of claims."""
        return f"{self.method}_{self.small}_{self.large}_{self.test}"

    @cached_property
    def correlation(self) -> Estimate:
        """The correlation of the pairs. The bootstrap draws whole replicas, whose champions are related."""
        replicas, champions, _ = self.pairs.shape
        return statistics.correlation(self.pairs.reshape(-1, 2), np.repeat(np.arange(replicas), champions))

    @cached_property
    def larger(self) -> Estimate:
        """The share of champions that score higher on the larger board, mean over replicas."""
        return statistics.mean((self.pairs[..., 1] > self.pairs[..., 0]).mean(1), within=(0, 1))


def claims(game: StoneGame, comparisons: list[Comparison]) -> list[Claim]:
    """The claims about all comparisons."""
    return [claim for comparison in comparisons for claim in row_claims(game, comparison)]


def figure_10(game: StoneGame, comparisons: list[Comparison]) -> Figure:
    """Figure 10: champions of coevolution on 5×5 and 9×9."""
    by_row = {(c.method, c.small, c.large, c.test): c for c in comparisons}
    shown = by_row["coevolution", 5, 9, "naive"]
    what = f"{_name(game)}, champions of coevolution against naive"
    return figures.size_scatter(shown.pairs.reshape(-1, 2), what, (shown.small, shown.large))


def _name(game: StoneGame) -> str:
    """The game's title without the size of the board."""
    return game.title.partition(" ")[0]


def _published(game: StoneGame, comparison: Comparison) -> tuple[float, float] | None:
    if comparison.test == "heuristic":
        return None
    return TABLE_3.get((type(game).__name__, comparison.method, comparison.small, comparison.large))


def row_claims(game: StoneGame, comparison: Comparison) -> list[Claim]:
    """Claims that ours equal the printed numbers; without these, that most score higher on the larger board."""
    printed, larger = _published(game, comparison), comparison.larger
    higher = f"share of champions that score higher on the larger board: {comparison.label}"
    if printed is None:
        expected = "almost always higher on the larger board, if that is no artefact of the weak opponent"
        return [lies_above(f"larger_{comparison.id}", higher, expected, larger, limit=0.5)]
    correlation, rule = comparison.correlation, "the interval covers the printed number"
    return [
        from_estimate(f"{id}_{comparison.id}", what, f"{number:.2f}", rule, estimate, covers(estimate, number))
        for id, what, number, estimate in (
            ("correlation", f"correlation of scores: {comparison.label}", printed[0], correlation),
            ("larger", higher, printed[1], larger),
        )
    ]


def table_3(game: StoneGame, comparisons: list[Comparison]) -> Table:
    """Table III: published numbers and ours, one row per comparison."""

    def row(comparison: Comparison) -> tuple[str, ...]:
        printed, estimates = _published(game, comparison), (comparison.correlation, comparison.larger)
        numbers = [
            (f"{printed[i]:.2f}", str(estimate), VERDICT[covers(estimate, printed[i])])
            if printed
            else ("–", str(estimate), "–")
            for i, estimate in enumerate(estimates)
        ]
        replicas, champions, _ = comparison.pairs.shape
        means = " → ".join(f"{mean:+.2f}" for mean in comparison.pairs.mean((0, 1)))
        sizes = f"{comparison.small} – {comparison.large}"
        n = f"{replicas} × {champions}"
        return comparison.method, sizes, TESTS[comparison.test], n, *numbers[0], *numbers[1], means

    columns = ("method", "trained – tested", "games", "n", "correlation: published", "ours", "holds",
               "p: published", "ours", "holds", "mean scores")  # fmt: skip
    title = "Table III: champions on the board of training and on a larger one (p: share that scores higher there)"
    return Table("table_3", f"{title}, {_name(game)}", columns, [row(c) for c in comparisons])
