"""Batches last: a network that is written for one position, computed for many at once.

A CPU multiplies a small weight matrix by many positions fastest if the positions are the last, contiguous axis:

    vmap puts the positions first      x[positions, inputs]   →   weights @ x[i]  for every i
    batch_last puts them last          x[inputs, positions]   →   weights @ x     at once
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def batch_last(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`function(weights, x)`, for which `vmap` over x adds the new axis at the end instead of the front.

    `function` must treat all axes of x behind its own as independent positions; x and the result may be pytrees. If
    the weights have the new axis too (a population), `function` is vmapped as usual.
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
