"""What every study offers: `compute` and `conclude`."""

from typing import Any, Protocol, runtime_checkable

from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab


@runtime_checkable
class Study(Protocol):
    """One kind of experiment: a frozen dataclass whose fields say what it uses.

    Fields of some names are built from groups of the config:

    evolution: from game, network, strategy, task, replicas and seed
    task: from game, network and task
    game, network, data: from the group of the same name
    seed, replicas, generations, retest_games, sample_games: the run's own settings

    All other fields are keys of the group `study`. A study raises ValueError when it is made of parts that do not fit
    together.
    """

    def compute(self, lab: Lab) -> Any:
        """Does all long computations, in loops of the lab, which saves them. Raises ConfigError if data are missing."""
        ...

    def conclude(self, outcome: Any) -> Findings:
        """Claims, tables, figures and games from what `compute` returned. It may play a few more games."""
        ...
