"""What every study offers."""

from typing import Any, Protocol, runtime_checkable

from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab


@runtime_checkable
class Study(Protocol):
    """One kind of experiment: a frozen dataclass whose fields are what it uses.

    Fields of these names are built from a config's groups: `evolution` (game, network, strategy, task, replicas,
    seed), `task` (game, network, task), `game`, `network`, `data`. Fields named seed, replicas, generations,
    retest_games and sample_games have the run's values. All others are keys of the group `study`. What does not fit
    together raises ValueError when the study is made.
    """

    def compute(self, lab: Lab) -> Any:
        """All that takes long, in loops of the lab, which saves it. Raises ConfigError where data are missing."""
        ...

    def conclude(self, outcome: Any) -> Findings:
        """What `compute` returned, as claims, tables, figures and games. It may play a few games more."""
        ...
