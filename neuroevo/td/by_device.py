"""Networks that learn side by side, shared out over the devices: [replicas, …] ↔ [devices, networks, …]."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def by_device(tree: Any) -> Any:
    """[replicas, …] → [devices, networks, …], with the last replica again where there are too few."""
    devices = min(len(jax.devices()), len(jax.tree.leaves(tree)[0]))

    def arranged(x: Any) -> np.ndarray:
        x = np.asarray(x)
        each = -(-len(x) // devices)
        return x[np.minimum(np.arange(devices * each), len(x) - 1)].reshape(devices, each, *x.shape[1:])

    return jax.tree.map(arranged, tree)


def one_axis(x: Any, replicas: int) -> np.ndarray:
    """The inverse of `by_device`."""
    x = np.asarray(x)
    return x.reshape(-1, *x.shape[2:])[:replicas]


def on_devices(tree: Any, devices: int) -> Any:
    """A copy for each."""
    return jax.tree.map(lambda x: jnp.broadcast_to(x, (devices, *jnp.shape(x))), tree)
