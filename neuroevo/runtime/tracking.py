"""Weights & Biases, without surprises: offline unless asked, no prompt, no hang, nothing lost when a run is killed."""

import os
import secrets
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import wandb

from neuroevo.runtime.settings import TrackerConfig

FLUSH_SECONDS = 1.0  # by default a run that is killed in its first 15 seconds leaves nothing

os.environ.setdefault("WANDB_SILENT", "true")


@runtime_checkable
class Tracker(Protocol):
    def log(self, metrics: dict[str, float]) -> None:
        """`metrics` includes "generation", the axis of all curves."""
        ...

    def picture(self, name: str, path: Path) -> None: ...
    def page(self, name: str, html: str) -> None: ...
    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None: ...


class NoTracker:
    """For `tracker.mode=disabled`."""

    def log(self, metrics: dict[str, float]) -> None: ...
    def picture(self, name: str, path: Path) -> None: ...
    def page(self, name: str, html: str) -> None: ...
    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None: ...


class WandbTracker:
    """One W&B run. A resumed run goes on under the same id, on its own step axis."""

    def __init__(self, config: TrackerConfig, folder: Path, name: str, settings: dict[str, Any]):
        identifier = folder / "wandb_id.txt"
        if not identifier.exists():
            identifier.write_text(secrets.token_hex(4), encoding="utf-8")
        self._run = wandb.init(
            project=config.project,
            group=config.group,
            name=name,
            id=identifier.read_text(encoding="utf-8"),
            resume="allow" if config.mode == "online" else None,
            mode=config.mode,  # type: ignore[arg-type]
            dir=folder,
            config=settings,
            settings=wandb.Settings(
                console="off", silent=True, disable_code=True, x_transaction_log_flush_interval=FLUSH_SECONDS
            ),
        )
        self._run.define_metric("generation")
        self._run.define_metric("*", step_metric="generation")

    def log(self, metrics: dict[str, float]) -> None:
        self._run.log(metrics)

    def picture(self, name: str, path: Path) -> None:
        self._run.log({name: wandb.Image(str(path))})

    def page(self, name: str, html: str) -> None:
        self._run.log({name: wandb.Html(html, inject=False)})

    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None:
        self._run.summary.update(summary)
        self._run.finish(exit_code=exit_code)


def start(config: TrackerConfig, folder: Path, name: str, settings: dict[str, Any]) -> Tracker:
    return NoTracker() if config.mode == "disabled" else WandbTracker(config, folder, name, settings)
