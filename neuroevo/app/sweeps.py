"""Before and after Hydra's jobs: checks a config before anything is written, and ends a sweep with one table."""

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Transformer
from hydra.experimental.callback import Callback as HydraCallback
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from rich.table import Table

from jaxgames import files
from neuroevo.app.config import built
from neuroevo.app.registry import GROUPS, fields_of
from neuroevo.runtime.run_folder import check_folder
from neuroevo.runtime.settings import ConfigError

MARKS = {True: " ✓", False: " ✗", None: ""}  # of a claim that holds, does not hold, or is only reported


def run_folder(resume: str | None, experiment: str) -> str:
    """The folder of a single run: that of the resumed run, or outputs/<experiment>/<date_time>."""
    return str(resume) if resume else f"outputs/{experiment}/{_now()}"


def sweep_folder(experiment: str) -> str:
    """The folder of a sweep, outputs/<experiment>/<date_time>_sweep; `several` if it sweeps experiments."""
    return f"outputs/{experiment or 'several'}/{_now()}_sweep"


def _now() -> str:
    return datetime.now().strftime("%Y-%m-%d_%H-%M-%S")


class Callback(HydraCallback):
    """Hydra calls these methods. It turns a callback's exceptions into warnings, so errors exit by SystemExit."""

    def on_run_start(self, config: DictConfig, **kwargs: Any) -> None:
        """Checks the config of a single run and its folder."""
        with errors_leave():
            check_booleans(list(config.hydra.overrides.task))
            check_folder(built(_own(config)).run, Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        """Checks the config with each swept value, which it does not hold yet. Hydra checks choices of groups."""
        overrides = OverridesParser.create().parse_overrides(list(config.hydra.overrides.task))
        swept = [override for override in overrides if override.is_sweep_override()]
        with errors_leave():
            if any(override.key_or_group == "devices" for override in swept):
                raise ConfigError("devices cannot be swept: JAX starts once with one number of devices")
            if any(override.key_or_group == "exp" for override in swept):
                return  # without an experiment the config is not complete; every job checks its own
            if built(_own(config)).run.resume is not None:
                raise ConfigError("resume: a sweep cannot be resumed as a whole; resume its runs one by one")
            for override in swept:
                if override.key_or_group not in GROUPS:
                    for value in override.sweep_iterator(transformer=Transformer.identity):
                        built(_own(config, {override.key_or_group: value}))

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        """Prints the table of the sweep and writes it to sweep.txt."""
        folder = Path(config.hydra.sweep.dir)
        table = sweep_table(folder)
        Console().print(table)
        plain = Console(record=True, width=160, file=io.StringIO())
        plain.print(table)
        files.write(folder / "sweep.txt", plain.export_text())


def check_booleans(words: Sequence[str]) -> None:
    """Raises ConfigError for a number in place of true or false. OmegaConf would convert it."""
    for override in OverridesParser.create().parse_overrides(list(words)):
        group, _, key = override.key_or_group.partition(".")
        types = {
            name: kind for thing in GROUPS.get(group, {}) for name, kind, *_ in fields_of(thing, GROUPS[group][thing])
        }
        value = override.value()
        if types.get(key) is bool and isinstance(value, int | float) and not isinstance(value, bool):
            raise ConfigError(f"{override.key_or_group} must be true or false, not {value}")


def sweep_table(folder: Path) -> Table:
    """One row per finished run of a sweep: its overrides that not all runs share, its claims, its speed."""
    runs = sorted(folder.glob("*/results.json"), key=lambda path: (len(path.parent.name), path.parent.name))
    results = [json.loads(path.read_text(encoding="utf-8")) for path in runs]
    claims = list(dict.fromkeys(claim["id"] for result in results for claim in result["claims"]))
    table = Table("run", "overrides", *claims, "games/s", title=str(folder))
    common = set.intersection(*(set(result["overrides"]) for result in results)) if len(results) > 1 else set()
    for path, result in zip(runs, results, strict=True):
        ours = {claim["id"]: _cell(claim) for claim in result["claims"]}
        own = " ".join(override for override in result["overrides"] if override not in common)
        row = [path.parent.name, own, *(ours.get(claim, "") for claim in claims)]
        table.add_row(*row, f"{result['games_per_second']:,}")
    return table


def _cell(claim: dict[str, Any]) -> str:
    return f"{claim['ours']}{MARKS[claim['holds']]}"


def _own(config: DictConfig, changes: dict[str, Any] | None = None) -> DictConfig:
    """The config without Hydra's own keys, and with `changes`."""
    plain = OmegaConf.to_container(config, resolve=False)
    assert isinstance(plain, dict)
    own = OmegaConf.create({key: value for key, value in plain.items() if key != "hydra"})
    for key, value in (changes or {}).items():
        OmegaConf.update(own, key, value, force_add=True)
    return own


@contextmanager
def errors_leave() -> Iterator[None]:
    """Within the block a ConfigError ends the program with one line on stderr and exit code 1."""
    try:
        yield
    except ConfigError as error:
        print(f"neuroevo: {error}", file=sys.stderr)
        raise SystemExit(1) from error
