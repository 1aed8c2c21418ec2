"""The settings of a run, as plain values; what they mean together is checked in neuroevo/app/config.py."""

from dataclasses import dataclass
from typing import Any

SCALES = "smoke", "cpu", "paper"


class ConfigError(ValueError):
    """A config that no run can be made of; the message is one line for the user."""


@dataclass(frozen=True)
class TrackerConfig:
    """Weights & Biases. `mode`: offline (nothing leaves the machine), online or disabled."""

    mode: str = "offline"
    project: str = "neuroevo"
    group: str | None = None

    def __post_init__(self):
        if self.mode not in ("offline", "online", "disabled"):
            raise ValueError(f"mode must be offline, online or disabled, not {self.mode!r}")


@dataclass
class RunConfig:
    experiment: str = ""
    paper: str = ""
    title: str = ""
    scale: str = "paper"
    seed: int = 0
    replicas: int = 10
    generations: int = 50
    retest_games: int = 2000  # fresh games per champion after evolution
    sample_games: int = 6  # games that are kept as records and pictures
    checkpoint_every: int = 5  # generations, or other units of work
    resume: str | None = None  # a run folder
    devices: int | None = None  # CPU devices; one per core if null
    game: Any = None
    network: Any = None
    strategy: Any = None
    task: Any = None
    study: Any = None
    data: Any = None
    tracker: Any = None
