"""Claims of a paper beside the results of a run.

The rule that decides whether a claim holds is part of the study's code and was written before any run.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from neuroevo.report.statistics import Estimate

DIGITS = 3
ROUNDING = 0.005  # the largest rounding error of a number printed with two decimals
VERDICT = {True: "holds", False: "does not hold", None: "–"}


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, tested by a run.

    id: name of the claim, unique within its study
    what: what is measured
    published: the paper's number or words
    rule: when the claim holds
    ours: the measured value
    interval: its 95 % confidence interval, None if it is unbounded
    n: size of the sample
    holds: whether the rule is met; None if the number is only reported
    """

    id: str
    what: str
    published: str
    rule: str
    ours: float
    interval: tuple[float, float] | None
    n: int
    holds: bool | None

    def json(self) -> dict[str, Any]:
        """The fields by name, as they are written to results.json."""
        return asdict(self)


def from_estimate(
    id: str, what: str, published: str, rule: str, estimate: Estimate, holds: bool | np.bool_ | None
) -> Claim:
    """The claim with an estimate as its value, rounded to DIGITS decimals."""
    interval = round(estimate.low, DIGITS), round(estimate.high, DIGITS)
    known = all(abs(limit) < float("inf") for limit in interval)
    verdict = None if holds is None else bool(holds)  # JSON has no NumPy booleans
    return Claim(
        id, what, published, rule, round(estimate.value, DIGITS), interval if known else None, estimate.n, verdict
    )


def lies_above(id: str, what: str, published: str, estimate: Estimate, limit: float = 0) -> Claim:
    """The claim that a mean over replicas has its interval above `limit`; only reported if there is one replica."""
    holds = estimate.low > limit if estimate.n > 1 else None
    return from_estimate(id, what, published, f"the interval over replicas lies above {limit:g}", estimate, holds)


def covers(estimate: Estimate, printed: float) -> bool:
    """Whether the interval contains a number that was printed with two decimals."""
    return estimate.low - ROUNDING <= printed <= estimate.high + ROUNDING
