"""Gomoku on a board of rows × columns: complete a line of your own stones.

Seats move in rotation, seat 0 starts, a stone goes on any empty point. The seat that completes a horizontal, vertical
or diagonal line wins. A line has at least `in_a_row` stones ("freestyle") or, with `exact`, exactly `in_a_row`. A full
board is a draw. Connect-k games such as tic-tac-toe (3, 3, 3) are special cases.

With `directions` = 3 a line down and to the left does not count. The program of Schaul & Schmidhuber (2008) played so;
this is for comparisons with its results only.
"""

from dataclasses import dataclass, replace

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns
from jaxgames.games.gomoku.priorities import Lines
from jaxgames.games.points import Points

DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)  # (down, right); the last one is the anti-diagonal


@flax.struct.dataclass
class GomokuState:
    """A position."""

    stones: tuple  # one bitboard per seat; the seat to move first, then the others in order of play
    plies: Leaf  # Int[""], stones on the board


@dataclass(frozen=True)
class Gomoku(Points):
    """Gomoku for 2 to 4 seats on up to 19×19 points; the module's text explains the fields."""

    rows: int = 15
    columns: int = 15
    in_a_row: int = 5  # stones of a line
    exact: bool = False  # whether longer lines do not count
    num_seats: int = 2
    directions: int = 4  # 3: lines down and to the left do not count

    def __post_init__(self):
        if not (1 <= self.rows <= 19 and 1 <= self.columns <= 19):
            raise ValueError(f"a Gomoku board has 1 to 19 rows and columns, not {self.rows} × {self.columns}")
        if not 2 <= self.in_a_row <= max(self.rows, self.columns):
            raise ValueError(f"in_a_row = {self.in_a_row} does not fit a board of {self.rows} × {self.columns}")
        if not 2 <= self.num_seats <= 4:
            raise ValueError(f"Gomoku has 2 to 4 seats, not {self.num_seats}")
        if self.directions not in (3, 4):
            raise ValueError(f"directions must be 4, or 3 to leave out the anti-diagonal, not {self.directions}")

    @property
    def title(self) -> str:
        """Such as Gomoku 9×9, 5 in a row."""
        how = "exactly " if self.exact else ""
        seats = f", {self.num_seats} seats" if self.num_seats > 2 else ""
        lines = ", no anti-diagonals" if self.directions == 3 else ""
        return f"Gomoku {self.rows}×{self.columns}, {how}{self.in_a_row} in a row{seats}{lines}"

    @property
    def num_actions(self) -> int:
        """One for each point."""
        return self.rows * self.columns

    @property
    def max_plies(self) -> int:
        """A game that fills the board."""
        return self.rows * self.columns

    @property
    def min_plies(self) -> int:
        """Seat 0 completes a line with its stone number `in_a_row`."""
        return self.num_seats * (self.in_a_row - 1) + 1

    def resized(self, size: int) -> "Gomoku":
        """The same rules on a board of `size` × `size`."""
        return replace(self, rows=size, columns=size)

    def start(self) -> GomokuState:
        """The empty board; seat 0 is to move."""
        return GomokuState((bb.empty(self.rows),) * self.num_seats, jnp.int32(0))

    def to_move(self, state: GomokuState) -> Int[Array, ""]:
        """The seats move in rotation."""
        return state.plies % self.num_seats

    def empties(self, state: GomokuState) -> bb.Board:
        """The points without a stone."""
        return bb.without(bb.full(self.rows, self.columns), bb.union(*state.stones))

    def legal(self, state: GomokuState) -> Bool[Array, "actions"]:
        """The points without a stone; none after the end."""
        return bb.to_mask(self.empties(state), self.columns) & ~self.terminal(state)

    def play(self, state: GomokuState, action: Int[Array, ""]) -> GomokuState:
        """Places a stone."""
        mover, *others = state.stones
        stone = bb.one_hot(action, self.rows, self.columns)
        return GomokuState((*others, bb.union(mover, stone)), state.plies + 1)

    def terminal(self, state: GomokuState) -> Bool[Array, ""]:
        """Whether the last mover has a line, or the board is full."""
        return self.has_line(state.stones[-1]) | (state.plies == self.max_plies)

    def returns(self, state: GomokuState) -> Float[Array, "seats"]:
        """1 for the seat with a line, and the other seats share −1 equally; a full board is a draw."""
        last = (state.plies + self.num_seats - 1) % self.num_seats
        return last_mover_returns(self.num_seats, last, jnp.where(self.has_line(state.stones[-1]), 1.0, 0.0))

    def planes(self, state: GomokuState) -> Bool[Array, "seats points"]:
        """The stones of the seat to move, of the next seat, and so on."""
        return jnp.stack([bb.to_mask(stones, self.columns) for stones in state.stones])

    def tactics(self, state: GomokuState) -> tuple[bb.Board, bb.Board]:
        """(points that complete a line, none: no move loses at once) for the seat to move."""
        return self.completions(state.stones[0], self.empties(state)), bb.empty(self.rows)

    def priorities(self, state: GomokuState) -> tuple[bb.Board, ...]:
        """See `priorities.Lines.priorities`."""
        return self.lines.priorities(state.stones, self.empties(state))

    @property
    def lines(self) -> Lines:
        """What `priorities` knows about lines."""
        return Lines(self.rows, self.columns, self.in_a_row, self.exact, DIRECTIONS[: self.directions])

    def completions(self, stones: bb.Board, empties: bb.Board) -> bb.Board:
        """Empty points at which one more stone beside `stones` completes a line."""
        found = bb.empty(self.rows)
        for direction in DIRECTIONS[: self.directions]:
            ahead = self._runs(stones, *direction)
            behind = self._runs(stones, -direction[0], -direction[1])
            for i in range(self.in_a_row):
                line = bb.intersection(ahead[i], behind[self.in_a_row - 1 - i])
                if self.exact:
                    line = bb.intersection(line, self._ends(stones, direction, i, self.in_a_row - 1 - i))
                found = bb.union(found, line)
        return bb.intersection(found, empties)

    def _runs(self, stones: bb.Board, down: int, right: int) -> list[bb.Board]:
        """For i = 0 … in_a_row − 1: points whose next i points in this direction all carry a stone."""
        runs = [bb.full(self.rows, self.columns)]
        for i in range(1, self.in_a_row):
            runs.append(bb.intersection(runs[-1], self._beyond(stones, i * down, i * right)))
        return runs

    def _ends(self, stones: bb.Board, direction: tuple[int, int], ahead: int, behind: int) -> bb.Board:
        """Points that have no stone just beyond `ahead` points in front and `behind` points at the back."""
        down, right = direction
        front = self._beyond(stones, (ahead + 1) * down, (ahead + 1) * right)
        back = self._beyond(stones, -(behind + 1) * down, -(behind + 1) * right)
        return bb.without(bb.full(self.rows, self.columns), bb.union(front, back))

    def _beyond(self, stones: bb.Board, down: int, right: int) -> bb.Board:
        """`shifted` within the columns of the board."""
        seen = bb.shifted(stones, down, right)
        return seen if right >= 0 else bb.intersection(seen, bb.full(self.rows, self.columns))

    def has_line(self, stones: bb.Board) -> Bool[Array, ""]:
        """Whether there is a line among `stones`."""
        found = jnp.uint32(0)
        for direction in DIRECTIONS[: self.directions]:
            for row in self._lines(stones, direction):
                found = found | row
        return found != 0

    def _lines(self, stones: bb.Board, direction: tuple[int, int]) -> bb.Board:
        """First points of lines of `in_a_row` stones, by doubling: runs of 1, 2, 4 … points, then the rest."""
        down, right = direction
        runs, length = stones, 1
        while length < self.in_a_row:
            step = min(length, self.in_a_row - length)
            runs = bb.intersection(runs, bb.shifted(runs, step * down, step * right))
            length += step
        if self.exact:
            runs = bb.intersection(runs, self._ends(stones, direction, self.in_a_row - 1, 0))
        return runs
