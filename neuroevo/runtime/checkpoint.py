"""Checkpoints of a run (orbax): written in one step, the newest complete one is found again after a kill.

Orbax would cast another dtype silently and take a missing template for a plain dict, so shapes and dtypes are checked
here, leaf by leaf.
"""

import logging
from pathlib import Path
from typing import Any

import jax
import numpy as np
import orbax.checkpoint as ocp

logging.getLogger("absl").setLevel(logging.ERROR)


class CheckpointError(ValueError):
    """The checkpoint does not belong to this run; the message names the leaf that differs."""


class Checkpoints:
    """The checkpoints in a folder, numbered by the generations that lie behind them; the last two are kept."""

    def __init__(self, folder: Path):
        options = ocp.CheckpointManagerOptions(max_to_keep=2, enable_async_checkpointing=False)
        handler = ocp.StandardCheckpointHandler()
        self._manager = ocp.CheckpointManager(folder.resolve(), options=options, item_handlers=handler)

    def latest(self) -> int | None:
        return self._manager.latest_step()

    def save(self, generation: int, tree: Any) -> None:
        """Saves a pytree of arrays; does nothing if this generation is saved already."""
        if generation != self.latest():
            tree = jax.tree.map(np.asarray, tree)
            self._manager.save(generation, args=ocp.args.StandardSave(tree), force=True)

    def restore(self, template: Any) -> Any:
        """The newest checkpoint, as numpy arrays in the structure of `template`.

        Raises CheckpointError if there is none, or if shapes, dtypes or structure differ from the template's.
        """
        latest = self.latest()
        if latest is None:
            raise CheckpointError("there is no checkpoint in the run folder")
        saved = self._manager.item_metadata(latest)
        shape = jax.tree.map(np.asarray, template)
        _compare(_leaves(saved), _leaves(shape))
        return self._manager.restore(latest, args=ocp.args.StandardRestore(shape))

    def close(self) -> None:
        self._manager.close()


def _leaves(tree: Any) -> dict[str, tuple[tuple[int, ...], str]]:
    """Path → (shape, dtype); orbax' metadata and flax' states name the same leaf alike."""
    flat, _ = jax.tree_util.tree_flatten_with_path(getattr(tree, "tree", tree))
    return {jax.tree_util.keystr(path, simple=True, separator="."): (tuple(x.shape), str(x.dtype)) for path, x in flat}


def _compare(saved: dict, wanted: dict) -> None:
    for path in sorted({*saved, *wanted}):
        if saved.get(path) != wanted.get(path):
            raise CheckpointError(
                f"checkpoint leaf {path} is {saved.get(path, 'absent')} but this run needs {wanted.get(path, 'none')}"
            )
