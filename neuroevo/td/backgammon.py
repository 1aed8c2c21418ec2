"""TD(λ) for backgammon: one network plays both sides of a batch of games, and learns them when all are over.

The network's output is the log odds that the side which has moved wins. The target of a position is the λ-return

    G(t) = (1 − λ) (1 − V(t + 1)) + λ (1 − G(t + 1)),    G(T) = 1 if the game was won by the last play,

where the side changes from one position to the next (G. Tesauro, Temporal Difference Learning and TD-Gammon, 1995, has
the same by traces after each play). Learning is by Adam over the batch's positions in random order, once each.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Bool, Float, Int

from jaxgames import Schedule, WalkResults, play_crowd
from jaxgames.core import Leaf
from neuroevo.encoders.backgammon import place_codes
from neuroevo.networks.mlp import layers
from neuroevo.players.backgammon_population import PLACES
from neuroevo.players.backgammon_value import board_codec, inputs_of
from neuroevo.tasks import VersusPubeval
from neuroevo.tasks.round_robin import narrower

SCALE = 0.1  # of the normal distribution of the first weights


@flax.struct.dataclass
class Pupil:
    """A network while it learns; leaves may lead with replicas."""

    genome: Leaf  # Float[genes]
    memory: Any  # of the optimiser


@flax.struct.dataclass
class Lesson:
    """What a batch of games was like; leaves lead with replicas."""

    plies: Leaf  # mean
    broken: Leaf  # share of games broken off
    error: Leaf  # mean squared difference of values and targets, before learning


@dataclass(frozen=True)
class SelfTaught:
    """`games` a batch, each broken off after `ply_cap` plies, learned `minibatch` positions at a time."""

    task: VersusPubeval
    games: int = 256
    ply_cap: int = 200
    lambda_: float = 0.7
    minibatch: int = 256

    def start(self, keys: jax.Array) -> Pupil:
        genomes = SCALE * jax.vmap(lambda key: jax.random.normal(key, (self.task.genes,)))(keys)
        return Pupil(genomes, jax.vmap(optax.scale_by_adam().init)(genomes))

    @partial(jax.jit, static_argnums=0)
    def learn(self, pupils: Pupil, keys: jax.Array, streams: jax.Array, rate: jax.Array) -> tuple[Pupil, Lesson]:
        """One batch of each replica: keys[replicas], streams[replicas]."""
        results = self.play(pupils.genome, streams)
        codes = jnp.stack(jax.vmap(jax.vmap(jax.vmap(self._codes)))(results.afterstates), -1)
        return jax.vmap(self._learn, (0, 0, 0, 0, None))(pupils, keys, codes, (results.plies, results.finished), rate)

    def play(self, genomes: Float[Array, "replicas genes"], streams: jax.Array) -> WalkResults:
        crowds = self.task.crowds(genomes[:, None], pubeval=False)
        widths = narrower(self.games)
        schedule = Schedule(self.games, self.games, ((0, 0),), self.ply_cap, record_moves=True, narrower=widths)
        return play_crowd(self.task.game, crowds, streams, schedule)

    def _codes(self, board: Any) -> list[Int[Array, ""]]:
        return place_codes(board, jnp.int32(0))

    def _learn(
        self, pupil: Pupil, key: jax.Array, codes: Int[Array, "games plies places"], ends: tuple, rate: jax.Array
    ) -> tuple[Pupil, Lesson]:
        plies, finished = ends
        valid = jnp.arange(codes.shape[1]) < plies[:, None]
        seen = jax.nn.sigmoid(self._log_odds(pupil.genome, codes))
        wanted = targets(seen, plies, finished, self.lambda_)
        order = jnp.argsort(jnp.where(valid, jax.random.uniform(key, valid.shape), 2).reshape(-1))
        flat, aims = codes.reshape(-1, PLACES), wanted.reshape(-1)

        def step(number: jax.Array, carry: tuple) -> tuple:
            genome, memory = carry
            change: Any
            some = jax.lax.dynamic_slice_in_dim(order, number * self.minibatch, self.minibatch)
            gradient = jax.grad(self._loss)(genome, flat[some], aims[some])
            change, memory = optax.scale_by_adam().update(gradient, memory)
            return genome - rate * change, memory

        steps = valid.sum() // self.minibatch
        genome, memory = jax.lax.fori_loop(0, steps, step, (pupil.genome, pupil.memory))
        error = jnp.where(valid, (wanted - seen) ** 2, 0).sum() / valid.sum()
        return Pupil(genome, memory), Lesson(plies.mean(), (~finished).mean(), error)

    def _log_odds(self, genome: Float[Array, "genes"], codes: Int[Array, "*batch places"]) -> Float[Array, "*batch"]:
        seen = jnp.moveaxis(inputs_of(codes, self.task.encoding), -1, 0)
        weights = board_codec(self.task.network, self.task.encoding).decode(genome)
        return layers(weights, [seen], self.task.network.activation)[0]

    def _loss(self, genome: jax.Array, codes: jax.Array, wanted: jax.Array) -> jax.Array:
        """Mean cross entropy."""
        return optax.sigmoid_binary_cross_entropy(self._log_odds(genome, codes), wanted).mean()


def targets(
    seen: Float[Array, "games plies"],
    plies: Int[Array, "games"],
    finished: Bool[Array, "games"],
    lambda_: float,
) -> Float[Array, "games plies"]:
    """G of every position from V. A game broken off ends with what the network thinks of it. Beyond the end 1 or V."""
    ply = jnp.arange(seen.shape[1])

    def back(later: tuple, now: tuple) -> tuple[tuple, jax.Array]:
        after_value, after_target = later
        value, number = now
        onwards = (1 - lambda_) * (1 - after_value) + lambda_ * (1 - after_target)
        target = jnp.where(number < plies - 1, onwards, jnp.where(finished, 1.0, value))
        return (value, target), target

    last = jnp.zeros(len(seen)), jnp.zeros(len(seen))
    _, found = jax.lax.scan(back, last, (seen.T, ply), reverse=True)
    return found.T
