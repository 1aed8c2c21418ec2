"""Batches last: how a network of one position is computed for many at once.

A CPU multiplies a small weight matrix by many positions fastest where the positions are the last, contiguous axis.
A function written for trailing axes serves one position and many alike.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def batch_last(function: Callable[[Any, jax.Array], jax.Array]) -> Callable[[Any, jax.Array], jax.Array]:
    """`function(weights, x)`, in which `vmap` over x moves the new axis to the end instead of the front.

    `function` must treat all axes of x after its own as independent positions. Where the weights carry the axis too
    (a population), it is vmapped as usual.
    """
    lanes = jax.custom_batching.custom_vmap(function)

    @lanes.def_vmap
    def over_lanes(axis_size: int, batched: list, weights: Any, x: jax.Array) -> tuple[jax.Array, bool]:
        axes = jax.tree.map(lambda b: 0 if b else None, tuple(batched))
        if any(jax.tree.leaves(batched[0])):
            return jax.vmap(function, axes)(weights, x), True
        return jnp.moveaxis(function(weights, jnp.moveaxis(x, 0, -1)), -1, 0), True

    return lanes
