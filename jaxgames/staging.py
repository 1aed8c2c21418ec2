"""A wall that XLA's CPU compiler does not fuse across.

XLA on CPU computes shared values anew in every fusion that reads them; a chain of a few hundred bit operations becomes
several thousand. A conditional whose flag the compiler cannot prove is a computation of its own
(docs/decisions/002-stages.md has figures).
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import jaxpr_as_fun
from jaxtyping import Array, Int


def stage(clock: Int[Array, ""], function: Callable, *args: Any) -> Any:
    """function(*args) as a stage of its own.

    `clock` must be a scalar that is never negative, such as a loop's counter, and without a batch axis: under `vmap`
    the conditional becomes a selection and no wall. Elsewhere than on a CPU this is a plain call. What `function` hands
    on as it was goes around the conditional, which would copy it.
    """
    if jax.default_backend() != "cpu":
        return function(*args)
    given, structure = jax.tree.flatten(args)
    program, shapes = jax.make_jaxpr(lambda *flat: function(*structure.unflatten(flat)), return_shape=True)(*given)
    source = {id(variable): value for variable, value in zip(program.jaxpr.invars, given, strict=True)}
    handed_on = [source.get(id(variable)) for variable in program.jaxpr.outvars]
    new = [i for i, value in enumerate(handed_on) if value is None]
    outputs, result = jax.tree.flatten(shapes)

    def compute() -> list:
        everything = jaxpr_as_fun(program)(*given)
        return [everything[i] for i in new]

    found = jax.lax.cond(clock >= 0, compute, lambda: [jnp.zeros(outputs[i].shape, outputs[i].dtype) for i in new])
    for i, value in zip(new, found, strict=True):
        handed_on[i] = value
    return result.unflatten(handed_on)
