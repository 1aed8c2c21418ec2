"""What happens around Hydra's jobs: a config is checked before anything is written, and a sweep ends with one table."""

import io
import json
import sys
from collections.abc import Iterator
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
from neuroevo.app.registry import GROUPS
from neuroevo.runtime.run_folder import check_folder
from neuroevo.runtime.settings import ConfigError


def run_folder(resume: str | None, experiment: str) -> str:
    """Where a single run writes: the resumed run's folder, or outputs/<experiment>/<date_time>."""
    return str(resume) if resume else f"outputs/{experiment}/{_now()}"


def sweep_folder(experiment: str) -> str:
    """Where a sweep writes; one over several experiments has a folder of that name."""
    return f"outputs/{experiment or 'several'}/{_now()}_sweep"


def _now() -> str:
    return datetime.now().strftime("%Y-%m-%d_%H-%M-%S")


class Callback(HydraCallback):
    """Hydra turns a callback's exceptions into warnings, so errors leave by SystemExit."""

    def on_run_start(self, config: DictConfig, **kwargs: Any) -> None:
        with errors_leave():
            check_folder(built(_own(config)).run, Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        """Swept values are not in the config yet: tries each of them, except for config groups, which Hydra checks."""
        overrides = OverridesParser.create().parse_overrides(list(config.hydra.overrides.task))
        swept = [override for override in overrides if override.is_sweep_override()]
        with errors_leave():
            if any(override.key_or_group == "devices" for override in swept):
                raise ConfigError("devices cannot be swept: JAX starts once with one number of devices")
            if any(override.key_or_group == "exp" for override in swept):
                return  # there is no whole config yet; every job checks its own
            if built(_own(config)).run.resume is not None:
                raise ConfigError("resume: a sweep cannot be resumed as a whole; resume its runs one by one")
            for override in swept:
                if override.key_or_group not in GROUPS:
                    for value in override.sweep_iterator(transformer=Transformer.identity):
                        built(_own(config, {override.key_or_group: value}))

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        folder = Path(config.hydra.sweep.dir)
        table = sweep_table(folder)
        Console().print(table)
        plain = Console(record=True, width=160, file=io.StringIO())
        plain.print(table)
        files.write(folder / "sweep.txt", plain.export_text())


def sweep_table(folder: Path) -> Table:
    """One row per finished run of a sweep: the overrides in which the runs differ, its claims, its speed."""
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
    return f"{claim['ours']}{ {True: ' ✓', False: ' ✗', None: ''}[claim['holds']] }"


def _own(config: DictConfig, changes: dict[str, Any] | None = None) -> DictConfig:
    """The config without Hydra's part and with some values changed."""
    plain = OmegaConf.to_container(config, resolve=False)
    assert isinstance(plain, dict)
    own = OmegaConf.create({key: value for key, value in plain.items() if key != "hydra"})
    for key, value in (changes or {}).items():
        OmegaConf.update(own, key, value, force_add=True)
    return own


@contextmanager
def errors_leave() -> Iterator[None]:
    """Ends the program with one line and exit code 1 where a config is wrong."""
    try:
        yield
    except ConfigError as error:
        print(f"neuroevo: {error}", file=sys.stderr)
        raise SystemExit(1) from error
