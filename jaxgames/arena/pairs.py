"""Plays every player of one set against every player of another; both sets may be the same.

A grid is one program. When the first set moves, each of its players decides in its whole row of games at once; when the
second set moves, in its whole column. So weights are shared although every pair is a different match.
"""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, UInt32

from jaxgames import core
from jaxgames.arena.games import Arena
from jaxgames.arena.results import Results
from jaxgames.arena.schedule import Schedule
from jaxgames.devices import over_devices
from jaxgames.randomness import mix
from jaxgames.xla import jit_by_class

FIRST, SECOND = 0, 1


def play_pairs(
    game: core.Game, first: core.Player, second: core.Player, streams: jax.Array, schedule: Schedule
) -> Results:
    """Plays `schedule` between every player of one set and every player of the other.

    first: every leaf leads with [groups, players]; these are player 0. Groups are independent.
    second: every leaf leads with [groups, others]; these are player 1.
    streams: UInt32[groups players others]; pairs with the same stream meet the same random numbers.

    Results lead with [groups, players, others]. Raises ValueError as `play_games` does.
    """
    schedule.check(game, 2)
    schedule.refuse("play_pairs", "narrower")
    return _play_pairs(game, schedule, (first, second), streams)


@jit_by_class(static_argnums=(0, 1))
def _play_pairs(game: core.Game, schedule: Schedule, sets: tuple, streams: jax.Array) -> Results:
    first, second = sets
    groups, players, _ = streams.shape
    parts = min(len(jax.devices()), players)  # the first set is shared out over the devices, the second repeated
    each = -(-players // parts)

    def split(x: jax.Array) -> jax.Array:
        padded = jnp.concatenate([x, jnp.repeat(x[:, -1:], parts * each - players, 1)], 1)
        return padded.reshape(groups * parts, each, *x.shape[2:])

    def play(first: core.Player, second: core.Player, streams: jax.Array) -> Results:
        results = Arena(game, schedule, (first, second), streams, axes=((0, 1), (0, 2))).play()
        return jax.tree.map(lambda x: x.reshape(*streams.shape, *x.shape[1:]), results)

    repeated = jax.tree.map(lambda x: jnp.repeat(x, parts, 0), second)
    results = over_devices(play)(jax.tree.map(split, first), repeated, split(streams))
    return jax.tree.map(lambda x: x.reshape(groups, parts * each, *x.shape[2:])[:, :players], results)


def pair_streams(stream: UInt32[Array, ""], shape: tuple[int, ...]) -> UInt32[Array, "*pairs"]:
    """UInt32[*shape]: a stream of its own for each pair."""
    return mix(mix(stream) + jnp.arange(math.prod(shape), dtype=jnp.uint32)).reshape(shape)
