"""What a config can choose, by group and name. `register` adds a user's own parts.

The groups are the registries of the packages: `GAMES` and `PLAYERS` of jaxgames, `NETWORKS`, `STRATEGIES`, `TASKS`
and `STUDIES` of neuroevo. An entry is a dataclass or a flax module; its fields are the keys that a config may set and
must have defaults.
"""

import dataclasses
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, make_dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import Any

import flax.linen as nn
from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf

from jaxgames.games import GAMES
from jaxgames.players import PLAYERS
from neuroevo.app.errors import nearest
from neuroevo.networks import NETWORKS
from neuroevo.papers import STUDIES
from neuroevo.runtime.settings import SCALES, ConfigError, RunConfig, TrackerConfig
from neuroevo.strategies import STRATEGIES
from neuroevo.tasks import TASKS
from neuroevo.td.sources import Source

GROUPS: dict[str, dict[str, type]] = {
    "game": GAMES,
    "network": NETWORKS,
    "strategy": STRATEGIES,
    "task": TASKS,
    "study": STUDIES,
    "data": {"records": Source},
    "tracker": {"wandb": TrackerConfig},
}
REGISTRIES: dict[str, dict[str, Any]] = {**GROUPS, "player": PLAYERS}

# Further choices of a group, by name: an entry (`kind`) with other values of some keys.
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "game": {
        "backgammon_alternating": {"kind": "backgammon", "opening": "alternate"},
        "atari_go_5x5": {"kind": "atari_go", "size": 5},
        "gomoku_5x5": {"kind": "gomoku", "rows": 5, "columns": 5},
        "pente_7x7": {"kind": "pente", "size": 7},
        "pente_7x7_3_seats": {"kind": "pente", "size": 7, "num_seats": 3},
        "gomoku_7x7_3_seats": {"kind": "pente", "size": 7, "num_seats": 3, "captures": False},
        "pente_rule_3x3": {"kind": "pente", "tournament_rule": "3x3"},
        "pente_rule_5x5": {"kind": "pente", "tournament_rule": "5x5"},
    },
    "network": {
        "srn": {"kind": "neurons", "memory": "own"},
        "watch": {"kind": "neurons", "memory": "all"},
        "two_inputs": {"kind": "neurons", "inputs": 2},
        "seeing_captures": {"kind": "neurons", "captures": True},
        "judge": {"kind": "mlp", "hidden": 20, "activation": "tanh"},
    },
    "strategy": {
        "hill_climbing": {"kind": "es", "mu": 1, "lambda_": 1},
        "esp_without_bursts": {"kind": "esp", "patience": 0},
    },
    "task": {
        **{f"gauntlet_from_seat_{seat}": {"kind": "gauntlet", "seats": (seat,)} for seat in range(3)},
        **{f"focus_level_{level}": {"kind": "focus", "level": level} for level in (1, 3)},
        "focus_carried": {"kind": "focus", "carried": True},
    },
    "study": {"focus_growing": {"kind": "focus", "opponents": (1, 2, 3)}},
}

# Fields of these names are built from these groups of the config. The other fields of an entry are its own keys.
PARTS: dict[str, tuple[str, ...]] = {
    "evolution": ("game", "network", "strategy", "task"),
    "task": ("game", "network", "task"),
    "game": ("game",),
    "network": ("network",),
    "data": ("data",),
}
OPPONENT = "opponent"  # a field of a task that holds a player; a config gives its name
# Fields of these names have the values of the run's own keys.
SETTINGS = "seed", "replicas", "generations", "retest_games", "sample_games"
ENTRY_POINTS = "neuroevo.plugins"


def register(group: str, name: str, thing: Any = None) -> Any:
    """Makes `thing` available to every config as `group=name`, as a function call or as a decorator of a class.

        neuroevo.register("game", "my_game", MyGame)
        @neuroevo.register("game", "my_game")

    `group` is game, player, network, strategy, task or study. A player is available wherever players have names.
    Returns `thing`. Raises ValueError for an unknown group or a name that is taken, and TypeError for a class with a
    field that has no default.
    """
    if thing is None:
        return partial(register, group, name)
    if group not in REGISTRIES:
        raise ValueError(f"there is no group {group!r}; the nearest one is {nearest(group, REGISTRIES)}")
    present = REGISTRIES[group].get(name)
    if name in PRESETS.get(group, {}) or present not in (None, thing):
        raise ValueError(f"{group} {name!r} is taken already")
    if group != "player":
        fields_of(name, thing)  # raises TypeError
    REGISTRIES[group][name] = thing
    return thing


def load_plugins(modules: Sequence[str]) -> None:
    """Imports modules that call `register`. Raises ConfigError for a module that cannot be imported.

    They are the given `modules`, which may lie in the working directory, and those that installed packages name as
    entry points of the group `neuroevo.plugins`.
    """
    for entry in entry_points(group=ENTRY_POINTS):
        _import(entry.name, entry.load)
    if modules and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    for module in modules:
        _import(module, partial(importlib.import_module, module))


def _import(name: str, load: Callable) -> None:
    try:
        load()
    except ModuleNotFoundError as error:
        if error.name == name:
            raise ConfigError(f"plugins: there is no module {name}, here or installed") from error
        raise ConfigError(f"plugins: {name} cannot be imported: {error}") from error
    except Exception as error:
        raise ConfigError(f"plugins: {name} cannot be imported: {type(error).__name__}: {error}") from error


def store() -> None:
    """Makes all groups known to Hydra, and the resolver `by_scale` known to OmegaConf."""
    known = ConfigStore.instance()
    known.store(name="schema", node=RunConfig)
    for group, kinds in GROUPS.items():
        for name, kind in kinds.items():
            known.store(group=group, name=name, node=schema(name, kind))
        for name, values in PRESETS.get(group, {}).items():
            known.store(group=group, name=name, node=schema(values["kind"], kinds[values["kind"]])(**values))
    OmegaConf.register_new_resolver("by_scale", _by_scale, replace=True)


def needs(study: type) -> tuple[str, ...]:
    """The groups and settings of a config that a study uses."""
    names = [f.name for f in dataclasses.fields(study)]
    groups = [group for name in names for group in PARTS.get(name, ())]
    settings = [name for name in names if name in SETTINGS]
    return tuple(dict.fromkeys([*groups, *settings, *(["replicas", "seed"] if "evolution" in names else [])]))


def schema(name: str, kind: type) -> type:
    """A dataclass for OmegaConf: the keys of `kind` that a config may set, and `kind`, whose default is `name`."""
    return make_dataclass(f"{kind.__name__}Schema", [("kind", str, field(default=name)), *fields_of(name, kind)])


def fields_of(name: str, kind: type) -> list[Any]:
    """The keys of `kind` in the form of `make_dataclass`. Raises TypeError for a key without a default."""
    hidden = {"parent", "name"} if issubclass(kind, nn.Module) else set()  # fields that flax adds
    fields: list[Any] = []
    for f in dataclasses.fields(kind):
        if f.name in {*hidden, *PARTS, *SETTINGS}:
            continue
        if f.name == OPPONENT:
            fields.append((f.name, str, field(default="naive")))
            continue
        if f.default is MISSING and f.default_factory is MISSING:
            raise TypeError(f"{name}: the field {f.name} of {kind.__name__} needs a default")
        default = f.default if f.default is not MISSING else f.default_factory()  # type: ignore[misc]
        if isinstance(default, tuple):  # OmegaConf has lists but no tuples
            fields.append((f.name, f.type, field(default_factory=partial(list, default))))
        else:
            fields.append((f.name, f.type, field(default=default)))
    return fields


def _by_scale(smoke: Any, cpu: Any, paper: Any, *, _root_: DictConfig) -> Any:
    """The resolver ${by_scale:smoke,cpu,paper}: the value for the scale of the run."""
    values = dict(zip(SCALES, (smoke, cpu, paper), strict=True))
    if _root_.scale not in values:
        raise ConfigError(f"scale must be one of {', '.join(SCALES)}, not {_root_.scale!r}")
    return values[_root_.scale]
