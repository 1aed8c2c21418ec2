"""Where a study works: the loop that computes in units, saves between them, and goes on after a kill."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.monitoring
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from neuroevo.runtime.checkpoint import Checkpoints
from neuroevo.runtime.interrupts import Interrupts
from neuroevo.runtime.settings import RunConfig

Tree = TypeVar("Tree")
COMPILING = "/jax/core/compile/"  # JAX reports here how long it traced, lowered and compiled
_compiling = 0.0


def _listen(event: str, duration_secs: float, **about: Any) -> None:
    global _compiling
    if event.startswith(COMPILING):
        _compiling += duration_secs


jax.monitoring.register_event_duration_secs_listener(_listen)


@dataclass
class Lab:
    """The run's settings, its folder, and the time that its loops spent, also before it was resumed."""

    run: RunConfig
    folder: Path
    interrupts: Interrupts
    log: Callable[[dict[str, float]], None]
    seconds: float = 0.0  # computing
    compile_seconds: float = 0.0
    _names: set[str] = field(default_factory=set)

    def loop(
        self, name: str, total: int, tree: Tree, step: Callable[[int, Tree], tuple[Tree, dict[str, float], str]]
    ) -> Tree:
        """tree → step(0, tree) → step(1, …) … until `total` steps are done; goes on from the newest checkpoint.

        `tree` holds numpy arrays, which may be changed in place. A step returns the tree, metrics to be
        logged, and a note for the progress bar. Raises SystemExit after a signal, with everything saved, and
        CheckpointError for a checkpoint of another run.
        """
        if name in self._names:
            raise ValueError(f"two loops of a study are called {name}")
        self._names.add(name)
        checkpoints = Checkpoints(self.folder / "checkpoints" / name)
        try:
            return self._loop(name, total, tree, step, checkpoints)
        finally:
            checkpoints.close()

    def _loop(self, name: str, total: int, tree: Any, step: Callable, checkpoints: Checkpoints) -> Any:
        clock, first = {"seconds": np.zeros(()), "compile_seconds": np.zeros(())}, 0
        if checkpoints.latest() is not None:
            saved = checkpoints.restore(_tree(tree, clock))
            tree, clock = _untree(saved["tree"], tree), saved["clock"]
            first = checkpoints.latest() or 0
        with _progress() as progress:
            bar = progress.add_task(name, total=total, completed=first, note="")
            for number in range(first, total):
                started, compiled = time.perf_counter(), _compiling
                tree, metrics, note = step(number, tree)
                spent = time.perf_counter() - started
                compiling = min(_compiling - compiled, spent)
                clock = {
                    "seconds": clock["seconds"] + (spent - compiling),
                    "compile_seconds": clock["compile_seconds"] + compiling,
                }
                self.log(metrics)
                progress.update(bar, completed=number + 1, note=note)
                if (number + 1) % self.run.checkpoint_every == 0 or number + 1 == total or self.interrupts.signal:
                    checkpoints.save(number + 1, _tree(tree, clock))
                    if not progress.console.is_terminal:
                        progress.console.print(f"{name} {number + 1} of {total}: {note}", highlight=False)
                if self.interrupts.signal:
                    raise SystemExit(self.interrupts.exit_code)
        self.seconds += float(clock["seconds"])
        self.compile_seconds += float(clock["compile_seconds"])
        return tree


def _tree(tree: Any, clock: dict[str, np.ndarray]) -> dict[str, Any]:
    """All that a checkpoint holds, as plain dicts of arrays."""
    return {"tree": dict(_named_leaves(tree)), "clock": {name: np.asarray(value) for name, value in clock.items()}}


def _untree(saved: dict, tree: Any) -> Any:
    leaves = [np.array(saved[name]) for name, _ in _named_leaves(tree)]
    return jax.tree.unflatten(jax.tree.structure(tree), leaves)


def _named_leaves(tree: Any) -> list[tuple[str, Any]]:
    flat, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [(jax.tree_util.keystr(path, simple=True, separator="."), leaf) for path, leaf in flat]


def _progress() -> Progress:
    """A bar on a terminal; elsewhere nothing is drawn."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        disable=not console.is_terminal,
    )
