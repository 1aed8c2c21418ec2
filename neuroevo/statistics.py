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


def mean(sample: np.ndarray) -> Estimate:
    """The mean of independent values with Student's interval; of a single value the interval is everything."""
    sample = np.asarray(sample, float).ravel()
    value, n = float(sample.mean()), sample.size
    if n < 2:
        return Estimate(value, -np.inf, np.inf, n)
    half = stats.t.ppf((1 + LEVEL) / 2, n - 1) * sample.std(ddof=1) / np.sqrt(n)
    return Estimate(value, float(value - half), float(value + half), n)
