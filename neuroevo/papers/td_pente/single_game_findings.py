"""What one game shown again and again says: table 1 of Muijrers (2011) beside ours, and the sweeps."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from neuroevo.networks import ValueNetwork
from neuroevo.papers.td_pente import figures
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate

CONVERGED = 0.1  # total error
TABLE_1 = {0.1: (None, 2.777778), 0.01: (None, 2.7761912), 0.001: (1740, 0.011060873), 0.0001: (None, 0.19699441)}
SATURATED = 1 / (1 - 0.8**2)  # the total error of a network that says 0 of a long game, at λ = 0.8
MIDDLE = 0.95


@dataclass(frozen=True)
class Trial:
    """Networks of one size under some rules, each (what it is called, α, λ)."""

    name: str
    network: ValueNetwork
    rules: list[tuple[str, float, float]]


@dataclass(frozen=True)
class Shown:
    """What came of a trial. `measures`: Float[games, measures, rules, replicas], see `single_game.measured`; `curves`:
    total errors after `cycles`, Float[games, cycles, rules, replicas].
    """

    trial: Trial
    measures: np.ndarray
    curves: np.ndarray
    cycles: np.ndarray

    def final(self, rule: int) -> np.ndarray:
        return self.measures[:, 0, rule].reshape(-1)

    def first(self, rule: int) -> np.ndarray:
        """Of the runs that converged, how many cycles it took."""
        return self.measures[:, 1, rule].reshape(-1)[self.converged(rule)]

    def largest(self, rule: int) -> np.ndarray:
        return self.measures[:, 2, rule].reshape(-1)

    def converged(self, rule: int) -> np.ndarray:
        """Bool[runs]: whether the error fell below CONVERGED, and is there at the end."""
        return (self.measures[:, 1, rule].reshape(-1) >= 0) & (self.final(rule) < CONVERGED)


@dataclass(frozen=True)
class Outcome:
    results: dict[str, Shown]  # the table's trial first, then the sweeps
    plies: list[int]  # of the games that were shown
    source: str  # where the games come from, in words


def claims(results: dict[str, Shown]) -> list[Claim]:
    table = next(iter(results.values()))
    return [claim for number, rule in enumerate(table.trial.rules) for claim in _claims(table, number, rule[1])]


def tables(results: dict[str, Shown]) -> list[Table]:
    table, *sweeps = results.values()
    return [_table_1(table), *([_swept(sweeps)] if sweeps else [])]


def draw(results: dict[str, Shown]) -> dict[str, Figure]:
    """Errors over the cycles at each learning rate, and the number of cycles until the error is small."""
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
    """Share that converged, cycles needed, final error, largest error: medians and the range of the runs."""
    converged, first = shown.converged(number), shown.first(number)
    needed = f"{np.median(first):.0f} ({first.min():.0f} … {first.max():.0f})" if first.size else "–"
    final, largest = shown.final(number), shown.largest(number)
    return (
        f"{converged.sum()} of {converged.size}",
        needed,
        f"{np.median(final):.3g} ({final.min():.3g} … {final.max():.3g})",
        f"{(np.abs(final - SATURATED) < 0.05).mean():.0%}",
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
