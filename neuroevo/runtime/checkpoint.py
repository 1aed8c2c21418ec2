"""Checkpoints of a run (orbax). They are written atomically, so that the newest one is complete even after a kill.

Orbax casts other dtypes silently and accepts a template of another structure. So shapes and dtypes are compared here,
leaf by leaf.
"""

import logging
import sys
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
import orbax.checkpoint as ocp

logging.getLogger("absl").setLevel(logging.ERROR)


class CheckpointError(ValueError):
    """The checkpoint does not fit this run. The message names the first leaf that differs."""


class SaveError(OSError):
    """A checkpoint cannot be written. The message names the folder."""


class Checkpoints:
    """The checkpoints in a folder, numbered by the completed steps. The last two are kept."""

    def __init__(self, folder: Path):
        self._folder = folder.resolve()
        self._open()

    def _open(self) -> None:
        options = ocp.CheckpointManagerOptions(max_to_keep=2, enable_async_checkpointing=False)
        handler = ocp.StandardCheckpointHandler()
        self._manager = ocp.CheckpointManager(self._folder, options=options, item_handlers=handler)

    def latest(self) -> int | None:
        """The number of the newest checkpoint, damaged or not; None if there is none."""
        return self._manager.latest_step()

    def save(self, number: int, tree: Any) -> None:
        """Saves a pytree of arrays as checkpoint `number`, unless it is the newest already.

        Raises SaveError if the folder cannot be written, for example because the disk is full.
        """
        if number == self.latest():
            return
        try:
            tree = jax.tree.map(np.asarray, tree)
            self._manager.save(number, args=ocp.args.StandardSave(tree), force=True)
        except Exception as error:  # orbax and tensorstore raise errors of many classes
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise SaveError(f"checkpoint {number} cannot be written to {self._folder}: {reason}") from error

    def restore(self, template: Any) -> tuple[int, Any] | None:
        """(number, tree) of the newest undamaged checkpoint; None if there is no checkpoint.

        The tree has numpy arrays in the structure of `template`. Damaged checkpoints are named on stderr and renamed.
        Raises CheckpointError if all are damaged, or if shapes, dtypes or structure differ from the template's.
        """
        shape, damaged = jax.tree.map(np.asarray, template), []
        for number in sorted(self._manager.all_steps(), reverse=True):
            try:
                saved = _leaves(self._manager.item_metadata(number))
                self._manager.restore(number, args=ocp.args.StandardRestore())
            except (
                Exception
            ) as error:  # orbax and tensorstore raise errors of many classes for missing or truncated files
                damaged.append(number)
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                print(f"checkpoint {number} in {self._folder} is damaged and left out: {reason}", file=sys.stderr)
                continue
            _compare(saved, _leaves(shape))
            self._put_aside(damaged)
            return number, jax.tree.map(np.asarray, self._manager.restore(number, args=ocp.args.StandardRestore(shape)))
        if damaged:
            raise CheckpointError(f"no checkpoint in {self._folder} is whole")
        return None

    def _put_aside(self, numbers: list[int]) -> None:
        """Renames damaged checkpoints, so that their numbers can be saved again."""
        for number in numbers:
            (self._folder / str(number)).rename(self._folder / f"{number}.damaged_{time.time_ns()}")
        if numbers:
            self._manager.close()
            self._open()

    def close(self) -> None:
        """Ends orbax' work on the folder."""
        self._manager.close()


def _leaves(tree: Any) -> dict[str, tuple[tuple[int, ...], str]]:
    """(shape, dtype) of every leaf by its path, which is the same in orbax' metadata and in flax' states."""
    flat, _ = jax.tree_util.tree_flatten_with_path(getattr(tree, "tree", tree))
    return {jax.tree_util.keystr(path, simple=True, separator="."): (tuple(x.shape), str(x.dtype)) for path, x in flat}


def _compare(saved: dict, wanted: dict) -> None:
    for path in sorted({*saved, *wanted}):
        if saved.get(path) != wanted.get(path):
            raise CheckpointError(
                f"checkpoint leaf {path} is {saved.get(path, 'absent')} but this run needs {wanted.get(path, 'none')}"
            )
