"""TD(λ) over many games, from records or from the networks' own play: programs that learn for a while and come back.

Everything leads with [devices, networks]. A device runs its own loop; no two wait for each other. The work of a step
depends on the length of its game, in strides: most games are far shorter than the longest.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from jaxgames import bitboard as bb
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.games.pente.rules import Pente
from jaxgames.games.pente.unbatched import PenteRows
from jaxgames.randomness import more_bits, random_bits
from jaxgames.xla import stage
from neuroevo.networks.value import Weights
from neuroevo.players.pente_value import Judge, best
from neuroevo.td.episodes import Positions, compact_episodes
from neuroevo.td.update import Episodes, Rule

STRIDES = 16, 32, 48, 64, 128, 256, 384  # plies


@flax.struct.dataclass
class Pupils:
    """Networks while they learn."""

    weights: Any  # see networks.value.Weights
    memory: Any  # of the optimiser

    @staticmethod
    def start(rule: Rule, weights: Weights) -> "Pupils":
        return Pupils(weights, rule.start(weights))


def cut(length: Int[Array, ""], longest: int, function: Callable[[int], Any]) -> Any:
    """function(plies) for the first of STRIDES that holds the length; `longest` stands for all that are larger."""
    sizes = [*(size for size in STRIDES if size < longest), longest]
    branch = jnp.searchsorted(jnp.array(sizes), length)
    return jax.lax.switch(branch, [partial(function, size) for size in sizes])


# ---------------------------------------------------------------- from records
@partial(jax.jit, static_argnames="perspective")
def study_records(
    rule: Rule, pupils: Pupils, positions: Positions, order: Array, turned: Array, perspective: str
) -> tuple[Pupils, Array]:
    """Learns the games positions[order], turned by these symmetries, one after the other. The networks of a device
    share each game, and all share the rule; pupils lead with [devices, networks], the rest with [devices].

    Returns the total errors, Float[devices steps networks], too.
    """

    def of_device(given: tuple) -> tuple[Pupils, Array]:
        pupils, positions, order, turned = given

        def step(pupils: Pupils, at: tuple) -> tuple[Pupils, Array]:
            game = positions.of(at[0])

            def learned(plies: int) -> tuple[Pupils, Array]:
                return taught(rule, pupils, compact_episodes(game.begun(plies), perspective, at[1]))

            return cut(game.length, game.board.shape[0], learned)

        return jax.lax.scan(step, pupils, (order, turned))

    return over_devices(partial(jax.lax.map, of_device))((pupils, positions, order, turned))


def taught(rule: Rule, pupils: Pupils, seen: Episodes) -> tuple[Pupils, Array]:
    """One update of some networks by a game seen from [views]."""
    game = jax.tree.map(lambda x: x[None], seen)
    weights, memory, errors = jax.vmap(lambda pupil: rule.step(pupil.weights, pupil.memory, game))(pupils)
    return Pupils(weights, memory), errors[:, 0]


# ---------------------------------------------------------------- from self-play
@dataclass(frozen=True)
class SelfPlay:
    """Networks play each other and learn every game when it is over: with two learners each has its own seat and sees
    the game from there, one learner has both seats and both sides. `epsilon`: the share of moves that are drawn.
    """

    game: Pente
    learners: int = 2
    epsilon: float = 0.0

    def __post_init__(self):
        if self.learners not in (1, 2):
            raise ValueError(f"learners must be 1 or 2, not {self.learners}")
        if not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon must be from 0 to 1, not {self.epsilon}")

    @property
    def plies(self) -> int:
        """Room for the longest game."""
        return next(size for size in STRIDES if size >= self.game.max_plies)

    @partial(jax.jit, static_argnums=(0, 5))
    def study(self, rule: Rule, pupils: Pupils, streams: Array, first: Array, games: int) -> tuple[Pupils, "Played"]:
        """So many games of every team, from number `first` on. pupils lead with [devices, teams, learners], streams
        with [devices, teams] and first with [devices].
        """

        def of_team(first: Array, given: tuple) -> tuple[Pupils, Played]:
            pupils, stream = given
            return jax.lax.scan(lambda p, number: self._one(rule, p, stream, number), pupils, first + jnp.arange(games))

        def of_device(given: tuple) -> tuple[Pupils, Played]:
            *teams, first = given
            return jax.lax.map(partial(of_team, first), tuple(teams))

        return over_devices(partial(jax.lax.map, of_device))((pupils, streams, first))

    def _one(self, rule: Rule, pupils: Pupils, stream: Array, number: Array) -> tuple[Pupils, "Played"]:
        """A game, and what is learned from it."""
        positions = self._played(pupils.weights, stream, number)

        def learned(plies: int) -> tuple[Pupils, Array]:
            seen = compact_episodes(positions.begun(plies), "both")
            if self.learners == 1:
                return taught(rule, pupils, seen)
            views = jax.tree.map(lambda x: x[:, None, None], replace(seen, inputs=None))
            views = replace(views, inputs=jnp.stack([seen.inputs[None]] * self.learners))
            weights, memory, errors = jax.vmap(rule.step)(pupils.weights, pupils.memory, views)
            return Pupils(weights, memory), errors[:, 0]

        pupils, errors = cut(positions.length, self.plies, learned)
        return pupils, Played(positions.moves, positions.length, positions.result, errors)

    def _played(self, weights: Weights, stream: Array, number: Array) -> Positions:
        """A game of networks, weights[learners]."""
        rules = PenteRows(self.game)
        own = [jax.tree.map(lambda w, i=i: w[i], weights) for i in range(self.learners)]
        judges = [Judge.of(one, self.game).values for one in own]
        record = (
            jnp.zeros((self.plies, self.game.num_actions), jnp.int8),
            jnp.zeros((self.plies, 2), jnp.int8),
            jnp.full(self.plies, -1, jnp.int16),
        )

        def ply(carry: tuple) -> tuple:
            state, record = carry
            clock = state.plies
            values = jax.lax.switch(clock % self.learners, judges, state)
            action = self._chosen(values, rules.empties(state), random_bits(stream, number, clock))
            after = stage(clock, rules.play, state, action)
            new = rules.board(after), after.captured.astype(jnp.int8), action.astype(jnp.int16)
            return after, jax.tree.map(lambda all_, one: all_.at[clock].set(one), record, new)

        start = rules.start(), record
        state, (boards, captures, moves) = jax.lax.while_loop(lambda carry: carry[0].over == 0, ply, start)
        return Positions(boards, captures, moves, state.plies, rules.result(state))

    def _chosen(self, values: Array, points: Array, word: Array) -> Int[Array, ""]:
        action = best(values, points)
        if self.epsilon == 0:
            return action
        words = more_bits(word, 2)
        drawn = (words[0] >> 8) < jnp.uint32(self.epsilon * 2**24)
        rank = bb.scaled(words[1], points.sum().astype(jnp.uint32)).astype(jnp.int32)
        return jnp.where(drawn, jnp.searchsorted(jnp.cumsum(points), rank + 1).astype(jnp.int32), action)


@flax.struct.dataclass
class Played:
    """Games of self-play; leaves lead with the games."""

    moves: Leaf  # Int16[plies], −1 after the end
    length: Leaf
    result: Leaf  # for seat 0
    errors: Leaf  # Float[learners]
