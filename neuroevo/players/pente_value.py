"""Players of Pente that value every position they can move to and take the best (Muijrers 2011, section 3.1).

None of the 361 positions is built. A hidden unit's input after a move is its input before the move plus what changes:
the new stone, captured stones, captures, and whose move it is. Nor does every position need its exponentials. In

    1 / (1 + exp(−(before + change))) = 1 / (1 + exp(−before) · exp(−change))

the second factor is the same in every position. Moves that capture are few and are valued one by one.
"""

from functools import cache, partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames.core import Leaf, Memory, Memoryless, State
from jaxgames.core.faults import ranked
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
    """Int[points directions 2]: the two points that a move to a point captures in each direction of AROUND.

    Where they are not on the board the numbers are arbitrary.
    """
    row, column = np.divmod(np.arange(game.num_actions), game.columns)
    steps = np.array(AROUND)[:, None] * np.arange(1, PAIR + 1)[:, None]  # [directions, 2, rows and columns]
    at = (row[:, None, None] + steps[..., 0]) * game.columns + column[:, None, None] + steps[..., 1]
    return np.clip(at, 0, game.num_actions - 1)


@flax.struct.dataclass
class ValueFunction:
    """A `ValueNetwork` that values all moves of a position at once, with what follows from its weights alone.

    weights: see `networks.value.Weights`
    columns: Float[features hidden], the hidden weights by feature
    factors: Float[hidden points], exp(−the change by a stone)
    moderate: Bool[""], whether no weight of a point is beyond ±LARGE
    rules: of the game, for one position at a time
    """

    weights: Any
    columns: Leaf
    factors: Leaf
    moderate: Leaf
    rules: PenteRows = flax.struct.field(pytree_node=False)

    @staticmethod
    def of(weights: Weights, game: Pente) -> "ValueFunction":
        """`weights` of one network."""
        stones = weights["hidden"][:, : game.num_actions]
        factors = jnp.exp(-jnp.clip(stones, -LARGE, LARGE))
        return ValueFunction(weights, weights["hidden"].T, factors, jnp.all(jnp.abs(stones) <= LARGE), PenteRows(game))

    @property
    def game(self) -> Pente:
        """The rules that the player knows."""
        return self.rules.game

    def values(self, state: RowState, reply: bool = False) -> Float[Array, "points"]:
        """The value of the position after a move to each point; where no move is possible it is arbitrary.

        It is the value for the seat to move, or with `reply` for the other seat.
        """
        before, ways = self._before(state, reply), self.rules.catching(state)

        def one(carry: tuple) -> tuple:
            left, values = carry
            row = jnp.argmax(left != 0)
            bit = left[row] & (~left[row] + 1)
            at = row * self.game.columns + jax.lax.population_count(bit - 1).astype(jnp.int32)
            value = self._capturing(before, at, (ways[:, row] & bit) != 0, reply)
            return left.at[row].set(left[row] ^ bit), values.at[at].set(value)

        start = jnp.bitwise_or.reduce(ways, axis=0), self.quiet(before, reply)
        return jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), one, start)[1]

    def _before(self, state: RowState, reply: bool) -> Float[Array, "hidden"]:
        """The hidden units' inputs without the new stone, the turn passed on."""
        seat = (state.plies + reply) % SEATS
        board = jnp.where(seat == 0, 1, -1).astype(jnp.int8) * self.rules.board(state)
        captured = jnp.where(seat == 0, state.captured, state.captured[::-1])
        return self.weights["hidden"] @ side_features(board, captured, jnp.int8(1 if reply else -1))

    def quiet(self, before: Float[Array, "hidden"], reply: bool = False) -> Float[Array, "points"]:
        """The values of moves that capture nothing, by the hidden units' inputs without the new stone."""
        return jax.lax.cond(self.moderate, partial(self._by_factors, reply), partial(self._by_sums, reply), before)

    def _capturing(
        self, before: Float[Array, "hidden"], at: Int[Array, ""], ways: Bool[Array, "directions"], reply: bool = False
    ) -> Float[Array, ""]:
        """The value of a move to point `at` that captures in these directions of AROUND.

        An opponent's stone was −1, one's own 1.
        """
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
    """Moves to the position with the largest value, of equals the first.

    With `finishes` a move that wins at once goes before all others, whatever the network says.
    """

    value_function: ValueFunction  # rates afterstates
    finishes: bool = flax.struct.field(pytree_node=False, default=False)
    reports_faults = True

    @property
    def game(self) -> Pente:
        """The rules that the player knows."""
        return self.value_function.game

    @staticmethod
    def of(weights: Weights, game: Pente, finishes: bool = False) -> "ValuePlayer":
        """`weights` of one network."""
        return ValuePlayer(ValueFunction.of(weights, game), finishes)

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(the point, no memory)."""
        return self.decide(bits, seat, state, memory)[:2]

    def decide(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory, Bool[Array, ""]]:
        """See `core.faults`: as `act`, and whether the value of a move was no finite number."""
        rules = self.value_function.rules
        rows = rules.of(state)
        points = rules.empties(rows)
        if self.finishes:
            points = first_any(rules.wins(rows, rows.plies % SEATS), points)
        values = self.value_function.values(rows)
        return best(values, points), memory, any_fault(values, points)


@flax.struct.dataclass
class TwoPlyPlayer(Memoryless):
    """Searches two plies: its own moves and the other side's replies (Muijrers 2011, section 6).

    The rules decide where a ply ends the game: a move that wins at once is made, and a move that lets the other side
    win at once only if there is no other. Otherwise the `breadth` moves with the largest values are considered, those
    first that occupy a point where the other side would win; the player makes the one whose worst reply has the
    largest value.
    """

    value_function: ValueFunction  # rates afterstates
    breadth: int = flax.struct.field(pytree_node=False, default=8)
    reports_faults = True

    @property
    def game(self) -> Pente:
        """The rules that the player knows."""
        return self.value_function.game

    @staticmethod
    def of(weights: Weights, game: Pente, breadth: int) -> "TwoPlyPlayer":
        """`weights` of one network."""
        return TwoPlyPlayer(ValueFunction.of(weights, game), breadth)

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(the point, no memory)."""
        return self.decide(bits, seat, state, memory)[:2]

    def decide(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory, Bool[Array, ""]]:
        """See `core.faults`: as `act`, and whether the value of a move or of a reply was no finite number."""
        rules = self.value_function.rules
        rows = rules.of(state)
        wins, threats = jax.vmap(rules.wins, (None, 0))(rows, (rows.plies + jnp.arange(SEATS)) % SEATS)
        among, values = first_any(wins, rules.empties(rows)), self.value_function.values(rows)

        def consider(_: int, carry: tuple) -> tuple:
            left, most, chosen, fault = carry
            action = best(values, first_any(left & threats, left))
            worst, wrong = self._worst(rules.play(rows, action))
            worst = jnp.where(jnp.any(left), worst, -jnp.inf)
            better, fault = worst > most, fault | jnp.any(left) & wrong
            return left.at[action].set(False), jnp.where(better, worst, most), jnp.where(better, action, chosen), fault

        start = among, -jnp.inf, best(values, first_any(among & threats, among)), any_fault(values, among)
        _, _, chosen, fault = jax.lax.fori_loop(0, self.breadth, consider, start)
        return chosen, memory, fault

    def _worst(self, after: RowState) -> tuple[Float[Array, ""], Bool[Array, ""]]:
        """(the value for the side that has moved, after the other side's best reply; 0, a draw, if it has no reply;
        whether the value of a reply was a fault).
        """
        rules = self.value_function.rules
        free, values = rules.empties(after), self.value_function.values(after, reply=True)
        value = jnp.where(free, ranked(values)[0], jnp.inf).min()
        lost = jnp.any(rules.wins(after, after.plies % SEATS))
        worst = jnp.where(after.over == WON, jnp.inf, jnp.where(lost, -jnp.inf, jnp.where(jnp.any(free), value, 0)))
        return worst, any_fault(values, free)


def best(values: Float[Array, "points"], among: Bool[Array, "points"]) -> Int[Array, ""]:
    """The first point with the largest value; a value that is no finite number is the worst."""
    return jnp.argmax(jnp.where(among, ranked(values)[0], -jnp.inf)).astype(jnp.int32)


def any_fault(values: Float[Array, "points"], among: Bool[Array, "points"]) -> Bool[Array, ""]:
    """Whether the value of one of these points is no finite number."""
    return jnp.any(among & ranked(values)[1])


def first_any(points: Bool[Array, "points"], others: Bool[Array, "points"]) -> Bool[Array, "points"]:
    """`points`, or `others` if there is none."""
    return jnp.where(jnp.any(points), points, others)
