"""Logging by Weights & Biases: offline by default, without a prompt, and on disk even if the run is killed."""

import os
import re
import secrets
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, runtime_checkable

import wandb

from jaxgames import files
from neuroevo.runtime.settings import TrackerConfig

START_SECONDS, END_SECONDS = 10.0, 30.0  # longest waits for W&B when a run starts and ends; chosen by judgement
FLUSH_SECONDS = 1.0  # W&B's default is 15: a run that is killed earlier would leave nothing

os.environ.setdefault("WANDB_SILENT", "true")


@runtime_checkable
class Tracker(Protocol):
    """Where a run is logged."""

    def log(self, metrics: dict[str, float]) -> None:
        """Logs one step. `metrics` includes "generation", the axis of all curves."""
        ...

    def picture(self, name: str, path: Path) -> None:
        """Logs a picture file."""
        ...

    def page(self, name: str, html: str) -> None:
        """Logs an HTML page."""
        ...

    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None:
        """Ends the log with the run's results, by name."""
        ...


class NoTracker:
    """Logs nothing: `tracker.mode=disabled`."""

    def log(self, metrics: dict[str, float]) -> None: ...
    def picture(self, name: str, path: Path) -> None: ...
    def page(self, name: str, html: str) -> None: ...
    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None: ...


class WandbTracker:
    """A run of W&B. A resumed run has the same id."""

    def __init__(self, config: TrackerConfig, folder: Path, name: str, settings: dict[str, Any]):
        self._run = wandb.init(
            project=config.project,
            group=config.group,
            name=name,
            id=_identifier(folder / "wandb_id.txt"),
            resume="allow" if config.mode == "online" else None,
            mode=config.mode,  # type: ignore[arg-type]
            dir=folder,
            config=settings,
            settings=wandb.Settings(
                console="off",
                silent=True,
                disable_code=True,
                init_timeout=START_SECONDS,
                x_transaction_log_flush_interval=FLUSH_SECONDS,
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


class Patient:
    """A tracker whose failures are printed once and never end the run. `finish` waits at most END_SECONDS."""

    def __init__(self, tracker: Tracker):
        self._tracker = tracker

    def log(self, metrics: dict[str, float]) -> None:
        self._try(self._tracker.log, metrics)

    def picture(self, name: str, path: Path) -> None:
        self._try(self._tracker.picture, name, path)

    def page(self, name: str, html: str) -> None:
        self._try(self._tracker.page, name, html)

    def finish(self, summary: dict[str, Any], exit_code: int = 0) -> None:
        thread = Thread(target=self._try, args=(self._tracker.finish, summary, exit_code), daemon=True)
        thread.start()
        thread.join(END_SECONDS)
        if thread.is_alive():
            print(f"W&B has not answered for {END_SECONDS} s; its files are kept in the run folder", file=sys.stderr)

    def _try(self, function: Callable, *arguments: Any) -> None:
        try:
            function(*arguments)
        except Exception as error:
            print(f"W&B is left out from here on: {_reason(error)}", file=sys.stderr)
            self._tracker = NoTracker()


def start(config: TrackerConfig, folder: Path, name: str, settings: dict[str, Any]) -> Tracker:
    """The tracker of a run. W&B shows `name` and `settings`; its files are written to `folder`.

    If W&B cannot be reached it is used offline, and if that fails too, nothing is logged.
    """
    modes = {"disabled": [], "offline": ["offline"], "online": ["online", "offline"]}[config.mode]
    for mode in modes:
        try:
            return Patient(WandbTracker(replace(config, mode=mode), folder, name, settings))
        except Exception as error:
            then = "the run goes on offline" if mode == "online" else "the run goes on without it"
            print(f"W&B cannot be used {mode}: {_reason(error)}; {then}", file=sys.stderr)
    return NoTracker()


def _identifier(path: Path) -> str:
    """The run's id from the file, which is written if it does not exist."""
    try:
        kept = path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        kept = ""
    if not re.fullmatch(r"[0-9a-f]{8}", kept):
        kept = secrets.token_hex(4)
        files.write(path, kept)
    return kept


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
