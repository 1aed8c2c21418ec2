"""The loop in which studies compute: step by step, saved between steps, resumed after a kill."""

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

from neuroevo.runtime.checkpoint import CheckpointError, Checkpoints
from neuroevo.runtime.interrupts import Interrupts
from neuroevo.runtime.settings import RunConfig

Tree = TypeVar("Tree")
COMPILING = "/jax/core/compile/"  # JAX reports the durations of tracing, lowering and compiling under this prefix
_compiling = 0.0  # seconds of compiling in this process


def _listen(event: str, duration_secs: float, **about: Any) -> None:
    global _compiling
    if event.startswith(COMPILING):
        _compiling += duration_secs


jax.monitoring.register_event_duration_secs_listener(_listen)


@dataclass
class Lab:
    """What a study computes with: the run's settings and folder, and the time of its finished loops.

    run: the settings
    folder: the run's folder
    interrupts: the signals that came
    log: receives the metrics of every step
    seconds: computing time of all loops, including the time before the run was resumed
    compile_seconds: JAX's compiling time, which `seconds` does not include
    faulty: number of genomes whose outputs or fitness were not finite
    """

    run: RunConfig
    folder: Path
    interrupts: Interrupts
    log: Callable[[dict[str, float]], None]
    seconds: float = 0.0
    compile_seconds: float = 0.0
    faulty: int = 0
    _names: set[str] = field(default_factory=set)

    def loop(
        self, name: str, total: int, tree: Tree, step: Callable[[int, Tree], tuple[Tree, dict[str, float], str]]
    ) -> Tree:
        """Applies `step` to `tree` for the numbers 0 … total − 1, from the newest checkpoint on. Returns the last tree.

        name: of the loop, for its checkpoints and the progress bar; each loop of a study has its own.
        tree: a pytree of numpy arrays, which steps may change in place.
        step: (number, tree) → (the next tree, metrics to be logged, a note for the progress bar).

        Raises ValueError for a name that is taken, SystemExit after a signal, when everything is saved, and
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
        clock, first = {"seconds": np.zeros(()), "compile_seconds": np.zeros(()), "step": np.zeros((), int)}, 0
        if (saved := checkpoints.restore(_tree(tree, clock))) is not None:
            first, content = saved
            if first > total or int(content["clock"]["step"]) != first:
                raise CheckpointError(
                    f"checkpoint {first} of {name} is none of this run, which has {total} steps there"
                )
            tree, clock = _untree(content["tree"], tree), content["clock"]
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
                    "step": np.asarray(number + 1),
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
    """The contents of a checkpoint, as plain dicts of arrays."""
    return {"tree": dict(_named_leaves(tree)), "clock": {name: np.asarray(value) for name, value in clock.items()}}


def _untree(saved: dict, tree: Any) -> Any:
    """The saved leaves in the structure of `tree`."""
    leaves = [np.array(saved[name]) for name, _ in _named_leaves(tree)]
    return jax.tree.unflatten(jax.tree.structure(tree), leaves)


def _named_leaves(tree: Any) -> list[tuple[str, Any]]:
    flat, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [(jax.tree_util.keystr(path, simple=True, separator="."), leaf) for path, leaf in flat]


def _progress() -> Progress:
    """A progress bar on stderr, disabled if that is not a terminal."""
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
