"""A claim of a paper beside what a run found.

The rule that decides whether a claim holds is part of the study's code, written before any run.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from neuroevo.report.statistics import Estimate

DIGITS = 3
ROUNDING = 0.005  # of a number printed with two decimals
VERDICT = {True: "holds", False: "does not hold", None: "–"}


@dataclass(frozen=True)
class Claim:
    """`published` is the paper's number or words; `holds` is None where the rule only reports."""

    id: str
    what: str
    published: str
    rule: str
    ours: float
    interval: tuple[float, float] | None
    n: int
    holds: bool | None

    def json(self) -> dict[str, Any]:
        return asdict(self)


def from_estimate(
    id: str, what: str, published: str, rule: str, estimate: Estimate, holds: bool | np.bool_ | None
) -> Claim:
    interval = round(estimate.low, DIGITS), round(estimate.high, DIGITS)
    known = all(abs(limit) < float("inf") for limit in interval)
    verdict = None if holds is None else bool(holds)  # NumPy's bool is none for JSON
    return Claim(
        id, what, published, rule, round(estimate.value, DIGITS), interval if known else None, estimate.n, verdict
    )


def lies_above(id: str, what: str, published: str, estimate: Estimate, limit: float = 0) -> Claim:
    """Of a mean over replicas: holds if its interval lies above the limit; of a single replica nothing is said."""
    holds = estimate.low > limit if estimate.n > 1 else None
    return from_estimate(id, what, published, f"the interval over replicas lies above {limit:g}", estimate, holds)


def covers(estimate: Estimate, printed: float) -> bool:
    """Whether the interval holds a number that was printed with two decimals."""
    return estimate.low - ROUNDING <= printed <= estimate.high + ROUNDING
