"""What happens around Hydra's jobs: a config is checked before anything is written, and a sweep ends with one table."""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Transformer
from hydra.experimental.callback import Callback as HydraCallback
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from rich.table import Table

from neuroevo import files
from neuroevo.config import GROUPS, ConfigError, RunConfig, validate


def run_folder(resume: str | None, experiment: str) -> str:
    """Where a single run writes: the resumed run's folder, or outputs/<experiment>/<date_time>."""
    return str(resume) if resume else f"outputs/{experiment}/{_now()}"


def sweep_folder(experiment: str) -> str:
    return f"outputs/{experiment}/{_now()}_sweep"


def _now() -> str:
    return datetime.now().strftime("%Y-%m-%d_%H-%M-%S")


class Callback(HydraCallback):
    """Hydra turns a callback's exceptions into warnings, so errors leave by SystemExit."""

    def on_run_start(self, config: DictConfig, **kwargs: Any) -> None:
        run = _checked(config)
        if run.resume is not None and not Path(run.resume).is_dir():
            _fail(f"resume: there is no run folder {run.resume}")

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        """Swept values are not in the config yet: tries each of them, except for config groups, which Hydra checks."""
        run = _checked(config)
        if run.resume is not None:
            _fail("resume: a sweep cannot be resumed as a whole; resume its runs one by one")
        overrides = OverridesParser.create().parse_overrides(list(config.hydra.overrides.task))
        for override in overrides:
            if override.is_sweep_override() and override.key_or_group not in (*GROUPS, "exp"):
                for value in override.sweep_iterator(transformer=Transformer.identity):
                    _checked(config, {override.key_or_group: value})

    def on_job_start(self, config: DictConfig, **kwargs: Any) -> None:
        _checked(config)

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        folder = Path(config.hydra.sweep.dir)
        table = sweep_table(folder)
        Console().print(table)
        plain = Console(record=True, width=160, file=open("/dev/null", "w"))  # noqa: SIM115
        plain.print(table)
        files.write(folder / "sweep.txt", plain.export_text())


def sweep_table(folder: Path) -> Table:
    """One row per finished run of a sweep: its overrides, its claims, its speed."""
    runs = sorted(folder.glob("*/results.json"), key=lambda path: (len(path.parent.name), path.parent.name))
    results = [json.loads(path.read_text(encoding="utf-8")) for path in runs]
    claims = list(dict.fromkeys(claim["id"] for result in results for claim in result["claims"]))
    table = Table("run", "overrides", *claims, "games/s", title=str(folder))
    for path, result in zip(runs, results, strict=True):
        ours = {claim["id"]: _cell(claim) for claim in result["claims"]}
        overrides = path.parent / ".hydra" / "overrides.yaml"
        changed = " ".join(line.removeprefix("- ") for line in overrides.read_text(encoding="utf-8").splitlines())
        row = [path.parent.name, changed, *(ours.get(claim, "") for claim in claims)]
        table.add_row(*row, f"{result['games_per_second']:,}")
    return table


def _cell(claim: dict[str, Any]) -> str:
    return f"{claim['ours']}{ {True: ' ✓', False: ' ✗', None: ''}[claim['holds']] }"


def _checked(config: DictConfig, changes: dict[str, Any] | None = None) -> RunConfig:
    """The validated config, with some values changed; leaves with exit code 1 if it is wrong."""
    plain = OmegaConf.to_container(config, resolve=False)
    assert isinstance(plain, dict)
    own = OmegaConf.create({key: value for key, value in plain.items() if key != "hydra"})
    for key, value in (changes or {}).items():
        OmegaConf.update(own, key, value, force_add=True)
    try:
        return validate(own)
    except ConfigError as error:
        _fail(str(error))
        raise


def _fail(message: str) -> None:
    print(f"neuroevo: {message}", file=sys.stderr)
    raise SystemExit(1)
