"""Which points of Gomoku matter to the seats: where a stone completes a line, or comes closer to that.

A *window* is `in_a_row` successive points in one direction; it goes by its first point. It is *open* to a seat if it
holds no stone of another seat and, with `exact`, no stone of that seat lies just before it or just beyond.

All directions share one loop body. For that a board is *turned*: row r is rotated by r bits to one side, so that a
diagonal becomes a column, and the body goes along columns from row to row, or along rows from bit to bit. Diagonals
that wrap around may share a column then, but never a window: a board has at most 19 columns, a row 32 bits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Int

from jaxgames import bitboard as bb
from jaxgames.core import Leaf
from jaxgames.xla import stage


@flax.struct.dataclass
class Direction:
    """One of the directions of lines, with what turns its boards."""

    number: Leaf  # Int[""]
    along_row: Leaf  # Bool[""]
    turn: Leaf  # Int[""], bits by which row r is rotated to the left, divided by r
    inside: tuple  # turned board: the windows that lie on the board

    def ahead(self, board: bb.Board, points: int) -> bb.Board:
        """A turned board moved back by `points` points, or forward if negative, with nothing beyond its edge."""
        down, right = bb.shifted(board, points, 0), bb.shifted(board, 0, points)
        return tuple(jnp.where(self.along_row, b, a) for a, b in zip(down, right, strict=True))

    def spread(self, board: bb.Board, points: int) -> bb.Board:
        """The points with anything among the `points` points from them on; among those up to them if negative."""
        sign, length = (1, 1) if points > 0 else (-1, 1)
        while length < abs(points):
            step = min(length, abs(points) - length)
            board = bb.union(board, self.ahead(board, sign * step))
            length += step
        return board


@flax.struct.dataclass
class Windows:
    """Turned boards of one direction or, with a leading axis, of several."""

    open: tuple  # the windows that are open to the seat
    stones: tuple  # the number of the seat's stones, as binary digits from the lowest up


@dataclass(frozen=True)
class Lines:
    """The windows of a game; `directions` are pairs (down, right)."""

    rows: int
    columns: int
    in_a_row: int  # points of a window
    exact: bool  # whether longer lines do not count
    directions: tuple[tuple[int, int], ...]

    def priorities(self, stones: tuple[bb.Board, ...], empties: bb.Board) -> tuple[bb.Board, ...]:
        """Sets of empty points, best first; 1, 2, 4 and 5 are one set per seat, in the order of play:

        1. points that complete a line of the seat;
        2. points where a stone of the seat makes two others such points, each in an open window with it;
        3. on a board without stones the middle third of the rows and columns;
        4. points in two directions in the fullest windows, those of the seat: of all windows that are open to a seat
           and hold `in_a_row` − 2 of its stones or fewer, the ones with the most;
        5. points in one direction in these.
        """
        occupied = bb.union(*stones)
        seats = jax.tree.map(lambda *rows: jnp.stack(rows), *stones)
        complete, double, fullest, windows = lax.map(lambda own: self._threats(own, bb.without(occupied, own)), seats)
        crossed, covered = lax.map(partial(self._covered, fullest.max()), windows)
        middle = bb.select(bb.any_set(occupied), bb.empty(self.rows), self._middle)
        sets = *_each(complete), *_each(double), middle, *_each(crossed), *_each(covered)
        return tuple(bb.intersection(board, empties) for board in sets)

    # ---------------------------------------------------------------- of one seat
    def _threats(self, own: bb.Board, foreign: bb.Board) -> tuple[bb.Board, bb.Board, Int[Array, ""], Windows]:
        """(completing points, points that make two of these, stones in the fullest windows, the windows)."""

        def look(found: tuple, direction: Direction) -> tuple[tuple, Windows]:
            complete, single, double, fullest = found
            mine, theirs = _rotated(own, direction.turn), _rotated(foreign, direction.turn)
            windows = stage(direction.number, partial(self._windows, direction), mine, theirs)
            last = direction.spread(_holding(windows, self.in_a_row - 1), -self.in_a_row)
            sides = self._either_side(direction, mine, _holding(windows, self.in_a_row - 2))
            last, after, before = (_rotated(board, -direction.turn) for board in (last, *sides))
            either, both = bb.union(after, before), bb.intersection(after, before)
            double = bb.union(double, both, bb.intersection(single, either))
            fullest = jnp.maximum(fullest, self._fullest(windows))
            return (bb.union(complete, last), bb.union(single, either), double, fullest), windows

        none = bb.empty(self.rows)
        (complete, _, double, fullest), windows = lax.scan(look, (none, none, none, jnp.int32(-1)), self._axes)
        return complete, double, fullest, windows

    def _covered(self, stones: Int[Array, ""], windows: Windows) -> tuple[bb.Board, bb.Board]:
        """(points of two directions, points of one) in open windows that hold `stones` stones."""

        def look(found: tuple, along: tuple[Direction, Windows]) -> tuple[tuple, None]:
            crossed, covered = found
            direction, windows = along
            points = direction.spread(_holding(windows, stones), -self.in_a_row)
            points = _rotated(points, -direction.turn)
            return (bb.union(crossed, bb.intersection(covered, points)), bb.union(covered, points)), None

        (crossed, covered), _ = lax.scan(look, (bb.empty(self.rows),) * 2, (self._axes, windows))
        return crossed, covered

    # ---------------------------------------------------------------- in one direction, on turned boards
    def _windows(self, direction: Direction, own: bb.Board, foreign: bb.Board) -> Windows:
        still_open = bb.without(direction.inside, direction.spread(foreign, self.in_a_row))
        if self.exact:
            ends = bb.union(direction.ahead(own, self.in_a_row), direction.ahead(own, -1))
            still_open = bb.without(still_open, ends)
        stones, length = (own,), 1  # among the next points, as many as `length` says
        for digit in f"{self.in_a_row:b}"[1:]:
            stones = self._sum(stones, tuple(direction.ahead(board, length) for board in stones))
            length *= 2
            if digit == "1":
                stones = self._sum(stones, (direction.ahead(own, length),))
                length += 1
        return Windows(still_open, stones)

    def _sum(self, one: tuple, other: tuple) -> tuple:
        """Sum, at every point, of two numbers of stones given as binary digits."""
        carry, digits = bb.empty(self.rows), []
        for a, b in zip_longest(one, other, fillvalue=bb.empty(self.rows)):
            half = _differing(a, b)
            digits.append(_differing(half, carry))
            carry = bb.union(bb.intersection(a, b), bb.intersection(half, carry))
        return (*digits, carry)[: self.in_a_row.bit_length()]

    def _either_side(self, direction: Direction, own: bb.Board, windows: bb.Board) -> tuple[bb.Board, bb.Board]:
        """In windows with two empty points: (the first of these, the last), and with them points with own stones."""
        first = from_start = windows
        last = from_end = direction.ahead(windows, 1 - self.in_a_row)
        for _ in range(self.in_a_row - 1):
            from_start = direction.ahead(bb.intersection(from_start, own), -1)
            from_end = direction.ahead(bb.intersection(from_end, own), 1)
            first, last = bb.union(first, from_start), bb.union(last, from_end)
        return first, last

    def _fullest(self, windows: Windows) -> Int[Array, ""]:
        fullest = jnp.int32(-1)
        for stones in range(self.in_a_row - 1):
            fullest = jnp.where(bb.any_set(_holding(windows, stones)), stones, fullest)
        return fullest

    # ---------------------------------------------------------------- constants
    @property
    def _axes(self) -> Direction:
        """All directions, along a leading axis."""
        along_row = np.array([down == 0 for down, _ in self.directions])
        turn = np.array([-down * right for down, right in self.directions], np.int32)
        inside = np.array([_rotated(self._inside(*d), t) for d, t in zip(self.directions, turn, strict=True)])
        return Direction(np.arange(len(turn)), along_row, turn, tuple(inside.T))

    def _inside(self, down: int, right: int) -> np.ndarray:
        """UInt32[rows]: the points from which a window lies on the board."""
        row, column = np.indices((self.rows, self.columns))
        last_row, last_column = row + (self.in_a_row - 1) * down, column + (self.in_a_row - 1) * right
        mask = (last_row < self.rows) & (last_column >= 0) & (last_column < self.columns)
        return (mask << column).sum(1).astype(np.uint32)

    @property
    def _middle(self) -> bb.Board:
        middle = sum(1 << column for column in range(self.columns // 3, self.columns - self.columns // 3))
        rows = range(self.rows // 3, self.rows - self.rows // 3)
        return tuple(jnp.uint32(middle if row in rows else 0) for row in range(self.rows))


def _rotated(board: Iterable, turn: Any) -> bb.Board:
    """Row r rotated by r · turn bits to the left."""
    rotated = []
    for number, row in enumerate(board):
        left, right = (number * turn & 31).astype(np.uint32), (-number * turn & 31).astype(np.uint32)
        rotated.append(row << left | row >> right)
    return tuple(rotated)


def _holding(windows: Windows, stones: int | Int[Array, ""]) -> bb.Board:
    """The open windows that hold `stones` stones."""
    held = windows.open
    for i, digit in enumerate(windows.stones):
        unwanted = jnp.where((jnp.int32(stones) >> i) & 1, jnp.uint32(0), ~jnp.uint32(0))
        held = tuple(a & (b ^ unwanted) for a, b in zip(held, digit, strict=True))
    return held


def _differing(board: bb.Board, other: bb.Board) -> bb.Board:
    return tuple(a ^ b for a, b in zip(board, other, strict=True))


def _each(boards: bb.Board) -> tuple[bb.Board, ...]:
    """Boards that lie along a leading axis of their rows, one by one."""
    return tuple(tuple(row[i] for row in boards) for i in range(len(boards[0])))
