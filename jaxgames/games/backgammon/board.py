"""The checkers of a backgammon board as bit-planes of ONE position, seen by the side that moves.

A side is four bit-planes: bit k of plane i is digit i of the number of its checkers at location k, at most 15. A
checker moves towards higher bits, so that the rearmost checker is the lowest bit and a die is a shift:

    bit                0     1   2   …   6   7   …   18   19  …   24    25
    own checkers       bar   24  23  …   19  18  …   7    6   …   1     off
    other's checkers   off   1   2   …   6   7   …   18   19  …   24    bar

The numbers of bits 1 to 24 are the points as each side counts them. A set of locations is a uint32 of the same bits.
The planes stay separate scalars: under `vmap` each becomes one contiguous vector over the lanes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, UInt32

from jaxgames.core import Leaf

DIGITS = 4
CHECKERS = 15  # of each side
POINTS = 24
BAR, OFF = 0, POINTS + 1  # locations of own checkers
LOCATIONS = POINTS + 2
BAR_BIT, OFF_BIT = 1 << BAR, 1 << OFF
POINT_BITS = OFF_BIT - 2
HOME_BITS = POINT_BITS & -(1 << 19)  # own points 6 to 1
OUTSIDE_BITS = (1 << 19) - 1  # own bar and points 24 to 7

Word = UInt32[Array, ""]  # a set of locations, or a small number
Checkers = tuple  # of DIGITS bit-planes, each UInt32[""]: the checkers of one side
Side = tuple  # of 26 Python integers: a side's numbers of checkers by its own count of points; 0 is off, 25 the bar


@flax.struct.dataclass
class Board:
    """The checkers of both sides, seen by the side that moves."""

    own: Leaf  # Checkers of the side that moves
    other: Leaf  # Checkers of the other side


class Moved(NamedTuple):
    """The move of a checker by one die."""

    board: Board  # after it
    rest: Word  # where the mover has other checkers
    target: Word  # where the checker went, one bit
    hit: Word  # the same if a checker was hit there, else 0


# ---------------------------------------------------------------- the checkers of one side
def checkers_at(counts: Sequence[int]) -> Checkers:
    """Checkers from their numbers at the LOCATIONS, by bit."""
    return tuple(jnp.uint32(sum((n >> i & 1) << k for k, n in enumerate(counts))) for i in range(DIGITS))


def number(checkers: Checkers, location: int) -> Word:
    """The number of checkers at a location."""
    digits = [(checkers[i] >> location & 1) << i for i in range(DIGITS)]
    return digits[0] | digits[1] | digits[2] | digits[3]


def occupied(checkers: Checkers) -> UInt32[Array, "*batch"]:
    """The locations with a checker."""
    return checkers[0] | checkers[1] | (checkers[2] | checkers[3])


def several(checkers: Checkers) -> Word:
    """The locations with two checkers or more."""
    return checkers[1] | checkers[2] | checkers[3]


def many(checkers: Checkers) -> Word:
    """The locations with four checkers or more."""
    return checkers[2] | checkers[3]


def blots(checkers: Checkers) -> Word:
    """The points with one checker."""
    return checkers[0] & ~several(checkers) & POINT_BITS


def put(checkers: Checkers, place: Word) -> Checkers:
    """One more checker at each location of a set."""
    digits, carry = [], place
    for digit in checkers:
        digits.append(digit ^ carry)
        carry = digit & carry
    return tuple(digits)


def taken(checkers: Checkers, place: Word) -> Checkers:
    """One checker fewer at each location of a set; there must be one."""
    digits, borrow = [], place
    for digit in checkers:
        digits.append(digit ^ borrow)
        borrow = ~digit & borrow
    return tuple(digits)


def all_off(checkers: Checkers, location: int) -> Bool[Array, ""]:
    """Whether all 15 checkers are at a location."""
    return checkers[0] & checkers[1] & checkers[2] & checkers[3] & (1 << location) != 0


# ---------------------------------------------------------------- both sides
def board_of(own: Side, other: Side) -> Board:
    """The board with these numbers of checkers."""
    return Board(checkers_at(own[::-1]), checkers_at(other))


def sides_of(board: Board) -> tuple[Side, Side]:
    """The inverse of `board_of`, outside of compiled code."""
    own, other = (
        tuple(sum((int(digit) >> k & 1) << i for i, digit in enumerate(checkers)) for k in range(LOCATIONS))
        for checkers in (board.own, board.other)
    )
    return own[::-1], other


def turned(board: Board) -> Board:
    """The same board seen by the other side."""
    return Board(own=tuple(map(_reversed, board.other)), other=tuple(map(_reversed, board.own)))


def sources(board: Board, die: Word) -> Word:
    """The locations from which the mover may move a checker by a die: only the bar while a checker is there."""
    checkers = occupied(board.own)
    movable = jnp.where(checkers & BAR_BIT != 0, BAR_BIT, checkers & POINT_BITS)
    onwards = movable & ((~several(board.other) & POINT_BITS) >> die)
    exact, rearmost = jnp.uint32(OFF_BIT) >> die, checkers & ~(checkers - 1)
    off = checkers & exact | jnp.where(rearmost > exact, rearmost & HOME_BITS, 0)
    return onwards | jnp.where(checkers & OUTSIDE_BITS == 0, off, 0)


def moved(board: Board, source: Word, die: Word) -> Moved:
    """Moves a checker from `source` by a die. `source` is one of `sources`, or 0, which changes nothing."""
    lifted = taken(board.own, source)
    target = jnp.minimum(source << die, OFF_BIT)
    hit = target & blots(board.other)
    one, *more = board.other
    other = put((one ^ hit, *more), jnp.where(hit != 0, OFF_BIT, 0).astype(jnp.uint32))
    return Moved(Board(put(lifted, target), other), occupied(lifted), target, hit)


def is_race(board: Board) -> Bool[Array, ""]:
    """Whether the sides have passed each other, so that no checker can be hit any more."""
    own, other = occupied(board.own) & ~OFF_BIT, occupied(board.other) & ~BAR_BIT
    ahead = ~((own & ~(own - 1)) - 1)  # from the mover's rearmost checker on
    return other & ahead == 0


def _reversed(word: Word) -> Word:
    """Bit k becomes bit 25 − k."""
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        word = (word >> shift & mask) | (word & mask) << shift
    return (word >> 16 | word << 16) >> (32 - LOCATIONS)
