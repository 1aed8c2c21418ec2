"""The settings of a run, as plain values. `neuroevo.app.config` checks them and builds what they describe."""

from dataclasses import dataclass, field
from typing import Any

SCALES = "smoke", "cpu", "paper"


class ConfigError(ValueError):
    """A config that describes no run. The message is one line for the user."""


@dataclass(frozen=True)
class TrackerConfig:
    """How a run is logged by Weights & Biases.

    mode: offline (nothing leaves the machine), online or disabled.
    project: W&B's project.
    group: W&B's group of runs; a sweep is a group.
    """

    mode: str = "offline"
    project: str = "neuroevo"
    group: str | None = None

    def __post_init__(self):
        if self.mode not in ("offline", "online", "disabled"):
            raise ValueError(f"mode must be offline, online or disabled, not {self.mode!r}")


@dataclass
class RunConfig:
    """All settings of a run. A group or a setting that its study does not use is None.

    experiment: name of the file in conf/exp.
    paper: the publication that is reproduced.
    title: what the experiment is, in one line.
    scale: one of SCALES: for a first try, for a personal computer, as published.
    seed: from which all random numbers are derived.
    replicas: number of independent evolutions, or of networks that learn.
    generations: of evolution.
    retest_games: number of new games per champion after evolution.
    sample_games: number of games that are kept as records and pictures.
    checkpoint_every: number of generations, or of other units of work, between two checkpoints.
    resume: the folder of a run to go on with.
    devices: number of CPU devices; one per core if None.
    plugins: modules that call `neuroevo.register`.
    game, network, strategy, task, study, data, tracker: the config groups, each a dict with its `kind` and keys.
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


DEFAULTS = {"replicas": 10, "generations": 50, "retest_games": 2000, "sample_games": 6}  # of settings that a study uses
AT_LEAST = {  # the smallest value of a setting
    "seed": 0,
    "devices": 1,
    "sample_games": 0,
    "replicas": 1,
    "generations": 1,
    "retest_games": 1,
    "checkpoint_every": 1,
}
