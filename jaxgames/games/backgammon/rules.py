"""Backgammon, one game for money without the doubling cube: 15 checkers a side, two dice, first to bear all off wins.

Each seat moves its checkers from its 24-point to its 1-point and then off; a checker that is hit starts again from the
bar. The rules are the usual ones: checkers on the bar first; both dice are used if possible, or the higher one if
either can be used but not both; doubles are four moves, as many as possible; and a higher die than needed bears off
from the rearmost point only. A seat that cannot move passes, which is a play like any other. Boards: see `board`;
plays: see `plays`.

A win counts 1 point, 2 if the loser has borne off no checker (gammon), and 3 if one of the loser's checkers then stands
on the bar or in the winner's home board (backgammon). Returns are points / 3.

The first roll: with `opening="roll"` each seat throws one die, equal ones again, and the seat with the higher one plays
both; with `opening="alternate"` seat 0 starts, by any roll, and players take turns to sit there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns
from jaxgames.games.backgammon import plays
from jaxgames.games.backgammon.board import BAR, LOCATIONS, OFF, Board, all_off, board_of, occupied, turned
from jaxgames.games.backgammon.plays import Roll, Step, Walk

SIDES = 6  # of a die
START = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(LOCATIONS))  # the checkers of either side
NOBODY = -1  # to move, before the first roll
OPENINGS = "roll", "alternate"
MOST_POINTS = 3
FAR_BITS = (1 << 7) - 1  # own bar and the winner's home board: a checker there at the end loses a backgammon


@flax.struct.dataclass
class BackgammonState:
    """A position before the roll (`high` and `low` are 0) or after it."""

    board: Leaf  # Board, seen by the seat to move
    seat: Leaf  # Int[""], to move; NOBODY before the first roll
    high: Leaf  # UInt32[""], the higher die, 0 before the roll
    low: Leaf  # UInt32[""]


@dataclass(frozen=True)
class Backgammon:
    """Backgammon for two seats. `opening`: roll or alternate, see the module's text."""

    opening: str = "roll"

    num_seats = 2
    num_outcomes = SIDES**2  # 6 · (a − 1) + b − 1 for the dice a and b; at the first roll a is seat 0's, b seat 1's
    truncation_return = -1 / MOST_POINTS  # a truncated game counts as lost by both
    title = "Backgammon"

    def __post_init__(self):
        if self.opening not in OPENINGS:
            raise ValueError(f"opening must be one of {', '.join(OPENINGS)}, not {self.opening!r}")

    def start(self) -> BackgammonState:
        """The usual set-up, before the first roll."""
        seat = NOBODY if self.opening == "roll" else 0
        return BackgammonState(board_of(START, START), jnp.int32(seat), jnp.uint32(0), jnp.uint32(0))

    def to_move(self, state: BackgammonState) -> Int[Array, ""]:
        """The seat to move; NOBODY before the first roll of `opening="roll"`."""
        return state.seat

    # ---------------------------------------------------------------- dice
    def outcome_probs(self, state: BackgammonState) -> Float[Array, "outcomes"]:
        """All rolls are equally likely; of a first roll that decides who starts, all with unequal dice."""
        outcome = jnp.arange(self.num_outcomes)
        unequal = outcome // SIDES != outcome % SIDES
        opening = jnp.where(unequal, 1 / (SIDES * (SIDES - 1)), 0)
        return jnp.where(state.seat == NOBODY, opening, 1 / self.num_outcomes)

    def draw_outcome(self, state: BackgammonState, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """See `core.WalkableGame`."""
        a, step = jnp.divmod(bb.scaled(bits, jnp.uint32(SIDES * (SIDES - 1))), SIDES - 1)
        unequal = SIDES * a + step + (step >= a)  # the second die is any but the first
        return jnp.where(state.seat == NOBODY, unequal, bb.scaled(bits, jnp.uint32(SIDES**2))).astype(jnp.int32)

    def resolve(self, state: BackgammonState, outcome: Int[Array, ""]) -> BackgammonState:
        """The dice are thrown; the first time they also say who starts."""
        a, b = outcome // SIDES + 1, outcome % SIDES + 1
        starter = jnp.where(a > b, 0, 1)
        return BackgammonState(
            board=state.board,
            seat=jnp.where(state.seat == NOBODY, starter, state.seat).astype(jnp.int32),
            high=jnp.maximum(a, b).astype(jnp.uint32),
            low=jnp.minimum(a, b).astype(jnp.uint32),
        )

    # ---------------------------------------------------------------- plays
    def first(self, state: BackgammonState) -> Walk:
        """See `core.WalkableGame`."""
        return plays.begin(_roll(state))

    def next(self, state: BackgammonState, cursor: Walk) -> tuple[Walk, Board, Bool[Array, ""]]:
        """See `core.WalkableGame`."""
        return plays.advance(_roll(state), cursor)

    def done(self, cursor: Walk) -> Bool[Array, ""]:
        """See `core.WalkableGame`."""
        return plays.done(cursor)

    def begin_step(self, state: BackgammonState, cursor: Walk) -> Step:
        """See `core.WalkableGame`."""
        return plays.begin_step(_roll(state), cursor)

    @property
    def step_parts(self) -> tuple[Callable, ...]:
        """See `core.WalkableGame`."""
        return tuple(lambda state, step, part=part: part(_roll(state), step) for part in plays.PARTS)

    def play(self, state: BackgammonState, afterstate: Board) -> BackgammonState:
        """`afterstate` must be one of the walk's. The other seat is to move, once the dice are thrown."""
        return BackgammonState(turned(afterstate), 1 - state.seat, jnp.uint32(0), jnp.uint32(0))

    # ---------------------------------------------------------------- the end
    def terminal(self, state: BackgammonState) -> Bool[Array, ""]:
        """The seat that moved last has borne off all its checkers."""
        return all_off(state.board.other, BAR)

    def points(self, state: BackgammonState) -> Int[Array, ""]:
        """The points that the winner gets: 1, 2 or 3; 0 before the end."""
        checkers = occupied(state.board.own)
        lost = jnp.where(checkers & (1 << OFF) != 0, 1, jnp.where(checkers & FAR_BITS != 0, 3, 2))
        return jnp.where(self.terminal(state), lost, 0).astype(jnp.int32)

    def points_of(self, returns: Float[Array, "*games"]) -> Int[Array, "*games"]:
        """The points that belong to returns: negative if lost, −1 for a truncated game."""
        return jnp.round(returns * MOST_POINTS).astype(jnp.int32)

    def returns(self, state: BackgammonState) -> Float[Array, "seats"]:
        """`points` / 3 for the winner, the negative for the loser."""
        return last_mover_returns(2, 1 - state.seat, self.points(state) / MOST_POINTS)


def _roll(state: BackgammonState) -> Roll:
    return Roll(state.board, state.high, state.low)
