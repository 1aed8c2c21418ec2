"""Row-packed bitboards of ONE position.

A board is a tuple of rows, each a uint32; bit `column` of row `row` is the point with index `row * columns + column`,
which is also the action that places a stone there:

    columns = 3       row 0:  0 1 2
                      row 1:  3 4 5

The rows stay separate scalars: under `vmap` each becomes one contiguous vector over the lanes. The functions called
most use `lax`, since an operator of jax.numpy is a jitted function of its own, which takes twice as long to trace.
A row has at most 31 points, or 32 on boards that `shifted` never sees, such as Othello's.
"""

import functools
import operator

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.lax import population_count
from jaxtyping import Array, Bool, Int, UInt32

Board = tuple  # of UInt32[Array, ""]


def empty(rows: int) -> Board:
    """The board without a point."""
    return (jnp.uint32(0),) * rows


def full(rows: int, columns: int) -> Board:
    """The board with all points."""
    return (jnp.uint32((1 << columns) - 1),) * rows


def one_hot(action: Int[Array, ""], rows: int, columns: int) -> Board:
    """The board with just the point `action` set."""
    row, bit = action // columns, jnp.uint32(1) << (action % columns).astype(jnp.uint32)
    return tuple(jnp.where(row == i, bit, jnp.uint32(0)) for i in range(rows))


def union(*boards: Board) -> Board:
    """The points of any of the boards."""
    return tuple(functools.reduce(lax.bitwise_or, rows) for rows in zip(*boards, strict=True))


def intersection(board: Board, other: Board) -> Board:
    """The points of both."""
    return tuple(lax.bitwise_and(a, b) for a, b in zip(board, other, strict=True))


def exclusive(board: Board, other: Board) -> Board:
    """The points of exactly one of the two."""
    return tuple(lax.bitwise_xor(a, b) for a, b in zip(board, other, strict=True))


def without(board: Board, other: Board) -> Board:
    """The points of `board` that are not in `other`."""
    return tuple(lax.bitwise_and(a, lax.bitwise_not(b)) for a, b in zip(board, other, strict=True))


def any_set(board: Board) -> Bool[Array, ""]:
    """Whether any point is set."""
    return functools.reduce(lax.bitwise_or, board) != 0


def count(board: Board) -> Int[Array, ""]:
    """The number of points that are set."""
    return functools.reduce(operator.add, (population_count(row) for row in board)).astype(jnp.int32)


def select(condition: Bool[Array, ""], board: Board, other: Board) -> Board:
    """`board` if the condition holds, else `other`."""
    return tuple(lax.select(condition, a, b) for a, b in zip(board, other, strict=True))


def first_nonempty(*boards: Board) -> Board:
    """The first of the boards with any point set; the last one where none has."""
    result = boards[-1]
    for board in reversed(boards[:-1]):
        result = select(any_set(board), board, result)
    return result


def shifted(board: Board, down: int, right: int) -> Board:
    """The board moved up by `down` rows and left by `right` columns, with nothing beyond its edges.

    Point (r, c) of the result is point (r + down, c + right) of `board`. Bits that leave a row are lost only if the
    caller masks the result or `board` has none beyond its columns and `right` is not negative.
    """
    rows = len(board)
    beyond = np.uint32(0)
    moved = [board[i + down] if 0 <= i + down < rows else beyond for i in range(rows)]
    if right == 0:
        return tuple(moved)
    shift = lax.shift_right_logical if right > 0 else lax.shift_left
    return tuple(row if row is beyond else shift(row, np.uint32(abs(right))) for row in moved)


def to_mask(board: Board, columns: int) -> Bool[Array, "points"]:
    """The board as one Bool per point."""
    return jnp.concatenate([(row >> np.arange(columns, dtype=np.uint32)) & 1 for row in board]) != 0


def from_mask(mask: Bool[Array, "points"], columns: int) -> Board:
    """Inverse of `to_mask`."""
    weights = np.uint32(1) << np.arange(columns, dtype=np.uint32)
    rows = jnp.sum(jnp.where(mask.reshape(-1, columns), weights, 0), axis=1, dtype=jnp.uint32)
    return tuple(rows[i] for i in range(mask.size // columns))


def lowest(board: Board) -> Board:
    """The board with just its first point set; empty if `board` is."""
    rows, before = [], jnp.uint32(0)
    for row in board:
        rows.append(jnp.where(before == 0, row & (~row + 1), 0))
        before = before | row
    return tuple(rows)


def index(point: Board, columns: int) -> Int[Array, ""]:
    """Inverse of `one_hot`; 0 for the empty board."""
    places = [jnp.where(row != 0, i * columns + population_count(row - 1), 0) for i, row in enumerate(point)]
    return functools.reduce(operator.add, places).astype(jnp.int32)


def scaled(bits: UInt32[Array, ""], below: UInt32[Array, ""]) -> UInt32[Array, ""]:
    """floor(bits · below / 2³²) without 64-bit integers: a uniform number in [0, below), for below ≤ 2¹⁶."""
    return (((bits & 0xFFFF) * below >> 16) + (bits >> 16) * below) >> 16


def draw(board: Board, columns: int, bits: UInt32[Array, ""]) -> Int[Array, ""]:
    """A uniformly drawn set point of `board`, from 32 random bits; without meaning if none is set."""
    counts = [population_count(x) for x in board]
    rank = scaled(bits, functools.reduce(operator.add, counts))
    chosen, row, before, total = board[0], jnp.uint32(0), jnp.uint32(0), jnp.uint32(0)
    for i in range(1, len(board)):
        total = total + counts[i - 1]
        further = rank >= total
        chosen = jnp.where(further, board[i], chosen)
        row = row + further.astype(jnp.uint32)
        before = jnp.where(further, total, before)
    column = nth_set_bit(chosen, rank - before, columns)
    return (row * np.uint32(columns) + column).astype(jnp.int32)


def nth_set_bit(row: UInt32[Array, ""], rank: UInt32[Array, ""], width: int) -> UInt32[Array, ""]:
    """Index of the set bit that has `rank` set bits below it, by halving `width`."""
    half, position = 1 << max((width - 1).bit_length() - 1, 0), jnp.uint32(0)
    while half:
        below = population_count(row & ((1 << half) - 1))
        high = rank >= below
        rank = jnp.where(high, rank - below, rank)
        row = jnp.where(high, row >> half, row)
        position = jnp.where(high, position + half, position)
        half //= 2
    return position


# ---------------------------------------------------------------- counts at every point
# A count is a list of bitboards: the binary digits of a number at each point, the lowest digit first.
def zero_count(rows: int, digits: int) -> list[Board]:
    """The count 0 at every point; it can grow to 2 ** digits − 1."""
    return [empty(rows)] * digits


def add_points(digits: list[Board], points: Board, digit: int = 0) -> list[Board]:
    """2 ** digit more at these points."""
    result, carry = list(digits), points
    for i in range(digit, len(digits)):
        result[i], carry = exclusive(digits[i], carry), intersection(digits[i], carry)
    return result


def largest(digits: list[Board], among: Board) -> Board:
    """Those `among` the points at which the count is largest, if that is not 0 everywhere."""
    best = intersection(among, union(*digits))
    for digit in reversed(digits):
        best = first_nonempty(intersection(best, digit), best)
    return best


def at_least(digits: list[Board], limit: Int[Array, ""], rows: int, columns: int) -> Board:
    """The points at which the count reaches a limit of at most 2 ** digits − 1."""
    more, equal = empty(rows), full(rows, columns)
    for i, digit in reversed(list(enumerate(digits))):
        wanted = (limit >> i) & 1 != 0
        more = union(more, select(wanted, empty(rows), intersection(equal, digit)))
        equal = select(wanted, intersection(equal, digit), without(equal, digit))
    return union(more, equal)
