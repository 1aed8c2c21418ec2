"""Othello as a search walks through it: only the two sides, by the squares' bit operations."""

from collections.abc import Callable
from dataclasses import dataclass

import flax.struct
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.core import Game, State
from jaxgames.games.othello import squares
from jaxgames.games.othello.positional import weights
from jaxgames.games.othello.squares import WIDTH
from jaxgames.search.trees import plainly


# ---------------------------------------------------------------- Othello
@flax.struct.dataclass
class Sides:
    """A node: the discs of both sides, seen by the side to move."""

    own: tuple  # bitboard, discs of the side to move
    other: tuple  # bitboard, discs of the other side


@dataclass(frozen=True)
class OthelloTree:
    """Finds the moves of one side only: that a game is over is seen when neither side could move."""

    game: Game
    width = WIDTH
    can_pass = True

    @property
    def classes(self) -> tuple[bb.Board, ...]:
        """Squares ranked by the weights of the classic table."""
        table = weights("classic")
        rank = {weight: number for number, weight in enumerate(sorted(set(table)), 1)}
        digits = len(rank).bit_length()
        return tuple(
            squares.square_set(s for s, weight in enumerate(table) if rank[weight] >> i & 1) for i in range(digits)
        )

    def root(self, state: State) -> tuple[Sides, bb.Board]:
        """See `search.trees.Tree`."""
        return Sides(state.own, state.other), state.moves

    def play(self, node: Sides, move: bb.Board, run: Callable = plainly) -> Sides:
        """See `search.trees.Tree`."""
        turned = run(squares.flips, node.own, node.other, move)
        return run(self._turn, node, move, turned)

    def _turn(self, node: Sides, move: bb.Board, turned: bb.Board) -> Sides:
        return Sides(own=bb.without(node.other, turned), other=bb.union(node.own, move, turned))

    def moves(self, node: Sides) -> bb.Board:
        """See `search.trees.Tree`."""
        return squares.moves(node.own, node.other)

    def over(self, node: Sides, moves: bb.Board, passed: Bool[Array, ""]) -> Bool[Array, ""]:
        """Neither side could move."""
        return passed & ~bb.any_set(moves)

    def lead(self, node: Sides) -> Int[Array, ""]:
        """Discs of the side to move, less those of the other."""
        return bb.count(node.own) - bb.count(node.other)
