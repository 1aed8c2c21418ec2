"""The settings of a run, as plain values; what they mean together is checked in neuroevo/app/config.py."""

from dataclasses import dataclass, field
from typing import Any

SCALES = "smoke", "cpu", "paper"


class ConfigError(ValueError):
    """A config that no run can be made of; the message is one line for the user."""


@dataclass(frozen=True)
class TrackerConfig:
    """Weights & Biases.

    mode: offline (nothing leaves the machine), online or disabled.
    project, group: as W&B has them; a sweep is a group.
    """

    mode: str = "offline"
    project: str = "neuroevo"
    group: str | None = None

    def __post_init__(self):
        if self.mode not in ("offline", "online", "disabled"):
            raise ValueError(f"mode must be offline, online or disabled, not {self.mode!r}")


@dataclass
class RunConfig:
    """One run. A group or a setting that its study does not use is None.

    replicas: number of independent evolutions, or of networks that learn.
    generations: of evolution.
    retest_games: fresh games per champion after evolution.
    sample_games: number of games that are kept as records and pictures.
    checkpoint_every: number of generations, or of other units of work, between two checkpoints.
    resume: the folder of a run to go on with.
    devices: number of CPU devices; one per core if None.
    plugins: modules that call `neuroevo.register`.
    """

    experiment: str = ""
    paper: str = ""
    title: str = ""
    scale: str = "paper"
    seed: int = 0
    replicas: int | None = None
    generations: int | None = None
    retest_games: int | None = None
    sample_games: int | None = None
    checkpoint_every: int = 5
    resume: str | None = None
    devices: int | None = None
    plugins: list[str] = field(default_factory=list)
    game: Any = None
    network: Any = None
    strategy: Any = None
    task: Any = None
    study: Any = None
    data: Any = None
    tracker: Any = None

    def shown(self) -> dict[str, Any]:
        """The settings that the run uses, as plain values."""
        return {key: value for key, value in vars(self).items() if value not in (None, [])}


DEFAULTS = {"replicas": 10, "generations": 50, "retest_games": 2000, "sample_games": 6}  # of what a study uses
AT_LEAST = {
    "devices": 1,
    "sample_games": 0,
    "replicas": 1,
    "generations": 1,
    "retest_games": 1,
    "checkpoint_every": 1,
}
