"""Mixins of games whose stones lie on the points of a board, and the names of these points.

Columns have letters from the left, without I; rows have numbers from the bottom. On 9 × 9 action 0 is the point A9 and
action 80 is J1.
"""

from dataclasses import replace
from typing import Protocol, TypeVar, runtime_checkable

import jax.numpy as jnp
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import BoardGame, Game, Rules, State, StoneGame
from jaxgames.search.trees import GameTree

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
SquareGame = TypeVar("SquareGame", bound="SquareBoard")


@runtime_checkable
class Grid(Protocol):
    """What names of points need to know of a board."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def columns(self) -> int:
        """The number of columns."""
        ...


class PointNames:
    """Mixin of boards whose points have names such as C3."""

    def action_name(self: Grid, action: int) -> str:
        """The point's name, such as C3. Raises ValueError for an action that is not on the board."""
        if not 0 <= action < self.rows * self.columns:
            raise ValueError(f"action {action} is not on a board of {self.rows} × {self.columns}")
        row, column = divmod(int(action), self.columns)
        return f"{_column_letters(column)}{self.rows - row}"

    def parse_action(self: Grid, text: str) -> int:
        """The inverse of `action_name`, in capitals or not. Raises ValueError for text that names no point."""
        letters = text.upper().rstrip(DIGITS)
        columns = [_column_letters(column) for column in range(self.columns)]
        digits = text[len(letters) :]
        if letters not in columns or not 1 <= int(digits or 0) <= self.rows:
            raise ValueError(f"{text!r} is not a point from A1 to {columns[-1]}{self.rows}")
        return (self.rows - int(digits)) * self.columns + columns.index(letters)


class Points(PointNames):
    """Mixin of StoneGames whose seats move in rotation, and whose stones lie on the crossings of lines."""

    in_squares = False

    def draw(self: StoneGame, state: State, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """See `core.DrawingGame`."""
        return bb.draw(self.empties(state), self.columns, bits)

    def tree(self: Game) -> GameTree:
        """See `search.trees.SearchableGame`: a seat to move always has a move, so that nobody passes."""
        return GameTree(self, can_pass=False)

    def final_scores(self: Rules, state: State) -> Int[Array, "seats"]:
        """1 for the winner, 0 for all others."""
        return (self.returns(state) > 0).astype(jnp.int32)


class SquareBoard(Points):
    """Mixin of StoneGames on a board of `size` × `size`, a field of the game."""

    size: int

    @property
    def rows(self) -> int:
        """The board's `size`."""
        return self.size

    @property
    def columns(self) -> int:
        """The board's `size`."""
        return self.size

    @property
    def num_actions(self) -> int:
        """One for each point."""
        return self.size**2

    def resized(self: SquareGame, size: int) -> SquareGame:
        """The same rules on a board of `size` × `size`. Raises ValueError where they do not fit."""
        return replace(self, size=size)  # type: ignore[type-var]  # a dataclass


def board_labels(game: BoardGame) -> tuple[list[str], list[str]]:
    """(labels of the columns from the left, labels of the rows from the top), as they stand in the actions' names."""
    columns = [game.action_name(column).rstrip(DIGITS) for column in range(game.columns)]
    rows = [game.action_name(row * game.columns).removeprefix(columns[0]) for row in range(game.rows)]
    return columns, rows


def _column_letters(column: int) -> str:
    return "A" * (column // len(LETTERS)) + LETTERS[column % len(LETTERS)]
