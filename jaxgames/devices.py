"""One loop per device.

Every device runs its own loop over its own share of the blocks, and no loop waits for another. On a CPU each core is
made a device of its own: one device leaves part of the cores idle (docs/decisions/003-devices.md has figures).
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec


def set_up(cpu_devices: int | None = None, compile_cache: Path | None = None) -> None:
    """Makes a device of every CPU core and asks for full float32 products everywhere. Call it before JAX computes.

    `cpu_devices`: number of CPU devices, by default the number of cores that this process may use. `compile_cache`: a
    folder that keeps compiled programs for the next start; the environment variable JAX_COMPILATION_CACHE_DIR takes
    precedence. Raises RuntimeError if JAX has already started with another number of CPU devices.
    """
    if compile_cache is not None and "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        jax.config.update("jax_compilation_cache_dir", str(compile_cache))
    cores = cpu_devices or _cores()
    jax.config.update("jax_num_cpu_devices", cores)
    jax.config.update("jax_default_matmul_precision", "highest")


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def over_devices(function: Callable) -> Callable:
    """`function` with the leading axis of all its arguments and results, pytrees, shared out over the devices.

    The axis is padded with copies of its last entry if the number of devices does not divide its length.
    """

    def shared(*arguments: Any) -> Any:
        devices = jax.devices()
        length = jax.tree.leaves(arguments)[0].shape[0]
        if len(devices) == 1 or length == 1:
            return function(*arguments)
        used = devices[: min(len(devices), length)]
        missing = -length % len(used)
        padded = jax.tree.map(lambda x: jnp.concatenate([x, jnp.repeat(x[-1:], missing, 0)]), arguments)
        spec = PartitionSpec("device")
        mesh = Mesh(np.array(used), ("device",))
        results = jax.shard_map(function, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)(*padded)
        return jax.tree.map(lambda x: x[:length], results)

    return shared
