"""Choice by value: a player judges every position that it can move to, and takes the best (Muijrers 2011, section 3.1).

Not one of the 361 positions is built. A hidden unit's input after a move is its input before it plus what changes: the
new stone, captured stones, captures, and whose move it is. Nor is an exponential computed for each: of a logistic unit

    1 / (1 + exp(−(before + change))) = 1 / (1 + exp(−before) · exp(−change))

the second factor is the same in every position. Moves that capture are few and are judged one by one.
"""

from functools import cache
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, Memoryless, State
from jaxgames.pente import AROUND, Pente, PenteState
from neuroevo.encoders import PER_CAPTURE, pente_features
from neuroevo.networks.value import Weights

PAIR = 2  # stones captured in one direction
LARGE = 30.0  # weights beyond it need the exponential of the sum: its factors might overflow
LARGEST_BEFORE = (
    87 - LARGE
)  # exp(87) is still a float32; what a unit makes of more than this changes by less than 1e-11


@cache
def _ahead(game: Pente) -> np.ndarray:
    """Int[points directions 2]: the points that a move to a point captures in each direction of AROUND. Where they are
    not on the board they mean nothing.
    """
    row, column = np.divmod(np.arange(game.num_actions), game.columns)
    steps = np.array(AROUND)[:, None] * np.arange(1, PAIR + 1)[:, None]  # [directions, 2, rows and columns]
    at = (row[:, None, None] + steps[..., 0]) * game.columns + column[:, None, None] + steps[..., 1]
    return np.clip(at, 0, game.num_actions - 1)


@flax.struct.dataclass
class Outlook:
    """What the rules say of a position to the seat to move."""

    features: Leaf  # Float[features]
    catching: tuple  # a bitboard for each direction of AROUND: where a move captures in it


def outlook(game: Pente, state: PenteState) -> Outlook:
    return Outlook(pente_features(game, state, game.to_move(state)), tuple(game.catching(state, way) for way in AROUND))


@flax.struct.dataclass
class Judge:
    """A network that judges moves, with what follows from its weights alone."""

    weights: Any  # see networks.value.Weights
    columns: Leaf  # Float[features hidden]
    factors: Leaf  # Float[hidden points]: exp(−the change by a stone)
    moderate: Leaf  # Bool[""]: no weight is beyond LARGE
    game: Pente = flax.struct.field(pytree_node=False)

    @staticmethod
    def of(weights: Weights, game: Pente) -> "Judge":
        stones = weights["hidden"][:, : game.num_actions]
        factors = jnp.exp(-jnp.clip(stones, -LARGE, LARGE))
        return Judge(weights, weights["hidden"].T, factors, jnp.all(jnp.abs(stones) <= LARGE), game)

    def values(self, seen: Outlook) -> Float[Array, "points"]:
        """The value, for the seat to move, of the position after a move to each point; where none is possible it means
        nothing.
        """

        def one(carry: tuple) -> tuple:
            left, found = carry
            point = bb.lowest(left)
            at = bb.index(point, self.game.columns)
            ways = jnp.stack([bb.any_set(bb.intersection(way, point)) for way in seen.catching])
            return bb.without(left, point), found.at[at].set(self.capturing(before, at, ways))

        before = self.before(seen.features)
        start = bb.union(*seen.catching), self.quiet(before)
        return jax.lax.while_loop(lambda carry: bb.any_set(carry[0]), one, start)[1]

    def before(self, features: Float[Array, "features"]) -> Float[Array, "hidden"]:
        """The hidden units' inputs without the new stone, the turn passed on."""
        turn = self.game.num_actions + PAIR  # the input that says whose move it is: 1 before, −1 after
        return self.weights["hidden"] @ features - 2 * self.columns[turn]

    def quiet(self, before: Float[Array, "hidden"]) -> Float[Array, "points"]:
        """Of moves that capture nothing."""
        return jax.lax.cond(self.moderate, self._by_factors, self._by_sums, before)

    def capturing(
        self, before: Float[Array, "hidden"], at: Int[Array, ""], ways: Bool[Array, "directions"]
    ) -> Float[Array, ""]:
        """Of one move that captures in these directions of AROUND: an opponent's stone was −1."""
        taken = self.columns[jnp.asarray(_ahead(self.game))[at]].sum(1)
        taken = taken + self.columns[self.game.num_actions] * (PAIR / PER_CAPTURE)
        return self.weights["output"] @ jax.nn.sigmoid(before + self.columns[at] + ways.astype(jnp.float32) @ taken)

    def _by_factors(self, before: Float[Array, "hidden"]) -> Float[Array, "points"]:
        of_position = jnp.exp(-jnp.clip(before, -LARGEST_BEFORE, LARGEST_BEFORE))
        return self.weights["output"] @ (1 / (1 + of_position[:, None] * self.factors))

    def _by_sums(self, before: Float[Array, "hidden"]) -> Float[Array, "points"]:
        stones = self.weights["hidden"][:, : self.game.num_actions]
        return self.weights["output"] @ jax.nn.sigmoid(before[:, None] + stones)


@flax.struct.dataclass
class ValuePlayer(Memoryless):
    """Moves to the position of the largest value, of equals the first. With `finishes` a move that wins at once goes
    before all others, whatever the network says.
    """

    judge: Judge
    finishes: bool = flax.struct.field(pytree_node=False, default=False)

    @staticmethod
    def of(weights: Weights, game: Pente, finishes: bool = False) -> "ValuePlayer":
        return ValuePlayer(Judge.of(weights, game), finishes)

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        game = self.judge.game
        points = game.empties(state)
        if self.finishes:
            points = bb.first_nonempty(game.tactics(state)[0], points)
        return best(self.judge.values(outlook(game, state)), bb.to_mask(points, game.columns)), memory


def best(values: Float[Array, "points"], among: Bool[Array, "points"]) -> Int[Array, ""]:
    """The first point with the largest value."""
    return jnp.argmax(jnp.where(among, values, -jnp.inf)).astype(jnp.int32)
