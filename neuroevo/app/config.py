"""From a Hydra config to the objects of a run, checked on the way.

The groups (game, network, strategy, task, study, data, tracker) are the fields of the dataclasses that they build, so a
default stands in one place. A wrong key or value ends in a `ConfigError` of one line that names the key and the nearest
valid one.
"""

import dataclasses
import difflib
import netrc
import os
from dataclasses import MISSING, field, make_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import flax.linen as nn
import yaml
from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf
from omegaconf import errors as omega

from jaxgames import AtariGo, Backgammon, Gomoku, Othello, Pente
from jaxgames.core import Rules, StoneGame
from jaxgames.players.by_name import HAND_CODED
from neuroevo import papers
from neuroevo.encoders.planes import ENCODERS
from neuroevo.evolution import Evolution
from neuroevo.networks import MDLSTM, MDRNN, MLP, Markers, Neurons, StackedMDRNN, ValueNetwork
from neuroevo.runtime.settings import SCALES, ConfigError, RunConfig, TrackerConfig
from neuroevo.strategies import ES, ESP, Coevolution, Evosax, KillMergeMutate, MarkerGA, MirroredES, Pareto
from neuroevo.tasks import (
    Focus,
    Gauntlet,
    Objectives,
    RoundRobin,
    Task,
    VersusOpponent,
    VersusOthers,
    VersusPubeval,
)
from neuroevo.td.sources import Source

TASKS = {
    "versus_opponent": VersusOpponent,
    "versus_others": VersusOthers,
    "objectives": Objectives,
    "gauntlet": Gauntlet,
    "round_robin": RoundRobin,
    "versus_pubeval": VersusPubeval,
    "focus": Focus,
}


def _task_config(kind: type) -> type:
    """The fields of a task that a user chooses: its own, with its defaults, and the opponent by name."""
    own: list[Any] = []
    for f in dataclasses.fields(kind):
        if f.name == "opponent":
            own.append(("opponent", str, field(default="naive")))
        elif f.name not in ("game", "network"):
            own.append((f.name, f.type, field(default=f.default)))
    return make_dataclass(f"{kind.__name__}Config", own, frozen=True, namespace={"task": kind})


GROUPS: dict[str, dict[str, type]] = {
    "game": {"atari_go": AtariGo, "gomoku": Gomoku, "pente": Pente, "othello": Othello, "backgammon": Backgammon},
    "network": {
        "mdrnn": MDRNN,
        "mdlstm": MDLSTM,
        "stacked_mdrnn": StackedMDRNN,
        "mlp": MLP,
        "neurons": Neurons,
        "value": ValueNetwork,
        "markers": Markers,
    },
    "strategy": {
        "es": ES,
        "coevolution": Coevolution,
        "pareto": Pareto,
        "esp": ESP,
        "marker_ga": MarkerGA,
        "evosax": Evosax,
        "kill_merge_mutate": KillMergeMutate,
        "mirrored_es": MirroredES,
    },
    "task": {name: _task_config(kind) for name, kind in TASKS.items()},
    "study": {
        "training": papers.Training,
        "coevolution": papers.Coevolution,
        "scaling": papers.Scaling,
        "transfer": papers.Transfer,
        "gauntlet": papers.Gauntlet,
        "td_single": papers.TDSingle,
        "td_training": papers.TDTraining,
        "self_play": papers.SelfPlay,
        "backgammon_scaled": papers.BackgammonScaled,
        "td_backgammon": papers.TDBackgammon,
        "focus": papers.Focus,
        "fit_bill": papers.FitBill,
    },
    "data": {"records": Source},
    "tracker": {"wandb": TrackerConfig},
}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {  # further choices of a group: a kind with some values changed
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


def register() -> None:
    """Makes the schema and the groups known to Hydra, and the resolvers to OmegaConf."""
    store = ConfigStore.instance()
    store.store(name="schema", node=RunConfig)
    for group, kinds in GROUPS.items():
        for name, kind in kinds.items():
            store.store(group=group, name=name, node=_schema(name, kind))
        for name, values in PRESETS.get(group, {}).items():
            store.store(group=group, name=name, node=_schema(values["kind"], kinds[values["kind"]])(**values))
    OmegaConf.register_new_resolver("by_scale", _by_scale, replace=True)


def experiments(folder: Path) -> dict[str, str]:
    """Name → one line, for every experiment in `folder`/exp."""
    files = sorted((folder / "exp").glob("*.yaml"))
    return {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")).get("title", "") for file in files}


def validate(config: DictConfig) -> RunConfig:
    """The config with every key and type checked and all interpolations resolved. Raises ConfigError."""
    known = {f.name for f in dataclasses.fields(RunConfig)}
    for key in config:
        if key not in known:
            raise ConfigError(_unknown(str(key), known))
    if config.scale not in SCALES:
        raise ConfigError(f"scale must be one of {', '.join(SCALES)}, not {config.scale!r}")
    try:
        values = OmegaConf.to_container(config, resolve=True)
        run = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(RunConfig), values))
    except omega.OmegaConfBaseException as error:
        raise ConfigError(one_line(error)) from error
    assert isinstance(run, RunConfig)
    if not run.experiment:
        raise ConfigError("no experiment is chosen: add +exp=NAME; without arguments the valid names are listed")
    if run.devices is not None and run.devices < 1:
        raise ConfigError(f"devices must be at least 1, not {run.devices}")
    if run.sample_games < 0:
        raise ConfigError(f"sample_games must not be negative, not {run.sample_games}")
    for name in ("replicas", "generations", "retest_games", "checkpoint_every"):
        if getattr(run, name) < 1:
            raise ConfigError(f"{name} must be at least 1, not {getattr(run, name)}")
    build(run)
    if run.tracker["mode"] == "online" and not _has_wandb_key():
        raise ConfigError("tracker.mode=online needs a W&B key: run `wandb login`, or leave the mode at offline")
    return run


def _has_wandb_key() -> bool:
    """Whether W&B would find a key without asking for one."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    try:
        entries = netrc.netrc().hosts
    except (OSError, netrc.NetrcParseError):
        return False
    return any("wandb" in host for host in entries)


def build(run: RunConfig) -> Evolution:
    """The evolution that the config describes. Raises ConfigError."""
    game, network = make("game", run.game), make("network", run.network)
    task = task_of(make("task", run.task), game, network)
    make("tracker", run.tracker)
    make("data", run.data)
    evolution = Evolution(make("strategy", run.strategy), task, run.replicas, run.seed)
    try:
        evolution.check()
    except ValueError as error:
        raise ConfigError(f"strategy: {error}") from error
    try:
        make("study", run.study).check(evolution)
    except ValueError as error:
        raise ConfigError(f"study: {error}") from error
    return evolution


def task_of(config: Any, game: Rules, network: Any) -> Task:
    """The task that one of the task group's configs describes. Raises ConfigError."""
    fields = dataclasses.asdict(config)
    if "encoder" in fields:
        _choose("task.encoder", fields["encoder"], ENCODERS)
    opponent = _choose("task.opponent", fields["opponent"], HAND_CODED) if "opponent" in fields else None
    try:
        if opponent is not None:
            if not isinstance(game, StoneGame):
                raise ValueError(
                    "game=backgammon needs task=round_robin or task=versus_pubeval, game=othello task=focus"
                )
            fields["opponent"] = opponent(game)
        return config.task(game, network, **fields)
    except ValueError as error:
        raise ConfigError(f"task: {error}") from error


def make(group: str, config: dict[str, Any]) -> Any:
    """The object that a group's config describes. Raises ConfigError."""
    if not isinstance(config, dict):
        raise ConfigError(f"{group} must be one of {', '.join(GROUPS[group])}, not {config!r}")
    values = dict(config)
    name = str(values.pop("kind", None))
    kind = _choose(f"{group}.kind", name, GROUPS[group])
    schema = _schema(name, kind)
    known = {f.name for f in dataclasses.fields(schema)}
    for key in values:
        if key not in known:
            raise ConfigError(_unknown(key, known, group))
    try:
        checked = OmegaConf.to_container(OmegaConf.merge(OmegaConf.structured(schema), values))
        assert isinstance(checked, dict)
        fields = {str(key): value for key, value in checked.items() if key != "kind"}
        return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()})
    except omega.OmegaConfBaseException as error:
        raise ConfigError(f"{group}.{one_line(error)}") from error
    except ValueError as error:
        raise ConfigError(f"{group}: {error}") from error


def _schema(name: str, kind: type) -> type:
    """A plain dataclass with the fields of `kind` that a config may set, and the name of the kind."""
    hidden = {"parent", "name"} if issubclass(kind, nn.Module) else set()  # flax's own
    fields: list[Any] = [("kind", str, field(default=name))]
    for f in dataclasses.fields(kind):
        if f.name not in hidden:
            default = f.default if f.default is not MISSING else f.default_factory()  # type: ignore[misc]
            if isinstance(default, tuple):  # OmegaConf knows lists only
                fields.append((f.name, f.type, field(default_factory=partial(list, default))))
            else:
                fields.append((f.name, f.type, field(default=default)))
    return make_dataclass(f"{kind.__name__}Schema", fields)


def one_line(error: omega.OmegaConfBaseException) -> str:
    """What is wrong with which key."""
    what = str(error).splitlines()[0]
    return f"{error.full_key}: {what}" if error.full_key else what


def _unknown(key: str, known: set[str], group: str = "") -> str:
    prefix = f"{group}." if group else ""
    return f"there is no key {prefix}{key}; the nearest valid one is {prefix}{nearest(key, known)}"


def nearest(word: str, known: Any) -> str:
    return difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)[0]


def _choose(key: str, value: str, options: dict[str, Any]) -> Any:
    if value not in options:
        raise ConfigError(f"{key} must be one of {', '.join(options)}, not {value!r}")
    return options[value]


def _by_scale(smoke: Any, cpu: Any, paper: Any, *, _root_: DictConfig) -> Any:
    """${by_scale:smoke,cpu,paper}: the value for the scale of the run."""
    values = dict(zip(SCALES, (smoke, cpu, paper), strict=True))
    if _root_.scale not in values:
        raise ConfigError(f"scale must be one of {', '.join(SCALES)}, not {_root_.scale!r}")
    return values[_root_.scale]
