"""Intervals. All are at 95 % and two-sided."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    value: float
    low: float
    high: float
    n: int


def share(successes: int, n: int) -> Estimate:
    """A proportion with Wilson's interval."""
    interval = stats.binomtest(int(successes), int(n)).proportion_ci(LEVEL, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), int(n))


def mean(sample: np.ndarray, within: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
    """The mean of independent values with Student's interval, cut to the range `within` that a value can have.

    Of a single value the interval is the whole range.
    """
    sample = np.asarray(sample, float).ravel()
    value, n = float(sample.mean()), sample.size
    half = stats.t.ppf((1 + LEVEL) / 2, n - 1) * sample.std(ddof=1) / np.sqrt(n) if n > 1 else np.inf
    return Estimate(value, float(max(value - half, within[0])), float(min(value + half, within[1])), n)
