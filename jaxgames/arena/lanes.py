"""Operations on arrays of lanes, [blocks, lanes, …], for the arena.

Choices among a handful are selections, not gathers: under XLA on a CPU these stay vector instructions.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxgames.xla import pick

HANDFUL = 32  # of seatings; more are looked up


def lanewise(function: Callable) -> Callable:
    return jax.vmap(jax.vmap(function))


def lanewise_last(function: Callable) -> Callable:
    """As `lanewise`, but every array's last axes are blocks and lanes, whatever comes before them. Then its operations
    run along the lanes, also for what is an array in one lane.
    """
    return jax.vmap(jax.vmap(function, -1, -1), -2, -2)


def position(value: Any, among: Sequence) -> jax.Array:
    """The index at which `value` stands in `among`; the last index if it stands nowhere else."""
    result = jnp.int32(len(among) - 1)
    for i in reversed(range(len(among) - 1)):
        result = jnp.where(among[i] == value, i, result)
    return result


def set_before(flags: jax.Array) -> jax.Array:
    """Int[blocks, lanes]: how many flags of the row are set before each one.

    Within 32 lanes by counting bits of a word, which costs less than a third of a running sum over all lanes (1.9
    against 6.8 ns).
    """
    blocks, lanes = flags.shape
    grouped = jnp.pad(flags, ((0, 0), (0, -lanes % 32))).reshape(blocks, -1, 32)
    bit = np.arange(32, dtype=np.uint32)
    words = jnp.sum(jnp.where(grouped, np.uint32(1) << bit, 0), -1, dtype=jnp.uint32)
    counts = lax.population_count(words).astype(jnp.int32)
    within = lax.population_count(words[..., None] & ((np.uint32(1) << bit) - np.uint32(1))).astype(jnp.int32)
    return ((jnp.cumsum(counts, 1) - counts)[..., None] + within).reshape(blocks, -1)[:, :lanes]


def is_in(value: jax.Array, group: Sequence[int]) -> jax.Array:
    result = value == group[0]
    for member in group[1:]:
        result = result | (value == member)
    return result


def sitters(number: jax.Array, seatings: Sequence[Sequence[int]]) -> tuple[jax.Array, ...]:
    """Per seat, who sits there in the games with these ids: game g uses seating g modulo their number."""
    turn = number % len(seatings)
    if len(seatings) > HANDFUL:
        return tuple(jnp.asarray(np.array(seatings, np.int32)[:, seat])[turn] for seat in range(len(seatings[0])))
    found = [pick(turn, [jnp.int32(seating[seat]) for seating in seatings]) for seat in range(len(seatings[0]))]
    return tuple(jnp.broadcast_to(sitter, number.shape) for sitter in found)


def by_player(seated: Sequence[jax.Array], returns: jax.Array, players: int) -> jax.Array:
    """Returns [..., seats] as [..., players]; 0 for a player who sits nowhere."""
    mine = [
        [jnp.where(sitter == player, returns[..., seat], 0) for seat, sitter in enumerate(seated)]
        for player in range(players)
    ]
    return jnp.stack([sum(of_seat[1:], of_seat[0]) for of_seat in mine], -1)
