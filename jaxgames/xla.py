"""A wall that XLA's CPU compiler does not fuse across.

XLA on CPU computes shared values anew in every fusion that reads them; a chain of a few hundred bit operations becomes
several thousand. A conditional whose flag the compiler cannot prove is a computation of its own
(docs/decisions/002-stages.md has figures).
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

Carry = TypeVar("Carry")


def stage(clock: Int[Array, ""], function: Callable, *args: Any) -> Any:
    """function(*args) as a stage of its own.

    `clock` must be a scalar that is never negative, such as a loop's counter, and without a batch axis: under `vmap`
    the conditional becomes a selection and no wall. Elsewhere than on a CPU this is a plain call.
    """
    if jax.default_backend() != "cpu":
        return function(*args)
    function = jax.jit(function)  # so that it is traced once
    shapes = jax.eval_shape(function, *args)
    return jax.lax.cond(
        clock >= 0, lambda: function(*args), lambda: jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)
    )


def occasionally(flag: Bool[Array, ""], function: Callable[[Carry], Carry], carry: Carry) -> Carry:
    """function(carry) if `flag`, else `carry`. A loop of at most one round, as a conditional copies what it returns."""
    _, result = jax.lax.while_loop(lambda c: c[0], lambda c: (jnp.zeros_like(c[0]), function(c[1])), (flag, carry))
    return result


def choice(select: jax.Array, new: Any, old: Any) -> Any:
    def choose(a: jax.Array, b: jax.Array) -> jax.Array:
        return jnp.where(select.reshape(*select.shape, *[1] * (a.ndim - select.ndim)), a, b)

    return jax.tree.map(choose, new, old)


def pick(index: jax.Array, options: Sequence) -> Any:
    """options[index] for a handful of pytrees and an index per lane."""
    result = options[-1]
    for i in range(len(options) - 1):
        result = jax.tree.map(
            lambda a, b, i=i: jnp.where((index == i).reshape(*index.shape, *[1] * (jnp.ndim(a) - index.ndim)), a, b),
            options[i],
            result,
        )
    return result
