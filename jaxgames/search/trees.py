"""Games of two seats as a search walks through them.

In a tree the two sides alternate at every ply: a side that cannot move passes, and that is a ply too. A set of moves is
a bitboard (a tuple of uint32, each of `width` points, in which a point's index is the action); one move is a set of one
point, and a pass is the empty set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.core import Game, Leaf, State

Node = Any  # a frozen pytree: one position with its side to move


def plainly(function: Callable, *args: Any) -> Any:
    """function(*args): how a search runs its parts if not as stages."""
    return function(*args)


@runtime_checkable
class Tree(Protocol):
    """A game of two seats for a search. Without `moves` a side must pass or the game is over: `over` decides."""

    @property
    def game(self) -> Game:
        """The game that is searched."""
        ...

    @property
    def width(self) -> int:
        """Number of points in one integer of a bitboard."""
        ...

    @property
    def can_pass(self) -> bool:
        """Whether there is a position in which a side cannot move although the game goes on."""
        ...

    @property
    def classes(self) -> tuple[bb.Board, ...]:
        """How good moves are likely to be by the action alone: a number of at least 1 for every action, larger is
        better, as bitboards of its binary digits, the lowest first. Empty if nothing is known.
        """
        ...

    def root(self, state: State) -> tuple[Node, bb.Board]:
        """(node, moves) of a position that is not over."""
        ...

    def play(self, node: Node, move: bb.Board, run: Callable = plainly) -> Node:
        """The child. `move` is a set of one point, or empty for a pass. `run(function, *args)` calls each part."""
        ...

    def moves(self, node: Node) -> bb.Board:
        """The legal moves of a node that `root` or `play` returned, a bitboard."""
        ...

    def over(self, node: Node, moves: bb.Board, passed: Bool[Array, ""]) -> Bool[Array, ""]:
        """Whether the game is over. `moves` are the node's, `passed` says whether the ply before was a pass."""
        ...

    def lead(self, node: Node) -> Int[Array, ""]:
        """At the end of a game: positive if the side to move has won, negative if it has lost, 0 for a draw."""
        ...


@runtime_checkable
class SearchableGame(Game, Protocol):
    """A game that brings a tree of its own, which is quicker than `GameTree`."""

    def tree(self) -> Tree:
        """The quickest tree of this game."""
        ...


def tree_of(game: Game) -> Tree:
    """The quickest tree that there is for a game. Raises ValueError unless it has two seats."""
    if isinstance(game, SearchableGame):  # the member is optional
        return game.tree()
    return GameTree(game)


@flax.struct.dataclass
class Turn:
    """A node of a `GameTree`."""

    state: Any  # of the game
    seat: Leaf  # Int[""], whose turn it is in the tree: it passes if the state has the other seat to move


@dataclass(frozen=True)
class GameTree:
    """The tree of any game of two seats, by its own rules. Raises ValueError for another number of seats.

    can_pass: may be unset for a game whose seats always alternate; a search then needs one frame less.
    """

    game: Game
    can_pass: bool = True

    width = 32
    classes = ()

    def __post_init__(self):
        if self.game.num_seats != 2:
            raise ValueError(f"a search tree has two sides, but {self.game} has {self.game.num_seats} seats")

    def root(self, state: State) -> tuple[Turn, bb.Board]:
        node = Turn(state, self.game.to_move(state))
        return node, self.moves(node)

    def play(self, node: Turn, move: bb.Board, run: Callable = plainly) -> Turn:
        return run(self._play, node, move)

    def _play(self, node: Turn, move: bb.Board) -> Turn:
        after = self.game.play(node.state, bb.index(move, self.width))
        passes = ~bb.any_set(move)
        state = jax.tree.map(lambda old, new: jnp.where(passes, old, new), node.state, after)
        return Turn(state, 1 - node.seat)

    def moves(self, node: Turn) -> bb.Board:
        on_move = (self.game.to_move(node.state) == node.seat) & ~self.game.terminal(node.state)
        padding = -self.game.num_actions % self.width
        mask = jnp.pad(self.game.legal(node.state) & on_move, (0, padding))
        return bb.from_mask(mask, self.width)

    def over(self, node: Turn, moves: bb.Board, passed: Bool[Array, ""]) -> Bool[Array, ""]:
        return self.game.terminal(node.state)

    def lead(self, node: Turn) -> Int[Array, ""]:
        returns = self.game.returns(node.state)
        return jnp.sign(jnp.where(node.seat == 0, returns[0], returns[1])).astype(jnp.int32)
