"""TD(λ) over many games of Pente, from records or from self-play (Muijrers 2011, section 5).

The programs learn a given number of games and return, so that the caller can save. Arrays lead with [devices,
networks]; every device runs a loop of its own and waits for no other. A step computes with as many plies as the
smallest of STRIDES that holds its game, since most games are far shorter than the longest.
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
from neuroevo.players.pente_value import ValueFunction, best
from neuroevo.td.episodes import Positions, compact_episodes
from neuroevo.td.update import Episodes, Rule

STRIDES = 16, 32, 48, 64, 128, 256, 384  # plies; the work for a game is that of the next larger one


@flax.struct.dataclass
class Learners:
    """Value networks that learn; any axes may lead.

    weights: see `networks.value.Weights`
    optimizer_state: the optimiser's state, see `td.update.Rule.start`
    """

    weights: Any
    optimizer_state: Any

    @staticmethod
    def start(rule: Rule, weights: Weights) -> "Learners":
        """Before the first update."""
        return Learners(weights, rule.start(weights))


def cut(length: Int[Array, ""], longest: int, function: Callable[[int], Any]) -> Any:
    """function(plies) for the smallest of STRIDES that holds the length; `longest` takes the place of larger ones."""
    sizes = [*(size for size in STRIDES if size < longest), longest]
    branch = jnp.searchsorted(jnp.array(sizes), length)
    return jax.lax.switch(branch, [partial(function, size) for size in sizes])


# ---------------------------------------------------------------- from records
@partial(jax.jit, static_argnames="perspective")
def learn_records(
    rule: Rule, learners: Learners, positions: Positions, order: Array, turned: Array, perspective: str
) -> tuple[Learners, Array]:
    """(the networks after learning the games positions[order] one after the other, their total errors before each
    update: Float[devices steps networks]).

    learners: [devices networks]; all networks of a device learn the same games
    positions: [devices games …]
    order: Int[devices steps], numbers of games
    turned: Int[devices steps], the symmetry of the board that each is turned by, see `episodes.symmetry`
    perspective: whose side the episodes show, one of `update.PERSPECTIVES`
    """

    def of_device(given: tuple) -> tuple[Learners, Array]:
        learners, positions, order, turned = given

        def step(learners: Learners, at: tuple) -> tuple[Learners, Array]:
            game = positions.of(at[0])

            def learned(plies: int) -> tuple[Learners, Array]:
                return learn_game(rule, learners, compact_episodes(game.begun(plies), perspective, at[1]))

            return cut(game.length, game.board.shape[0], learned)

        return jax.lax.scan(step, learners, (order, turned))

    return over_devices(partial(jax.lax.map, of_device))((learners, positions, order, turned))


def learn_game(rule: Rule, learners: Learners, seen: Episodes) -> tuple[Learners, Array]:
    """(the networks after one update by one game, their total errors before it: Float[networks]).

    learners: [networks]; `seen`: the game's episodes, [views].
    """
    game = jax.tree.map(lambda x: x[None], seen)
    weights, optimizer_state, errors = jax.vmap(
        lambda learner: rule.step(learner.weights, learner.optimizer_state, game)
    )(learners)
    return Learners(weights, optimizer_state), errors[:, 0]


# ---------------------------------------------------------------- from self-play
@dataclass(frozen=True)
class PenteSelfPlay:
    """Networks play Pente against each other and learn each game after its end (Muijrers 2011, section 5).

    learners: number of networks in a team. Two sit at a seat each and learn from its side; one has both seats and
        learns from both sides
    epsilon: share of the moves that are drawn at random

    Raises ValueError for other numbers of learners and for an epsilon that is no probability.
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
    def learn(
        self, rule: Rule, learners: Learners, streams: Array, first: Array, games: int
    ) -> tuple[Learners, "Played"]:
        """(the networks after `games` further games of every team, these games: [devices teams games …]).

        learners: [devices teams learners]
        streams: UInt32[devices teams]
        first: Int[devices], the number of the first game
        games: number of games of each team
        """

        def of_team(first: Array, given: tuple) -> tuple[Learners, Played]:
            learners, stream = given
            return jax.lax.scan(
                lambda p, number: self._one(rule, p, stream, number), learners, first + jnp.arange(games)
            )

        def of_device(given: tuple) -> tuple[Learners, Played]:
            *teams, first = given
            return jax.lax.map(partial(of_team, first), tuple(teams))

        return over_devices(partial(jax.lax.map, of_device))((learners, streams, first))

    def _one(self, rule: Rule, learners: Learners, stream: Array, number: Array) -> tuple[Learners, "Played"]:
        """One game of a team, and the team after learning it."""
        positions = self._played(learners.weights, stream, number)

        def learned(plies: int) -> tuple[Learners, Array]:
            seen = compact_episodes(positions.begun(plies), "both")
            if self.learners == 1:
                return learn_game(rule, learners, seen)
            views = jax.tree.map(lambda x: x[:, None, None], replace(seen, inputs=None))
            views = replace(views, inputs=jnp.stack([seen.inputs[None]] * self.learners))
            weights, optimizer_state, errors = jax.vmap(rule.step)(learners.weights, learners.optimizer_state, views)
            return Learners(weights, optimizer_state), errors[:, 0]

        learners, errors = cut(positions.length, self.plies, learned)
        return learners, Played(positions.moves, positions.length, positions.result, errors)

    def _played(self, weights: Weights, stream: Array, number: Array) -> Positions:
        """The positions of a game between weights[learners]."""
        rules = PenteRows(self.game)
        own = [jax.tree.map(lambda w, i=i: w[i], weights) for i in range(self.learners)]
        value_functions = [ValueFunction.of(one, self.game).values for one in own]
        record = (
            jnp.zeros((self.plies, self.game.num_actions), jnp.int8),
            jnp.zeros((self.plies, 2), jnp.int8),
            jnp.full(self.plies, -1, jnp.int16),
        )

        def ply(carry: tuple) -> tuple:
            state, record = carry
            clock = state.plies
            values = jax.lax.switch(clock % self.learners, value_functions, state)
            action = self._chosen(values, rules.empties(state), random_bits(stream, number, clock))
            after = stage(clock, rules.play, state, action)
            new = rules.board(after), after.captured.astype(jnp.int8), action.astype(jnp.int16)
            return after, jax.tree.map(lambda all_, one: all_.at[clock].set(one), record, new)

        start = rules.start(), record
        state, (boards, captures, moves) = jax.lax.while_loop(lambda carry: carry[0].over == 0, ply, start)
        return Positions(boards, captures, moves, state.plies, rules.result(state))

    def _chosen(self, values: Array, points: Array, bits: Array) -> Int[Array, ""]:
        action = best(values, points)
        if self.epsilon == 0:
            return action
        which_bits, rank_bits = more_bits(bits, 2)
        drawn = (which_bits >> 8) < jnp.uint32(self.epsilon * 2**24)
        rank = bb.scaled(rank_bits, points.sum().astype(jnp.uint32)).astype(jnp.int32)
        return jnp.where(drawn, jnp.searchsorted(jnp.cumsum(points), rank + 1).astype(jnp.int32), action)


@flax.struct.dataclass
class Played:
    """Games of self-play; all leaves lead with the same axes.

    moves: Int16[plies], −1 after the end
    length: Int32[""], number of plies
    result: Float[""], for seat 0: 1 for a win, −1 for a loss, 0 for a draw
    errors: Float[learners], each network's total error before learning the game
    """

    moves: Leaf
    length: Leaf
    result: Leaf
    errors: Leaf
