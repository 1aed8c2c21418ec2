"""What every study offers."""

from typing import Protocol, runtime_checkable

from neuroevo.evolution import Evolution
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab


@runtime_checkable
class Study(Protocol):
    """One kind of experiment. Its fields are what a config may choose about it."""

    def check(self, evolution: Evolution) -> None:
        """Raises ValueError if the study cannot work with this game, network, task or strategy."""
        ...

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        """Computes, in loops of the lab, and concludes. Figures go to the lab's folder."""
        ...
