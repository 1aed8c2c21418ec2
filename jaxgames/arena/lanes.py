"""Operations on arrays of lanes, [blocks, lanes, …]."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def lanewise(function: Callable) -> Callable:
    """A function of one lane for arrays that lead with [blocks, lanes]."""
    return jax.vmap(jax.vmap(function))


def lanewise_last(function: Callable) -> Callable:
    """As `lanewise`, but blocks and lanes are the last axes of every array: operations run along the lanes, also where
    one lane has an array.
    """
    return jax.vmap(jax.vmap(function, -1, -1), -2, -2)


def position(value: Any, among: Sequence) -> jax.Array:
    """The first index at which `among`, arrays or ints, equals `value`; the last index if none before does."""
    result = jnp.int32(len(among) - 1)
    for i in reversed(range(len(among) - 1)):
        result = jnp.where(among[i] == value, i, result)
    return result


def set_before(flags: jax.Array) -> jax.Array:
    """Int[blocks lanes]: the number of flags, Bool[blocks lanes], that are set in lanes before each one.

    Every 32 lanes are counted as bits of one integer, which costs less than a third of a running sum over all lanes
    (1.9 against 6.8 ns a lane).
    """
    blocks, lanes = flags.shape
    grouped = jnp.pad(flags, ((0, 0), (0, -lanes % 32))).reshape(blocks, -1, 32)
    bit = np.arange(32, dtype=np.uint32)
    bits = jnp.sum(jnp.where(grouped, np.uint32(1) << bit, 0), -1, dtype=jnp.uint32)
    counts = lax.population_count(bits).astype(jnp.int32)
    within = lax.population_count(bits[..., None] & ((np.uint32(1) << bit) - np.uint32(1))).astype(jnp.int32)
    return ((jnp.cumsum(counts, 1) - counts)[..., None] + within).reshape(blocks, -1)[:, :lanes]


def is_in(value: jax.Array, group: Sequence[int]) -> jax.Array:
    """Bool of the shape of `value`: whether it is one of the group."""
    result = value == group[0]
    for member in group[1:]:
        result = result | (value == member)
    return result


def by_player(seated: Sequence[jax.Array], returns: jax.Array, players: int) -> jax.Array:
    """Returns by player, Float[... players], from Float[... seats]; 0 for a player who sits nowhere. `seated`: the
    player of each seat, Int[...].
    """
    mine = [
        [jnp.where(sitter == player, returns[..., seat], 0) for seat, sitter in enumerate(seated)]
        for player in range(players)
    ]
    return jnp.stack([sum(of_seat[1:], of_seat[0]) for of_seat in mine], -1)
