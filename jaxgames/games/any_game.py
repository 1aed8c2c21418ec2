"""Any game of numbered actions as a StoneGame, so that it can be drawn, played by all players and learned by networks.

A new game needs nothing but the members of `core.Game`, and `planes` where it is drawn or a network looks at it.
"""

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Game, State, StoneGame, draw_legal
from jaxgames.games.points import PointNames
from jaxgames.search.trees import Tree, tree_of

MOST_COLUMNS = 31  # of a bitboard
NUMBERED = "num_actions", "max_plies", "legal", "play"  # what a Game has beside the rules of any other game


@runtime_checkable
class NamingGame(Protocol):
    """A game with names of its own for its actions, see `core.BoardGame`."""

    def action_name(self, action: int) -> str:
        """See `core.BoardGame`."""
        ...

    def parse_action(self, text: str) -> int:
        """See `core.BoardGame`."""
        ...


@runtime_checkable
class ScoringGame(Protocol):
    """A game with scores of its own, see `core.BoardGame`."""

    def final_scores(self, state: State) -> Int[Array, "seats"]:
        """See `core.BoardGame`."""
        ...


@runtime_checkable
class SeenGame(Protocol):
    """A game that shows its board, see `core.BoardGame`."""

    def planes(self, state: State) -> Bool[Array, "seats points"]:
        """See `core.BoardGame`."""
        ...


@dataclass(frozen=True)
class Board(PointNames):
    """The points of a board without rules, for their names."""

    rows: int
    columns: int


@dataclass(frozen=True)
class AnyGame:
    """A StoneGame made of `rules`, whose states and actions it has.

    What the rules say beside the members of a Game (title, rows, columns, min_plies, names of actions, scores) counts.
    Else a board is square if the number of actions is a square number, and has one row if there are at most 31 actions;
    anything else raises ValueError.
    """

    rules: Game

    def __post_init__(self):
        rows, columns = self._shape
        if rows * columns != self.num_actions or columns > MOST_COLUMNS:
            raise ValueError(
                f"{self.title} has {self.num_actions} actions, which needs `rows` × `columns` of the same product and "
                f"at most {MOST_COLUMNS} columns, not {rows} × {columns}"
            )

    # ---------------------------------------------------------------- the rules
    @property
    def num_seats(self) -> int:
        """See `core.Rules`."""
        return self.rules.num_seats

    @property
    def num_actions(self) -> int:
        """See `core.Game`."""
        return self.rules.num_actions

    @property
    def max_plies(self) -> int:
        """See `core.Game`."""
        return self.rules.max_plies

    def start(self) -> State:
        """See `core.Rules`."""
        return self.rules.start()

    def to_move(self, state: State) -> Int[Array, ""]:
        """See `core.Rules`."""
        return self.rules.to_move(state)

    def legal(self, state: State) -> Bool[Array, "actions"]:
        """See `core.Game`."""
        return self.rules.legal(state)

    def play(self, state: State, action: Int[Array, ""]) -> State:
        """See `core.Game`."""
        return self.rules.play(state, action)

    def terminal(self, state: State) -> Bool[Array, ""]:
        """See `core.Rules`."""
        return self.rules.terminal(state)

    def returns(self, state: State) -> Float[Array, "seats"]:
        """See `core.Rules`."""
        return self.rules.returns(state)

    # ---------------------------------------------------------------- the board
    @property
    def title(self) -> str:
        """The rules' own, or the name of their class with the values of its fields."""
        return title_of(self.rules)

    @property
    def rows(self) -> int:
        """The rules' own, or as the class says."""
        return self._shape[0]

    @property
    def columns(self) -> int:
        """The rules' own, or as the class says."""
        return self._shape[1]

    @property
    def min_plies(self) -> int:
        """The rules' own, or 1."""
        return getattr(self.rules, "min_plies", 1)

    @property
    def in_squares(self) -> bool:
        """The rules' own, or True."""
        return getattr(self.rules, "in_squares", True)

    def resized(self, size: int) -> NoReturn:
        """Raises ValueError: nothing is known of other boards."""
        raise ValueError(f"{self.title} has no board of {size} × {size}: these rules cannot be resized")

    def planes(self, state: State) -> Bool[Array, "seats points"]:
        """The rules' own. Raises ValueError if there are none, or not one point for each action."""
        needed = f"planes(state) -> Bool[{self.num_seats} seats, {self.num_actions} points]"
        if not isinstance(self.rules, SeenGame):
            raise ValueError(f"{self.title} has no {needed}, which networks and drawings need")
        planes = self.rules.planes(state)
        if planes.shape != (self.num_seats, self.num_actions):
            raise ValueError(f"{self.title} needs {needed}, not an array of shape {planes.shape}")
        return planes

    def action_name(self, action: int) -> str:
        """The rules' own, or a point such as C3. Raises ValueError for an action that is not on the board."""
        return self._names.action_name(action)

    def parse_action(self, text: str) -> int:
        """The inverse of `action_name`. Raises ValueError for text that names no action."""
        return self._names.parse_action(text)

    def final_scores(self, state: State) -> Int[Array, "seats"]:
        """The rules' own, or 1 for the winner and 0 for all others."""
        if isinstance(self.rules, ScoringGame):
            return self.rules.final_scores(state)
        return (self.rules.returns(state) > 0).astype(jnp.int32)

    # ---------------------------------------------------------------- for players
    def empties(self, state: State) -> bb.Board:
        """The legal actions."""
        return self._board(self.rules.legal(state))

    def draw(self, state: State, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """See `core.draw_legal`."""
        return draw_legal(self.rules, state, bits)

    def tactics(self, state: State) -> tuple[bb.Board, bb.Board]:
        """(actions that win at once, actions that lose at once), found by playing every one: its cost is num_actions
        calls of `play`.
        """
        seat, legal = self.rules.to_move(state), self.rules.legal(state)

        def result(action: Int[Array, ""]) -> Float[Array, ""]:
            after = self.rules.play(state, action)
            return jnp.where(self.rules.terminal(after), self.rules.returns(after)[seat], 0)

        results = jax.vmap(result)(jnp.arange(self.num_actions, dtype=jnp.int32))
        return self._board(legal & (results > 0)), self._board(legal & (results < 0))

    def priorities(self, state: State) -> tuple[bb.Board, ...]:
        """Actions that win at once, then actions that do not lose at once."""
        winning, losing = self.tactics(state)
        return winning, bb.without(self.empties(state), losing)

    def tree(self) -> Tree:
        """The rules' own quickest tree, see `search.trees.tree_of`."""
        return tree_of(self.rules)

    # ---------------------------------------------------------------- what the rules leave open
    @cached_property
    def _shape(self) -> tuple[int, int]:
        rows, columns = getattr(self.rules, "rows", None), getattr(self.rules, "columns", None)
        if rows is not None and columns is not None:
            return rows, columns
        side = math.isqrt(self.num_actions)
        if side**2 == self.num_actions:
            return side, side
        if self.num_actions <= MOST_COLUMNS:
            return 1, self.num_actions
        raise ValueError(
            f"{self.title} has {self.num_actions} actions, which is no square number and too many for one row: "
            "give the game `rows` and `columns`"
        )

    @property
    def _names(self) -> NamingGame:
        return self.rules if isinstance(self.rules, NamingGame) else Board(self.rows, self.columns)

    def _board(self, mask: Bool[Array, "actions"]) -> bb.Board:
        return bb.from_mask(mask, self.columns)


def board_game(game: Any) -> StoneGame:
    """The game itself if it is a complete StoneGame, else an `AnyGame` of it. Raises ValueError for games that are not
    played by numbered actions, such as Backgammon, and for those whose board is unknown.
    """
    if isinstance(game, StoneGame):
        return game
    return AnyGame(numbered_game(game))


def numbered_game(game: Any) -> Game:
    """The game itself. Raises ValueError unless it is a `core.Game`."""
    if isinstance(game, Game):
        return game
    missing = [name for name in NUMBERED if not hasattr(game, name)]
    raise ValueError(f"{title_of(game)} is not played by numbered actions: it has no {', '.join(missing)}")


def title_of(game: Any) -> str:
    """The game's own title, or the name of its class with the values of its fields."""
    title = getattr(game, "title", None)
    if title is not None:
        return title
    values = (
        [f"{f.name}={getattr(game, f.name)}" for f in dataclasses.fields(game)]
        if dataclasses.is_dataclass(game)
        else []
    )
    return type(game).__name__ + (f"({', '.join(values)})" if values else "")
