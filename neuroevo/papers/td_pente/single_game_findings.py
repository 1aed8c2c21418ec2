"""One game shown again and again: table 1 of Muijrers (2011) beside ours, and the sweeps."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from neuroevo.networks import ValueNetwork
from neuroevo.papers.td_pente import figures
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate

CONVERGED = 0.1  # total error below which a run has converged
# Published (number of games until convergence or None, final error), by the learning rate.
TABLE_1 = {0.1: (None, 2.777778), 0.01: (None, 2.7761912), 0.001: (1740, 0.011060873), 0.0001: (None, 0.19699441)}
SATURATED = 1 / (1 - 0.8**2)  # the total error of a network that always says 0, for a long game at λ = 0.8
NEAR = 0.05  # distance from SATURATED that counts as equal; as in the column head of OURS
MIDDLE = 0.95  # central share of the runs that is given in place of an interval


@dataclass(frozen=True)
class Trial:
    """Networks of one size that learn by several rules.

    name: of the trial
    network: kind of the networks
    rules: (name, α, λ) of each rule
    """

    name: str
    network: ValueNetwork
    rules: list[tuple[str, float, float]]


@dataclass(frozen=True)
class Shown:
    """The results of a trial.

    trial: the networks and rules
    measures: Float[games measures rules replicas], see `single_game.measured`
    curves: Float[games cycles rules replicas], total errors
    cycles: Int[cycles], the cycles of the curves
    """

    trial: Trial
    measures: np.ndarray
    curves: np.ndarray
    cycles: np.ndarray

    def final(self, rule: int) -> np.ndarray:
        """Float[runs]: the error at the end, by one of the rules."""
        return self.measures[:, 0, rule].reshape(-1)

    def first(self, rule: int) -> np.ndarray:
        """Float[runs that converged]: the first cycle whose error is below CONVERGED."""
        return self.measures[:, 1, rule].reshape(-1)[self.converged(rule)]

    def largest(self, rule: int) -> np.ndarray:
        """Float[runs]: the largest error."""
        return self.measures[:, 2, rule].reshape(-1)

    def converged(self, rule: int) -> np.ndarray:
        """Bool[runs]: whether the error is below CONVERGED at the end."""
        return (self.measures[:, 1, rule].reshape(-1) >= 0) & (self.final(rule) < CONVERGED)


@dataclass(frozen=True)
class Outcome:
    """The results of all trials.

    results: by the trial's name, the trial of the table first
    plies: numbers of plies of the games that were shown
    source: the source of the games in words
    """

    results: dict[str, Shown]
    plies: list[int]
    source: str


def claims(results: dict[str, Shown]) -> list[Claim]:
    """Claims about each learning rate of table 1."""
    table = next(iter(results.values()))
    return [claim for number, rule in enumerate(table.trial.rules) for claim in _claims(table, number, rule[1])]


def tables(results: dict[str, Shown]) -> list[Table]:
    """Table 1, and a table of the sweeps if there are any."""
    table, *sweeps = results.values()
    return [_table_1(table), *([_swept(sweeps)] if sweeps else [])]


def draw(results: dict[str, Shown]) -> dict[str, Figure]:
    """Figures: errors over the cycles at each learning rate, and numbers of cycles until convergence."""
    table = next(iter(results.values()))
    rates = {f"α = {name}": table.curves[:, :, i] for i, (name, _, _) in enumerate(table.trial.rules)}
    printed = {f"α = {rate:g}": final for rate, (_, final) in TABLE_1.items()}
    cycles = {f"α = {name}": table.first(i) for i, (name, _, _) in enumerate(table.trial.rules)}
    runs = table.final(0).size
    until = f"cycles until the total error is below {CONVERGED}, {runs} runs a rate"
    return {
        "errors": figures.total_errors(table.cycles, rates, printed, f"one game, {runs} runs a rate"),
        "cycles": figures.cycles_needed(cycles, until),
    }


def middle(sample: np.ndarray) -> Estimate:
    """The median, with the limits of the central 95 % of the sample in place of an interval."""
    low, high = np.quantile(sample, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2])
    return Estimate(float(np.median(sample)), float(low), float(high), sample.size)


def _claims(shown: Shown, number: int, rate: float) -> list[Claim]:
    if rate not in TABLE_1:
        return []
    cycles, final = TABLE_1[rate]
    converged = shown.converged(number)
    share = statistics.share(int(converged.sum()), converged.size)
    agrees = share.low > 0.5 if cycles else share.high < 0.5
    errors = middle(shown.final(number))
    within = "the printed number lies in the central 95 % of the runs (the interval here)"
    found = [
        from_estimate(
            f"converges_{rate:g}",
            f"share of runs whose total error falls below {CONVERGED} and stays there, α = {rate:g}",
            f"after {cycles} games" if cycles else "did not converge",
            f"the interval lies {'above' if cycles else 'below'} 0.5",
            share,
            agrees,
        ),
        from_estimate(
            f"final_{rate:g}",
            f"total error at the end, median of the runs, α = {rate:g}",
            f"{final:.8g}",
            within,
            errors,
            errors.low <= final <= errors.high,
        ),
    ]
    if cycles and converged.any():
        needed = middle(shown.first(number))
        what = f"games until the total error is below {CONVERGED}, median of the runs that converge, α = {rate:g}"
        inside = needed.low <= cycles <= needed.high
        found.append(from_estimate(f"cycles_{rate:g}", what, str(cycles), within, needed, inside))
    return found


def _row(shown: Shown, number: int) -> tuple[str, ...]:
    """The cells of OURS for one rule: medians and ranges of the runs."""
    converged, first = shown.converged(number), shown.first(number)
    needed = f"{np.median(first):.0f} ({first.min():.0f} … {first.max():.0f})" if first.size else "–"
    final, largest = shown.final(number), shown.largest(number)
    return (
        f"{converged.sum()} of {converged.size}",
        needed,
        f"{np.median(final):.3g} ({final.min():.3g} … {final.max():.3g})",
        f"{(np.abs(final - SATURATED) < NEAR).mean():.0%}",
        f"{np.median(largest):.3g}",
    )


OURS = ("converged", "games needed", "final error", f"within 0.05 of {SATURATED:.3f}", "largest error")


def _table_1(shown: Shown) -> Table:
    rows = []
    for number, (name, rate, _) in enumerate(shown.trial.rules):
        cycles, final = TABLE_1.get(rate, (None, None))
        printed = (f"{cycles}" if cycles else "did not converge", f"{final:.8g}") if final else ("–", "–")
        rows.append((name, *printed, *_row(shown, number)))
    columns = ("α", "published: games needed", "published: final error", *OURS)
    return Table("table_1", "One game shown again and again: medians of the runs (smallest … largest)", columns, rows)


def _swept(sweeps: list[Shown]) -> Table:
    rows = []
    for shown in sweeps:
        for number, (name, rate, lambda_) in enumerate(shown.trial.rules):
            what = f"λ = {name}" if shown.trial.name == "lambda" else f"{name} hidden units"
            rows.append((what, f"{rate:g}", f"{lambda_:g}", *_row(shown, number)))
    return Table("sweeps", "The same for other λ and sizes", ("what", "α", "λ", *OURS), rows)
