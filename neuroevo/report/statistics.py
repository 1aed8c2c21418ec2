"""Estimates with confidence intervals, all two-sided at 95 %."""

from dataclasses import dataclass

import numpy as np
import scipy

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, from `low` to `high`, and the size `n` of its sample."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} … {self.high:.3f})"


def share(successes: int, n: int) -> Estimate:
    """A proportion with Wilson's interval."""
    interval = scipy.stats.binomtest(int(successes), int(n)).proportion_ci(LEVEL, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), int(n))


def mean(sample: np.ndarray, within: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
    """The mean of independent values with Student's interval, cut to the range `within` that a value can have.

    With a single value the interval is the whole range.
    """
    sample = np.asarray(sample, float).ravel()
    value, n = float(sample.mean()), sample.size
    half = scipy.stats.t.ppf((1 + LEVEL) / 2, n - 1) * sample.std(ddof=1) / np.sqrt(n) if n > 1 else np.inf
    return Estimate(value, float(max(value - half, within[0])), float(min(value + half, within[1])), n)


def difference(one: np.ndarray, other: np.ndarray) -> Estimate:
    """The difference of the means of two independent samples, with Welch's interval."""
    test = scipy.stats.ttest_ind(np.asarray(one, float), np.asarray(other, float), equal_var=False)
    interval = test.confidence_interval(LEVEL)
    return Estimate(float(np.mean(one) - np.mean(other)), float(interval.low), float(interval.high), len(one))


def correlation(pairs: np.ndarray, groups: np.ndarray | None = None, resamples: int = 2000) -> Estimate:
    """Pearson's coefficient of pairs[n, 2] with the percentile bootstrap's interval.

    groups: Int[n]; the pairs of one group, such as a replica, are not independent and are drawn together.
    """
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)] if groups is not None else None

    def of_drawn(drawn: np.ndarray) -> float:
        return _pearson(pairs[drawn if members is None else np.concatenate([members[i] for i in drawn])])

    value, drawable = _pearson(pairs), np.arange(len(pairs if members is None else members))
    if len(drawable) < 2:  # there is only one way to draw
        return Estimate(value, value, value, len(pairs))
    interval = scipy.stats.bootstrap(
        (drawable,),
        of_drawn,
        vectorized=False,
        n_resamples=resamples,
        method="percentile",
        confidence_level=LEVEL,
        rng=np.random.default_rng(0),  # a fixed seed, so that the interval is reproducible
    ).confidence_interval
    return Estimate(value, float(interval.low), float(interval.high), len(pairs))


def correlations_apart(one: float, n: int, other: float, m: int) -> float:
    """The difference of two independent correlations in standard deviations, by Fisher's transformation."""
    return float((np.arctanh(one) - np.arctanh(other)) / np.sqrt(1 / (n - 3) + 1 / (m - 3)))


def shares_apart(one: float, n: int, other: float, m: int) -> float:
    """The difference of two independent proportions in standard deviations, from their pooled proportion."""
    pooled = (one * n + other * m) / (n + m)
    return float((one - other) / np.sqrt(max(pooled * (1 - pooled), 1e-12) * (1 / n + 1 / m)))


def runs_too_few(wins: np.ndarray) -> float:
    """The number of runs of wins or losses that a random order has on average, minus theirs, in standard deviations.

    This is the runs test of Wald & Wolfowitz (1940); 0 if one side wins all games.
    """
    n, a = len(wins), int(wins.sum())
    if a in (0, n):
        return 0.0
    runs = 1 + int((wins[1:] != wins[:-1]).sum())
    mean = 1 + 2 * a * (n - a) / n
    return float((mean - runs) / np.sqrt(max((mean - 1) * (mean - 2) / (n - 1), 1e-12)))


def _pearson(pairs: np.ndarray) -> float:
    """Pearson's coefficient; 0 if one of the two values does not vary."""
    x, y = (pairs - pairs.mean(0)).T
    norm = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / norm) if norm > 0 else 0.0
