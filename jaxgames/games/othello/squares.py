"""The squares of an Othello board, their names, and the moves and flips on sets of them.

  a b c … h       squares from the top, as the rules name them: action 0 is a1, 7 is h1, 8 is a2, 63 is h8;
1 0 1 2 … 7       a set of squares is a bitboard of two 32-bit rows, which hold rows 1–4 and rows 5–8
2 8 9 …
"""

from collections.abc import Iterable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, UInt64

from jaxgames import bitboard as bb

SIZE = 8
COLUMNS, ROWS = "abcdefgh", "12345678"
WORDS, WIDTH = 2, 32  # of a set of squares as a bitboard: its rows, and the squares in each
FIRST_COLUMN, LAST_COLUMN = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
AHEAD = *((1, True), (7, True), (9, True)), (8, False)  # how far the next square is, and whether its column differs
Whole = UInt64[Array, ""]  # all 64 squares


# ---------------------------------------------------------------- names
def square_name(action: int) -> str:
    """The name of a square, such as f5. Raises ValueError beyond the board."""
    if not 0 <= action < SIZE**2:
        raise ValueError(f"action {action} is not one of the {SIZE**2} squares")
    row, column = divmod(int(action), SIZE)
    return f"{COLUMNS[column]}{row + 1}"


def parse_square(name: str) -> int:
    """The inverse of `square_name`, in capitals or not. Raises ValueError for other names."""
    column, row = COLUMNS.find(name[:1].lower()), name[1:]
    if len(name) != 2 or column < 0 or row not in ROWS:
        raise ValueError(f"{name!r} is not a square from a1 to h8")
    return ROWS.index(row) * SIZE + column


# ---------------------------------------------------------------- sets of squares
def square_set(squares: Iterable[int]) -> bb.Board:
    """A constant set of squares."""
    squares = set(squares)
    return tuple(np.uint32(sum(1 << s % WIDTH for s in squares if s // WIDTH == i)) for i in range(WORDS))


def moves(own: bb.Board, other: bb.Board) -> bb.Board:
    """The squares where the seat with the discs `own` can move."""
    with jax.enable_x64(True):
        return words(_moves(whole(own), whole(other)))


def flips(own: bb.Board, other: bb.Board, square: bb.Board) -> bb.Board:
    """The discs of `other` that are turned over when `own` moves to `square`, a board with one empty square or none."""
    with jax.enable_x64(True):
        return words(whole_flips(whole(own), whole(other), whole(square)))


def beside(board: bb.Board) -> bb.Board:
    """The squares of a board and all next to them."""
    with jax.enable_x64(True):
        centre = whole(board)
        row = centre | _shifted(centre & ~LAST_COLUMN, 1) | _shifted(centre & ~FIRST_COLUMN, -1)
        return words(row | _shifted(row, SIZE) | _shifted(row, -SIZE))


# ---------------------------------------------------------------- the same in one integer
# 64 bits: a shift between two 32-bit integers takes three operations, and what is one array is computed once
# (docs/decisions/006-othello.md).
def whole(board: bb.Board) -> Whole:
    """A set of squares as one 64-bit integer."""
    upper, lower = (word.astype(jnp.uint64) for word in board)
    return upper | _shifted(lower, WIDTH)


def words(whole: Whole) -> bb.Board:
    """The inverse of `whole`."""
    return whole.astype(jnp.uint32), _shifted(whole, -WIDTH).astype(jnp.uint32)


def _moves(own: Whole, other: Whole) -> Whole:
    found = jnp.zeros_like(own)
    for steps, through in _directions(other):
        found = found | _shifted(_run(own, through, steps), steps)
    return found & ~(own | other)


def both_sides(side: Whole, discs: Whole) -> tuple[UInt64[Array, "2"], UInt64[Array, "2"]]:
    """(the discs that are not of `side` and its own, the moves of each). On a CPU this is a loop of two rounds that
    passes on the discs of one side only, so that XLA does not compute the boards again in every fusion that reads them
    (see `xla.stage`).
    """

    def turn(side: Whole, _: None) -> tuple[Whole, tuple[Whole, Whole]]:
        other = discs & ~side
        return other, (other, _moves(other, side))

    return jax.lax.scan(turn, side, length=2, unroll=jax.default_backend() != "cpu")[1]


def whole_flips(own: Whole, other: Whole, square: Whole) -> Whole:
    """As `flips`, with sets as one 64-bit integer."""
    turned = jnp.zeros_like(own)
    for steps, through in _directions(other):
        run = _run(square, through, steps)
        turned = turned | jnp.where(_shifted(run, steps) & own != 0, run, np.uint64(0))
    return turned


def _directions(other: Whole) -> list[tuple[int, Whole]]:
    """For each direction, the distance to the next square, and the discs that a run may have on the way.

    A disc on an edge column can be enclosed along its column only. Without these discs no run wraps around.
    """
    inner = other & ~(FIRST_COLUMN | LAST_COLUMN)
    return [(sign * steps, inner if sideways else other) for steps, sideways in AHEAD for sign in (1, -1)]


def _run(start: Whole, through: Whole, steps: int) -> Whole:
    """The unbroken runs of up to six squares of `through` that begin next to a square of `start`, by doubling."""
    pairs = through & _shifted(through, steps)
    run = through & _shifted(start, steps)
    run = run | through & _shifted(run, steps)
    for _ in range(2):
        run = run | pairs & _shifted(run, 2 * steps)
    return run


def _shifted(whole: Whole, steps: int) -> Whole:
    """Every square `steps` further, in reading order; backwards if negative. What leaves the board is lost."""
    return whole << np.uint64(steps) if steps > 0 else whole >> np.uint64(-steps)
