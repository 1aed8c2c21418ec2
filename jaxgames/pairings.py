"""Everybody against everybody: two sets of players as a grid of pairs, and one set among itself.

A grid is one program. When the first set moves, each of its players decides in its whole row of games at once; when the
second moves, in its whole column. So weights are shared although every pair is a different match.
"""

import math
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, UInt32

from jaxgames import core
from jaxgames.arena import Arena, Results, Schedule
from jaxgames.devices import over_devices
from jaxgames.randomness import mix

FIRST, SECOND = 0, 1


@partial(jax.jit, static_argnums=(0, 4))
def play_pairs(
    game: core.Game, first: core.Player, second: core.Player, streams: jax.Array, schedule: Schedule
) -> Results:
    """Plays `schedule` between every player of one set and every player of the other.

    Every leaf of `first` leads with [groups, players] and every leaf of `second` with [groups, others]; groups are
    independent. streams: UInt32[groups players others], so that pairs with the same stream meet the same random
    numbers. Results lead with [groups, players, others]; player 0 is of the first set.
    """
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
    """A stream of its own for each of so many pairs."""
    return mix(mix(stream) + jnp.arange(math.prod(shape), dtype=jnp.uint32)).reshape(shape)


@dataclass(frozen=True)
class CrossTable:
    """Who beats whom. Arrays [players, players]: row against column, both starting equally often."""

    names: tuple[str, ...]
    games: int  # per pair
    wins: np.ndarray
    draws: np.ndarray

    @property
    def score(self) -> np.ndarray:
        """Points per game of row against column: a win 1, a draw one half."""
        return (self.wins + self.draws / 2) / self.games

    def csv(self) -> str:
        lines = [",".join(["player", "rating", *self.names])]
        for name, rating, row in zip(self.names, ratings(self), self.score, strict=True):
            lines.append(",".join([name, f"{rating:.1f}", *(f"{x:.4f}" for x in row)]))
        return "\n".join(lines) + "\n"


def round_robin(
    game: core.Game, players: core.Player, names: tuple[str, ...], stream: jax.Array, games: int
) -> CrossTable:
    """A cross table of players of one kind: every leaf of `players` leads with [players].

    `games` per ordered pair, an even number, so that both start equally often.
    """
    grouped = jax.tree.map(lambda x: x[None], players)
    streams = pair_streams(stream, (1, len(names), len(names)))
    results = play_pairs(game, grouped, grouped, streams, Schedule(games, games))
    winner = np.asarray(results.winner)[0]
    wins = (winner == FIRST).sum(-1)
    lost = (winner == SECOND).sum(-1)
    both, draws = wins + lost.T, games - wins - lost
    off_diagonal = ~np.eye(len(names), dtype=bool)
    return CrossTable(names, 2 * games, both * off_diagonal, (draws + draws.T) * off_diagonal)


def ratings(table: CrossTable, rounds: int = 1000) -> np.ndarray:
    """Bradley–Terry strengths on the Elo scale (400 points: ten to one), mean 0, by Hunter's (2004) MM iteration.

    A draw is half a win for both. Half a game, drawn, is added to every pair, so that a player who wins or loses all
    its games has a finite rating.
    """
    count = len(table.names)
    prior = 0.5 * (1 - np.eye(count))
    points = table.score * table.games * (1 - np.eye(count)) + prior / 2
    played = points + points.T
    strength = np.ones(count)
    for _ in range(rounds):
        strength = points.sum(1) / (played / (strength[:, None] + strength[None])).sum(1)
        strength /= np.exp(np.log(strength).mean())
    return 400 * np.log10(strength)
