"""What JAX and XLA need to be told: stages, selections in place of gathers, and programs that depend on classes.

A stage is a barrier that XLA's CPU compiler does not fuse across. It computes shared values anew in every fusion that
reads them; a chain of a few hundred bit operations becomes several thousand. A conditional whose flag the compiler
cannot prove is a computation of its own (docs/decisions/002-stages.md has figures).
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ParamSpec, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, PyTree

Carry = TypeVar("Carry")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def stage(clock: Int[Array, ""], function: Callable, *args: Any) -> Any:
    """function(*args) as a stage of its own.

    `clock` must be a scalar that is never negative, such as a loop's counter, and without a batch axis: under `vmap`
    the conditional becomes a selection, which is no barrier. On other devices than CPUs this is a plain call.
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
    """`new` where `select`, else `old`: pytrees whose leaves lead with the axes of `select`."""

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


def structure(tree: PyTree) -> Hashable:
    """What distinguishes a pytree apart from its leaves: its tree structure and the classes of its nodes.

    JAX 0.10 takes two tree structures for equal whose nodes differ in nothing but their classes.
    """
    definition = jax.tree.structure(tree)
    return _classes(definition), definition


def _classes(definition: Any) -> tuple:
    node = definition.node_data()
    return () if node is None else (node[0], *map(_classes, definition.children()))


def jit_by_class(
    static_argnums: tuple[int, ...] = (),
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """A decorator: `jax.jit` for functions of players, games and the like, called with positional arguments.

    Arguments of different classes get programs of their own, also where `jax.jit` would run the program of one class
    for another (see `structure`).
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        def program(structures: Hashable, *args: Any) -> Result:
            return function(*args)  # type: ignore[call-arg]

        program.__name__, program.__doc__ = function.__name__, function.__doc__
        jitted = jax.jit(program, static_argnums=(0, *(number + 1 for number in static_argnums)))

        def call(*args: Any) -> Result:
            return jitted(tuple(structure(x) for i, x in enumerate(args) if i not in static_argnums), *args)

        call.__name__, call.__doc__ = function.__name__, function.__doc__
        return call  # type: ignore[return-value]

    return decorate
