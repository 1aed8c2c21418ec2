"""Choice by value: a player judges every position that it can move to, and takes the best (Muijrers 2011, section 3.1).

Not one of the 361 positions is built. A hidden unit's input after a move is its input before it plus what changes: the
new stone, captured stones, captures, and whose move it is. Nor is an exponential computed for each: of a logistic unit

    1 / (1 + exp(−(before + change))) = 1 / (1 + exp(−before) · exp(−change))

the second factor is the same in every position. Moves that capture are few and are judged one by one.
"""

from functools import cache, partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames.core import Leaf, Memory, Memoryless, State
from jaxgames.games.pente.rules import AROUND, Pente
from jaxgames.games.pente.unbatched import PAIR, SEATS, WON, PenteRows, RowState
from neuroevo.encoders.pente import PER_CAPTURE, side_features
from neuroevo.networks.value import Weights

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
class Judge:
    """A network that judges moves, with what follows from its weights alone."""

    weights: Any  # see networks.value.Weights
    columns: Leaf  # Float[features hidden]
    factors: Leaf  # Float[hidden points]: exp(−the change by a stone)
    moderate: Leaf  # Bool[""]: no weight is beyond LARGE
    rules: PenteRows = flax.struct.field(pytree_node=False)

    @staticmethod
    def of(weights: Weights, game: Pente) -> "Judge":
        stones = weights["hidden"][:, : game.num_actions]
        factors = jnp.exp(-jnp.clip(stones, -LARGE, LARGE))
        return Judge(weights, weights["hidden"].T, factors, jnp.all(jnp.abs(stones) <= LARGE), PenteRows(game))

    @property
    def game(self) -> Pente:
        return self.rules.game

    def values(self, state: RowState, reply: bool = False) -> Float[Array, "points"]:
        """The value, for the seat to move, of the position after a move to each point; where none is possible it means
        nothing. With `reply` it is the value for the other seat, which has moved before.
        """
        before, ways = self._before(state, reply), self.rules.catching(state)

        def one(carry: tuple) -> tuple:
            left, found = carry
            row = jnp.argmax(left != 0)
            bit = left[row] & (~left[row] + 1)
            at = row * self.game.columns + jax.lax.population_count(bit - 1).astype(jnp.int32)
            value = self._capturing(before, at, (ways[:, row] & bit) != 0, reply)
            return left.at[row].set(left[row] ^ bit), found.at[at].set(value)

        start = jnp.bitwise_or.reduce(ways, axis=0), self.quiet(before, reply)
        return jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), one, start)[1]

    def _before(self, state: RowState, reply: bool) -> Float[Array, "hidden"]:
        """The hidden units' inputs without the new stone, the turn passed on."""
        seat = (state.plies + reply) % SEATS
        board = jnp.where(seat == 0, 1, -1).astype(jnp.int8) * self.rules.board(state)
        captured = jnp.where(seat == 0, state.captured, state.captured[::-1])
        return self.weights["hidden"] @ side_features(board, captured, jnp.int8(1 if reply else -1))

    def quiet(self, before: Float[Array, "hidden"], reply: bool = False) -> Float[Array, "points"]:
        """Of moves that capture nothing."""
        return jax.lax.cond(self.moderate, partial(self._by_factors, reply), partial(self._by_sums, reply), before)

    def _capturing(
        self, before: Float[Array, "hidden"], at: Int[Array, ""], ways: Bool[Array, "directions"], reply: bool = False
    ) -> Float[Array, ""]:
        """Of one move that captures in these directions of AROUND: an opponent's stone was −1, one's own 1."""
        sign, count = (-1, self.game.num_actions + 1) if reply else (1, self.game.num_actions)
        taken = sign * self.columns[jnp.asarray(_ahead(self.game))[at]].sum(1)
        taken = taken + self.columns[count] * (PAIR / PER_CAPTURE)
        after = before + sign * self.columns[at] + ways.astype(jnp.float32) @ taken
        return self.weights["output"] @ jax.nn.sigmoid(after)

    def _by_factors(self, reply: bool, before: Float[Array, "hidden"]) -> Float[Array, "points"]:
        of_position = jnp.exp(-jnp.clip(before, -LARGEST_BEFORE, LARGEST_BEFORE))[:, None]
        if reply:  # of a stone −1 the factor is the inverse
            return self.weights["output"] @ (self.factors / (self.factors + of_position))
        return self.weights["output"] @ (1 / (1 + of_position * self.factors))

    def _by_sums(self, reply: bool, before: Float[Array, "hidden"]) -> Float[Array, "points"]:
        stones = self.weights["hidden"][:, : self.game.num_actions]
        return self.weights["output"] @ jax.nn.sigmoid(before[:, None] + (-stones if reply else stones))


@flax.struct.dataclass
class ValuePlayer(Memoryless):
    """Moves to the position of the largest value, of equals the first. With `finishes` a move that wins at once goes
    before all others, whatever the network says.
    """

    judge: Judge
    finishes: bool = flax.struct.field(pytree_node=False, default=False)

    @property
    def game(self) -> Pente:
        return self.judge.game

    @staticmethod
    def of(weights: Weights, game: Pente, finishes: bool = False) -> "ValuePlayer":
        return ValuePlayer(Judge.of(weights, game), finishes)

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        rules = self.judge.rules
        rows = rules.of(state)
        points = rules.empties(rows)
        if self.finishes:
            points = first_any(rules.wins(rows, rows.plies % SEATS), points)
        return best(self.judge.values(rows), points), memory


@flax.struct.dataclass
class TwoPlyPlayer(Memoryless):
    """Considers the other side's replies, too (Muijrers 2011, section 6).

    Where a ply ends the game the rules judge: a move that wins at once is made, and of others none after which the
    other side can win at once. Considered are the `breadth` moves that the network values most, of which those come
    first where the other side would win; made is the one whose worst reply the network values most.
    """

    judge: Judge
    breadth: int = flax.struct.field(pytree_node=False, default=8)

    @property
    def game(self) -> Pente:
        return self.judge.game

    @staticmethod
    def of(weights: Weights, game: Pente, breadth: int) -> "TwoPlyPlayer":
        return TwoPlyPlayer(Judge.of(weights, game), breadth)

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        rules = self.judge.rules
        rows = rules.of(state)
        wins, threats = jax.vmap(rules.wins, (None, 0))(rows, (rows.plies + jnp.arange(SEATS)) % SEATS)
        among, values = first_any(wins, rules.empties(rows)), self.judge.values(rows)

        def consider(_: int, carry: tuple) -> tuple:
            left, most, chosen = carry
            action = best(values, first_any(left & threats, left))
            worst = jnp.where(jnp.any(left), self._worst(rules.play(rows, action)), -jnp.inf)
            better = worst > most
            return left.at[action].set(False), jnp.where(better, worst, most), jnp.where(better, action, chosen)

        start = among, -jnp.inf, best(values, first_any(among & threats, among))
        return jax.lax.fori_loop(0, self.breadth, consider, start)[2], memory

    def _worst(self, after: RowState) -> Float[Array, ""]:
        """What is left to the side that has moved after the other's best reply; where there is none, a draw."""
        rules = self.judge.rules
        free = rules.empties(after)
        found = jnp.where(free, self.judge.values(after, reply=True), jnp.inf).min()
        lost = jnp.any(rules.wins(after, after.plies % SEATS))
        return jnp.where(after.over == WON, jnp.inf, jnp.where(lost, -jnp.inf, jnp.where(jnp.any(free), found, 0)))


def best(values: Float[Array, "points"], among: Bool[Array, "points"]) -> Int[Array, ""]:
    """The first point with the largest value."""
    return jnp.argmax(jnp.where(among, values, -jnp.inf)).astype(jnp.int32)


def first_any(points: Bool[Array, "points"], others: Bool[Array, "points"]) -> Bool[Array, "points"]:
    """`points`, or `others` if there is none."""
    return jnp.where(jnp.any(points), points, others)
