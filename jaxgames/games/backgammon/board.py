"""The men of a backgammon board as bit-planes of ONE position, seen by the side that moves.

A side is four words: bit k of plane i is digit i of the number of its men at location k, at most 15. A man moves
towards higher bits, so that the rearmost man is the lowest bit and a die is a shift:

    bit           0     1   2   …   6   7   …   18   19  …   24    25
    own men       bar   24  23  …   19  18  …   7    6   …   1     off
    other's men   off   1   2   …   6   7   …   18   19  …   24    bar

The numbers of bits 1 to 24 are the points as each side counts them. The words stay separate scalars: under `vmap` each
becomes one contiguous vector over the lanes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, UInt32

from jaxgames.core import Leaf

DIGITS = 4
MEN = 15  # of each side
POINTS = 24
BAR, OFF = 0, POINTS + 1  # locations of own men
LOCATIONS = POINTS + 2
BAR_BIT, OFF_BIT = 1 << BAR, 1 << OFF
POINT_BITS = OFF_BIT - 2
HOME_BITS = POINT_BITS & -(1 << 19)  # own points 6 to 1
OUTSIDE_BITS = (1 << 19) - 1  # own bar and points 24 to 7

Word = UInt32[Array, ""]
Men = tuple  # DIGITS words
Side = tuple  # of Python's integers: the men on the points as a side counts them, 0 off and 25 on the bar


@flax.struct.dataclass
class Board:
    own: Leaf  # Men of the side that moves
    other: Leaf  # Men


class Moved(NamedTuple):
    """A man moved by one die."""

    board: Board
    rest: Word  # where the mover has men, the moved one not counted
    target: Word  # where it went
    hit: Word  # the same if a man was hit there, else 0


# ---------------------------------------------------------------- the men of one side
def men_at(counts: Sequence[int]) -> Men:
    """The men of which `counts` tells the number at every location."""
    return tuple(jnp.uint32(sum((n >> i & 1) << k for k, n in enumerate(counts))) for i in range(DIGITS))


def number(men: Men, location: int) -> Word:
    """How many men are at a location."""
    digits = [(men[i] >> location & 1) << i for i in range(DIGITS)]
    return digits[0] | digits[1] | digits[2] | digits[3]


def occupied(men: Men) -> UInt32[Array, "*batch"]:
    return men[0] | men[1] | (men[2] | men[3])


def several(men: Men) -> Word:
    """Where there are two men or more."""
    return men[1] | men[2] | men[3]


def many(men: Men) -> Word:
    """Where there are four men or more."""
    return men[2] | men[3]


def blots(men: Men) -> Word:
    """The points with one man."""
    return men[0] & ~several(men) & POINT_BITS


def put(men: Men, place: Word) -> Men:
    """One more man at each location of a set."""
    digits, carry = [], place
    for digit in men:
        digits.append(digit ^ carry)
        carry = digit & carry
    return tuple(digits)


def taken(men: Men, place: Word) -> Men:
    """One man fewer at each location of a set; there must be one."""
    digits, borrow = [], place
    for digit in men:
        digits.append(digit ^ borrow)
        borrow = ~digit & borrow
    return tuple(digits)


def all_off(men: Men, location: int) -> Bool[Array, ""]:
    """Whether all 15 men are at a location."""
    return men[0] & men[1] & men[2] & men[3] & (1 << location) != 0


# ---------------------------------------------------------------- both sides
def board_of(own: Side, other: Side) -> Board:
    return Board(men_at(own[::-1]), men_at(other))


def sides_of(board: Board) -> tuple[Side, Side]:
    """The inverse of `board_of`, outside of compiled code."""
    own, other = (
        tuple(sum((int(digit) >> k & 1) << i for i, digit in enumerate(men)) for k in range(LOCATIONS))
        for men in (board.own, board.other)
    )
    return own[::-1], other


def turned(board: Board) -> Board:
    """The same board seen by the other side."""
    return Board(own=tuple(map(_reversed, board.other)), other=tuple(map(_reversed, board.own)))


def sources(board: Board, die: Word) -> Word:
    """The places from which the mover may move a man by a die: the bar alone as long as a man is there."""
    men = occupied(board.own)
    movable = jnp.where(men & BAR_BIT != 0, BAR_BIT, men & POINT_BITS)
    onwards = movable & ((~several(board.other) & POINT_BITS) >> die)
    exact, rearmost = jnp.uint32(OFF_BIT) >> die, men & ~(men - 1)
    off = men & exact | jnp.where(rearmost > exact, rearmost & HOME_BITS, 0)
    return onwards | jnp.where(men & OUTSIDE_BITS == 0, off, 0)


def moved(board: Board, source: Word, die: Word) -> Moved:
    """A man from `source`, one bit or none, moved by a die. It must be legal; none changes nothing."""
    lifted = taken(board.own, source)
    target = jnp.minimum(source << die, OFF_BIT)
    hit = target & blots(board.other)
    one, *more = board.other
    other = put((one ^ hit, *more), jnp.where(hit != 0, OFF_BIT, 0).astype(jnp.uint32))
    return Moved(Board(put(lifted, target), other), occupied(lifted), target, hit)


def is_race(board: Board) -> Bool[Array, ""]:
    """Whether the sides have passed each other, so that no man can be hit any more."""
    own, other = occupied(board.own) & ~OFF_BIT, occupied(board.other) & ~BAR_BIT
    ahead = ~((own & ~(own - 1)) - 1)  # from the mover's rearmost man on
    return other & ahead == 0


def _reversed(word: Word) -> Word:
    """Bit k becomes bit 25 − k."""
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        word = (word >> shift & mask) | (word & mask) << shift
    return (word >> 16 | word << 16) >> (32 - LOCATIONS)
