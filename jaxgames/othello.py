"""Othello on 8×8 squares: enclose the other seat's discs in a line between two of your own, and they are yours.

Seat 0 (dark) starts. A disc goes on an empty square from which, in at least one of the eight directions, a run of the
other seat's discs leads to one of the mover's; all such runs are turned over. A seat without such a square is skipped,
so there is no pass action and `to_move` may stay the same. The game ends when neither seat can move, which a full board
and the loss of all discs imply; the seat with more discs wins. These are the World Othello Federation's rules, but for
the clock.

    a b c … h       squares from the top, as the rules name them: action 0 is a1, 7 is h1, 8 is a2, 63 is h8;
  1 0 1 2 … 7       a set of squares is a bitboard of two words, which hold rows 1–4 and rows 5–8
  2 8 9 …
"""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32, UInt64

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns

SIZE = 8
COLUMNS, ROWS = "abcdefgh", "12345678"
WORDS, WIDTH = 2, 32  # of a set of squares as a bitboard
DARK, LIGHT = (28, 35), (27, 36)  # where the first four discs are
FIRST_MOVES = 19, 26, 37, 44
FIRST_COLUMN, LAST_COLUMN = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
AHEAD = *((1, True), (7, True), (9, True)), (8, False)  # how far the next square is, and whether its column differs
Whole = UInt64[Array, ""]  # all 64 squares


@flax.struct.dataclass
class OthelloState:
    own: tuple  # bitboard, discs of the seat to move
    other: tuple  # bitboard, discs of the other seat
    moves: tuple  # bitboard, where the seat to move can move; nowhere after the end
    seat: Leaf  # Int[""], to move


@dataclass(frozen=True)
class Othello:
    num_seats = 2
    num_actions = SIZE**2
    rows = columns = SIZE
    max_plies = SIZE**2 - len(DARK + LIGHT)
    min_plies = 9  # by exhaustion: dark can take all discs with its fifth move
    title = "Othello"

    def start(self) -> OthelloState:
        return OthelloState(_squares(DARK), _squares(LIGHT), _squares(FIRST_MOVES), jnp.int32(0))

    def to_move(self, state: OthelloState) -> Int[Array, ""]:
        return state.seat

    def legal(self, state: OthelloState) -> Bool[Array, "actions"]:
        return bb.to_mask(state.moves, WIDTH)

    def draw(self, state: OthelloState, word: UInt32[Array, ""]) -> Int[Array, ""]:
        """See `core.draw_legal`."""
        return bb.draw(state.moves, WIDTH, word)

    def play(self, state: OthelloState, action: Int[Array, ""]) -> OthelloState:
        """Finds the moves of both seats: the mover's count where the other seat has none and is skipped."""
        with jax.enable_x64(True):
            own, other = _whole(state.own), _whole(state.other)
            disc = np.uint64(1) << action.astype(jnp.uint64)
            mover = own | disc | _flips(own, other, disc)
            (opponent, mover), (replies, again) = _both_sides(mover, own | other | disc)
            replied = replies != 0
            return OthelloState(
                own=_words(jnp.where(replied, opponent, mover)),
                other=_words(jnp.where(replied, mover, opponent)),
                moves=_words(jnp.where(replied, replies, again)),
                seat=jnp.where(replied, 1 - state.seat, state.seat),
            )

    def terminal(self, state: OthelloState) -> Bool[Array, ""]:
        return ~bb.any_set(state.moves)

    def returns(self, state: OthelloState) -> Float[Array, "seats"]:
        lead = bb.count(state.own) - bb.count(state.other)
        return last_mover_returns(2, state.seat, jnp.where(self.terminal(state), jnp.sign(lead), 0))

    def planes(self, state: OthelloState) -> Bool[Array, "seats points"]:
        """The discs of the seat to move and of the other."""
        return jnp.stack([bb.to_mask(state.own, WIDTH), bb.to_mask(state.other, WIDTH)])

    def discs(self, state: OthelloState) -> Int[Array, "seats"]:
        """How many discs each seat has."""
        own, other = bb.count(state.own), bb.count(state.other)
        first = state.seat == 0
        return jnp.stack([jnp.where(first, own, other), jnp.where(first, other, own)])


# ---------------------------------------------------------------- names
def square_name(action: int) -> str:
    """The name of a square, such as f5. Raises ValueError beyond the board."""
    if not 0 <= action < Othello.num_actions:
        raise ValueError(f"action {action} is not one of the {Othello.num_actions} squares")
    row, column = divmod(int(action), SIZE)
    return f"{COLUMNS[column]}{row + 1}"


def parse_square(name: str) -> int:
    """The inverse of `square_name`, in capitals or not. Raises ValueError for other names."""
    column, row = COLUMNS.find(name[:1].lower()), name[1:]
    if len(name) != 2 or column < 0 or row not in ROWS:
        raise ValueError(f"{name!r} is not a square from a1 to h8")
    return ROWS.index(row) * SIZE + column


# ---------------------------------------------------------------- sets of squares
def moves(own: bb.Board, other: bb.Board) -> bb.Board:
    """The squares where the seat with the discs `own` can move."""
    with jax.enable_x64(True):
        return _words(_moves(_whole(own), _whole(other)))


def flips(own: bb.Board, other: bb.Board, square: bb.Board) -> bb.Board:
    """The discs of `other` that are turned over when `own` moves to `square`, a board with one empty square or none."""
    with jax.enable_x64(True):
        return _words(_flips(_whole(own), _whole(other), _whole(square)))


def beside(board: bb.Board) -> bb.Board:
    """The squares of a board and all next to them."""
    with jax.enable_x64(True):
        whole = _whole(board)
        row = whole | _moved(whole & ~LAST_COLUMN, 1) | _moved(whole & ~FIRST_COLUMN, -1)
        return _words(row | _moved(row, SIZE) | _moved(row, -SIZE))


def _squares(actions: tuple[int, ...]) -> bb.Board:
    return tuple(
        jnp.uint32(sum(1 << action % WIDTH for action in actions if action // WIDTH == i)) for i in range(WORDS)
    )


# ---------------------------------------------------------------- the same in one word
# 64 bits, as shifts between two words are three and what is one array is computed once (docs/decisions/006-othello.md).
def _whole(board: bb.Board) -> Whole:
    upper, lower = (word.astype(jnp.uint64) for word in board)
    return upper | _moved(lower, WIDTH)


def _words(whole: Whole) -> bb.Board:
    return whole.astype(jnp.uint32), _moved(whole, -WIDTH).astype(jnp.uint32)


def _moves(own: Whole, other: Whole) -> Whole:
    found = jnp.zeros_like(own)
    for steps, through in _directions(other):
        found = found | _moved(_run(own, through, steps), steps)
    return found & ~(own | other)


def _both_sides(side: Whole, discs: Whole) -> tuple[UInt64[Array, "2"], UInt64[Array, "2"]]:
    """The discs that `side` lacks and its own, and the moves of each. On a CPU in a loop of two rounds that hands on
    the discs of one side only, which keeps XLA from computing the boards anew in every fusion that reads them (see
    `staging`).
    """

    def look(side: Whole, _: None) -> tuple[Whole, tuple[Whole, Whole]]:
        other = discs & ~side
        return other, (other, _moves(other, side))

    return jax.lax.scan(look, side, length=2, unroll=jax.default_backend() != "cpu")[1]


def _flips(own: Whole, other: Whole, square: Whole) -> Whole:
    turned = jnp.zeros_like(own)
    for steps, through in _directions(other):
        run = _run(square, through, steps)
        turned = turned | jnp.where(_moved(run, steps) & own != 0, run, np.uint64(0))
    return turned


def _directions(other: Whole) -> list[tuple[int, Whole]]:
    """For each direction, the distance to the next square, and the discs that a run may have on the way.

    A disc on an edge column can be enclosed along its column only. Without these discs no run wraps around.
    """
    inner = other & ~(FIRST_COLUMN | LAST_COLUMN)
    return [(sign * steps, inner if sideways else other) for steps, sideways in AHEAD for sign in (1, -1)]


def _run(start: Whole, through: Whole, steps: int) -> Whole:
    """The unbroken runs of up to six squares of `through` that begin next to a square of `start`, by doubling."""
    pairs = through & _moved(through, steps)
    run = through & _moved(start, steps)
    run = run | through & _moved(run, steps)
    for _ in range(2):
        run = run | pairs & _moved(run, 2 * steps)
    return run


def _moved(whole: Whole, steps: int) -> Whole:
    """Every square `steps` further, in reading order; backwards if negative. What leaves the board is lost."""
    return whole << np.uint64(steps) if steps > 0 else whole >> np.uint64(-steps)
