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

from jaxgames import Results, Schedule, play_crowd
from jaxgames.core import Leaf
from neuroevo.encoders.backgammon import place_codes
from neuroevo.networks.mlp import layers
from neuroevo.players.backgammon_population import PLACES
from neuroevo.players.backgammon_value import board_codec, inputs_of
from neuroevo.tasks import VersusPubeval
from neuroevo.tasks.round_robin import narrower

SCALE = 0.1  # standard deviation of the first weights


@flax.struct.dataclass
class Learner:
    """A network that learns; leaves may lead with replicas.

    genome: Float[genes]
    optimizer_state: Adam's moments
    """

    genome: Leaf
    optimizer_state: Any


@flax.struct.dataclass
class BatchReport:
    """Means over a batch of games; leaves may lead with replicas.

    plies: Float[""], length of a game
    truncated: Float[""], share of games that the ply cap stopped
    error: Float[""], squared difference between values and targets, before learning
    """

    plies: Leaf
    truncated: Leaf
    error: Leaf


@dataclass(frozen=True)
class BackgammonSelfPlay:
    """Learning by self-play.

    task: whose game, network and encoding are used
    games: number of games of a batch
    ply_cap: number of plies after which a game is truncated
    lambda_: λ of the targets, from 0 to 1
    minibatch: number of positions of one step of Adam
    """

    task: VersusPubeval
    games: int = 256
    ply_cap: int = 200
    lambda_: float = 0.7
    minibatch: int = 256

    def start(self, keys: jax.Array) -> Learner:
        """A network for each of keys[replicas], with normal weights."""
        genomes = SCALE * jax.vmap(lambda key: jax.random.normal(key, (self.task.genes,)))(keys)
        return Learner(genomes, jax.vmap(optax.scale_by_adam().init)(genomes))

    @partial(jax.jit, static_argnums=0)
    def learn(
        self, learners: Learner, keys: jax.Array, streams: jax.Array, rate: jax.Array
    ) -> tuple[Learner, BatchReport]:
        """(the networks after one batch of games, what the batch was like).

        learners: [replicas]; keys[replicas]: for the order of the positions; streams: UInt32[replicas], for the games;
        rate: Float[""], Adam's learning rate.
        """
        results = self.play(learners.genome, streams)
        codes = jnp.stack(jax.vmap(jax.vmap(jax.vmap(self._codes)))(results.afterstates), -1)
        return jax.vmap(self._learn, (0, 0, 0, 0, None))(learners, keys, codes, (results.plies, results.finished), rate)

    def play(self, genomes: Float[Array, "replicas genes"], streams: jax.Array) -> Results:
        """A batch of games of each network against itself: [replicas games]."""
        populations = self.task.populations(genomes[:, None], pubeval=False)
        widths = narrower(self.games)
        schedule = Schedule(self.games, self.games, ((0, 0),), self.ply_cap, record_moves=True, narrower=widths)
        return play_crowd(self.task.game, populations, streams, schedule)

    def _codes(self, board: Any) -> list[Int[Array, ""]]:
        return place_codes(board, jnp.int32(0))

    def _learn(
        self, learner: Learner, key: jax.Array, codes: Int[Array, "games plies places"], ends: tuple, rate: jax.Array
    ) -> tuple[Learner, BatchReport]:
        plies, finished = ends
        valid = jnp.arange(codes.shape[1]) < plies[:, None]
        seen = jax.nn.sigmoid(self._log_odds(learner.genome, codes))
        wanted = targets(seen, plies, finished, self.lambda_)
        order = jnp.argsort(jnp.where(valid, jax.random.uniform(key, valid.shape), 2).reshape(-1))
        flat, aims = codes.reshape(-1, PLACES), wanted.reshape(-1)

        def step(number: jax.Array, carry: tuple) -> tuple:
            genome, optimizer_state = carry
            change: Any
            some = jax.lax.dynamic_slice_in_dim(order, number * self.minibatch, self.minibatch)
            gradient = jax.grad(self._loss)(genome, flat[some], aims[some])
            change, optimizer_state = optax.scale_by_adam().update(gradient, optimizer_state)
            return genome - rate * change, optimizer_state

        steps = valid.sum() // self.minibatch
        genome, optimizer_state = jax.lax.fori_loop(0, steps, step, (learner.genome, learner.optimizer_state))
        error = jnp.where(valid, (wanted - seen) ** 2, 0).sum() / valid.sum()
        return Learner(genome, optimizer_state), BatchReport(plies.mean(), (~finished).mean(), error)

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
    """G of every position from the values V, `seen`.

    A truncated game ends with the network's own value of its last position. Beyond a game's end the numbers mean
    nothing.
    """
    ply = jnp.arange(seen.shape[1])

    def back(later: tuple, now: tuple) -> tuple[tuple, jax.Array]:
        after_value, after_target = later
        value, number = now
        onwards = (1 - lambda_) * (1 - after_value) + lambda_ * (1 - after_target)
        target = jnp.where(number < plies - 1, onwards, jnp.where(finished, 1.0, value))
        return (value, target), target

    last = jnp.zeros(len(seen)), jnp.zeros(len(seen))
    return jax.lax.scan(back, last, (seen.T, ply), reverse=True)[1].T
