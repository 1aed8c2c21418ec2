"""What the command line shows: the experiments, the results of a run, and one line for an error."""

import dataclasses
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.errors import HydraException
from omegaconf import errors as omega
from rich.console import Console
from rich.table import Table

from neuroevo.app import config
from neuroevo.app.errors import nearest, one_line, unknown_key
from neuroevo.app.registry import GROUPS, PRESETS, fields_of
from neuroevo.report import page
from neuroevo.runtime.settings import RunConfig


def conf_folder() -> Path:
    """The config folder: inside the package if it is installed, beside the package in a checkout."""
    installed = Path(__file__).parents[1] / "conf"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "conf"


def plugins(words: Sequence[str]) -> list[str]:
    """The modules that a command line names by plugins=[a,b] or plugins=a.

    They must be imported before Hydra composes the config, which may use what they register.
    """
    found = [word.partition("=")[2] for word in words if re.match(r"\+*plugins=", word)]
    return [name.strip(" '\"") for text in found for name in text.strip("[]").split(",") if name.strip(" '\"")]


def cache_folder() -> Path:
    """The folder of compiled programs, kept between runs; a temporary folder for users without a home."""
    try:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        root = Path(tempfile.gettempdir()) / f"cache_{os.getuid() if hasattr(os, 'getuid') else 'neuroevo'}"
    return root / "neuroevo" / "jax"


def list_experiments(conf: Path, console: Console) -> None:
    """Prints how to run an experiment, and every experiment with its title."""
    table = Table("experiment", "what", box=None)
    for name, title in config.experiments(conf).items():
        table.add_row(f"+exp={name}", title)
    console.print("python -m neuroevo +exp=NAME [scale=smoke|cpu|paper] [key=value …]\n", markup=False, highlight=False)
    console.print(table)


def show(results: dict[str, Any], folder: Path, console: Console) -> None:
    """Prints a table of the run's claims, its speed, and where the report is."""
    table = Table("claim", "ours (95 % interval)", "n", "verdict", title=f"{results['experiment']}: {results['paper']}")
    for claim in results["claims"]:
        table.add_row(claim["id"], page.number_text(claim), f"{claim['n']:,}", page.verdict(claim))
    console.print(table)
    speed = f"{results['games']:,} games in {results['seconds']} s ({results['games_per_second']:,} games/s)"
    console.print(f"{speed}\nreport: {folder / 'report.html'}", highlight=False, soft_wrap=True)


def explain(error: Exception, conf: Path) -> str:
    """One line for an error that Hydra or OmegaConf raised while composing."""
    cause = error.__cause__ if isinstance(error.__cause__, omega.OmegaConfBaseException) else error
    text = str(error)
    if missing := re.search(r"Could not find '(\w+)/(.*)'", text):
        group, name = missing.groups()
        groups = {**GROUPS, "exp": config.experiments(conf)}
        if group in groups:
            valid = [*groups[group], *PRESETS.get(group, {})]
            return f"there is no {group} {name!r}; the valid ones are {', '.join(valid)}"
    if absent := re.search(r"Key '\w+' not in '\w+' full_key: (\w+)\.(\w+)", " ".join(text.split())):
        group, key = absent.groups()
        return f"the experiment sets {group}.{key}, a key that the chosen {group} does not have"
    if unused := re.search(r"Could not override '(\w+)'\. No match", text):
        return f"the experiment does not use {unused[1]}: leave {unused[1]}=… out"
    if isinstance(cause, omega.ConfigKeyError | omega.ConfigAttributeError) and cause.full_key:
        return _unknown(str(cause.full_key), str(cause))
    if isinstance(cause, omega.OmegaConfBaseException):
        return one_line(cause)
    if isinstance(error, HydraException):
        return " ".join(text.split())
    return text.splitlines()[0]


def _unknown(full_key: str, text: str) -> str:
    """The line for an unknown key: the nearest valid key of the same group, of the kind that the error `text` names."""
    group, _, key = full_key.rpartition(".")
    kinds = GROUPS.get(group, {}) if group else {}
    if not kinds:
        known = {f.name for f in dataclasses.fields(RunConfig)}
        return f"there is no key {full_key}; the nearest valid one is {nearest(key, known)}"
    named = re.search(r"object_type=(\w+)Schema", text)
    chosen = {name: kind for name, kind in kinds.items() if named and kind.__name__ == named[1]} or kinds
    return unknown_key(key, {field for name in chosen for field, *_ in fields_of(name, chosen[name])}, group)
