"""Batches last: how a network of one position is computed for many at once.

A CPU multiplies a small weight matrix by many positions fastest where the positions are the last, contiguous axis.
A function written for trailing axes serves one position and many alike.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def batch_last(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`function(weights, x)`, in which `vmap` over x moves the new axis to the end instead of the front.

    `function` must treat all axes of x after its own as independent positions; x and the result may be pytrees. Where
    the weights carry the axis too (a population), it is vmapped as usual.
    """
    lanes = jax.custom_batching.custom_vmap(function)

    @lanes.def_vmap
    def over_lanes(axis_size: int, batched: list, weights: Any, x: Any) -> tuple[Any, Any]:
        axes = jax.tree.map(lambda b: 0 if b else None, tuple(batched))
        if any(jax.tree.leaves(batched[0])):
            result = jax.vmap(function, axes)(weights, x)
        else:
            # leaves without the axis get it: each must have as many axes as its function expects
            last = jax.tree.map(lambda leaf, b: _to_end(leaf, b, axis_size), x, batched[1])
            result = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, -1, 0), function(weights, last))
        return result, jax.tree.map(lambda _: True, result)

    return lanes


def _to_end(leaf: jax.Array, batched: bool, size: int) -> jax.Array:
    return jnp.moveaxis(leaf, 0, -1) if batched else jnp.broadcast_to(leaf[..., None], (*leaf.shape, size))
