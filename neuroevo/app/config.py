"""From a Hydra config to the study that it describes. Every key and value is checked.

The fields of a study say which groups and settings it uses (`registry.PARTS`, `registry.SETTINGS`). Only these are
built, and a config that sets any other is refused. A wrong key or value raises a `ConfigError` with one line of text.
"""

import dataclasses
import netrc
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from omegaconf import DictConfig, OmegaConf
from omegaconf import errors as omega

from jaxgames.games import board_game
from jaxgames.players import PLAYERS, players_of
from neuroevo.app.errors import choose, one_line, unknown_key
from neuroevo.app.limits import check_memory, check_numbers
from neuroevo.app.registry import GROUPS, OPPONENT, PARTS, SETTINGS, load_plugins, needs, schema
from neuroevo.encoders import ENCODERS
from neuroevo.evolution import Evolution
from neuroevo.papers import Study
from neuroevo.runtime.settings import AT_LEAST, DEFAULTS, SCALES, ConfigError, RunConfig, TrackerConfig


@dataclass(frozen=True)
class Built:
    """A checked config and the objects that it describes.

    run: the settings
    study: the study with its parts
    tracker: where metrics are logged
    """

    run: RunConfig
    study: Study
    tracker: TrackerConfig


def experiments(folder: Path) -> dict[str, str]:
    """The title of every experiment in `folder`/exp, by name."""
    files = sorted((folder / "exp").glob("*.yaml"))
    return {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")).get("title", "") for file in files}


_last: tuple[str, Built] | None = None  # the config that was built last, as YAML, and the result


def built(config: DictConfig) -> Built:
    """The config with all interpolations resolved, and the objects that it describes. Raises ConfigError.

    The last result is kept, because a config is built twice: to check it before anything is written, and to run it.
    """
    global _last
    text = OmegaConf.to_yaml(config)
    if _last is None or _last[0] != text:
        run = _typed(config)
        load_plugins(run.plugins)
        study = _study(run)
        if (evolution := getattr(study, "evolution", None)) is not None:
            check_memory(evolution, run.generations or 0)
        tracker = make("tracker", run.tracker)
        if tracker.mode == "online" and not _has_wandb_key():
            raise ConfigError("tracker.mode=online needs a W&B key: run `wandb login`, or leave the mode at offline")
        _last = text, Built(run, study, tracker)
    return _last[1]


def _typed(config: DictConfig) -> RunConfig:
    """The config as typed settings. Raises ConfigError for a wrong key, type or range."""
    known = {f.name for f in dataclasses.fields(RunConfig)}
    for key in config:
        if key not in known:
            raise ConfigError(unknown_key(str(key), known))
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
    if run.study is None:
        raise ConfigError(f"no study is chosen: add study=NAME, one of {', '.join(GROUPS['study'])}")
    check_numbers("", RunConfig, {name: getattr(run, name) for name in AT_LEAST if getattr(run, name) is not None})
    for name, least in AT_LEAST.items():
        value = getattr(run, name)
        if value is not None and value < least:
            bound = "not be negative" if least == 0 else f"be at least {least}"
            raise ConfigError(f"{name} must {bound}, not {value}")
    return run


def _study(run: RunConfig) -> Study:
    """The study with its parts. Sets the defaults of settings that the study uses. Raises ConfigError."""
    name = str(run.study.get("kind"))
    kind = choose("study.kind", name, GROUPS["study"])
    used = needs(kind)
    for key in [*dict.fromkeys(group for groups in PARTS.values() for group in groups), *SETTINGS]:
        given = getattr(run, key)
        if key in used and given is None:
            if key not in DEFAULTS:
                raise ConfigError(f"study={name} needs a {key}: add {key}=NAME, one of {', '.join(GROUPS[key])}")
            setattr(run, key, DEFAULTS[key])
        elif key not in used and given is not None and key != "seed":
            raise ConfigError(f"study={name} does not use {key}: leave it out")
    parts = {f.name: _part(f.name, run) for f in dataclasses.fields(kind) if f.name in {*PARTS, *SETTINGS}}
    return make("study", run.study, **parts)


def _part(name: str, run: RunConfig) -> Any:
    """The object for a study's field of this name. Raises ConfigError."""
    if name in SETTINGS:
        return getattr(run, name)
    if name == "evolution":
        return evolution_of(run)
    return task_of(run) if name == "task" else make(name, getattr(run, name))


def evolution_of(run: RunConfig) -> Evolution:
    """The evolution that game, network, strategy and task describe. Raises ConfigError."""
    evolution = Evolution(make("strategy", run.strategy), task_of(run), run.replicas or 1, run.seed)
    try:
        evolution.check()
    except ValueError as error:
        raise ConfigError(f"strategy: {error}") from error
    return evolution


def task_of(run: RunConfig) -> Any:
    """The task that game, network and task describe. Raises ConfigError."""
    return make("task", run.task, game=make("game", run.game), network=make("network", run.network))


def make(group: str, config: dict[str, Any], **parts: Any) -> Any:
    """The object that a group's config describes. `parts`: fields that are not from the config. Raises ConfigError."""
    if not isinstance(config, dict):
        raise ConfigError(f"{group} must be one of {', '.join(GROUPS[group])}, not {config!r}")
    values = dict(config)
    name = str(values.pop("kind", None))
    kind = choose(f"{group}.kind", name, GROUPS[group])
    form = schema(name, kind)
    known = {f.name for f in dataclasses.fields(form)}
    for key in values:
        if key not in known:
            raise ConfigError(unknown_key(key, known, group))
    try:
        checked = OmegaConf.to_container(OmegaConf.merge(OmegaConf.structured(form), values))
        assert isinstance(checked, dict)
        fields: dict[str, Any] = {str(key): value for key, value in checked.items() if key != "kind"}
        fields = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
        check_numbers(f"{group}.", kind, fields)
        if "encoder" in fields:  # a task in which networks see a board
            choose(f"{group}.encoder", fields["encoder"], ENCODERS)
            parts["game"] = board_game(parts["game"])
        if OPPONENT in fields:
            fields[OPPONENT] = _opponent(f"{group}.opponent", fields[OPPONENT], parts["game"])
        made = kind(**fields, **{key: parts[key] for key in parts if key in {f.name for f in dataclasses.fields(kind)}})
    except omega.OmegaConfBaseException as error:
        raise ConfigError(f"{group}.{one_line(error)}") from error
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError(f"{group}: {error}") from error
    except (ArithmeticError, MemoryError, TypeError) as error:
        raise ConfigError(f"{group}: these values do not go together: {error}") from error
    return made


def _opponent(key: str, name: str, game: Any) -> Any:
    """The player of that name. Raises ConfigError, which lists the players of this game, for an unknown one."""
    if name not in PLAYERS:
        raise ConfigError(f"{key} must be one of {', '.join(players_of(game))}, not {name!r}")
    return PLAYERS[name](game)


def _has_wandb_key() -> bool:
    """Whether W&B finds an API key without asking the user: in the environment or in the netrc file."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    try:
        entries = netrc.netrc().hosts
    except (OSError, netrc.NetrcParseError):
        return False
    return any("wandb" in host for host in entries)
