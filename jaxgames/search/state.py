"""What a search carries from step to step (see `search`), and what a window is."""

from functools import partial
from typing import Any, Protocol, runtime_checkable

import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory
from jaxgames.search.trees import Node


@runtime_checkable
class Window(Protocol):
    """Which moves a search looks at: a pytree. It is asked at every node whose moves are searched, and may remember
    something from one node to the next, through all searches of a game.
    """

    def reset(self) -> Memory:
        """What it remembers when a game begins: () for nothing."""
        ...

    def keep(
        self, node: Node, moves: bb.Board, ply: Int[Array, ""], memory: Memory
    ) -> tuple[bb.Board, bb.Board, Memory]:
        """(the moves to look at, the one to take if these are none, what to remember). The first two are bitboards of
        which only the legal `moves` count. `ply` is 0 at the root: at even plies the searching side is to move and at
        odd ones the other.
        """
        ...


@flax.struct.dataclass
class Effort:
    """How hard a player searches."""

    level: Leaf  # Int[""], the depth in plies, at least 1
    ordered: Leaf  # Int[""], at how many plies moves are ordered by static values
    breadth: Leaf  # Int[""], only so many moves of the best static values are searched; 0: all
    windowed: Leaf  # Bool[""]


@flax.struct.dataclass
class Level:
    """A node whose moves are being searched. Numbers are for its side to move."""

    node: Node
    left: tuple  # bitboard, moves still to be searched
    beta: Leaf  # a value so large is enough: the other side has better elsewhere
    best: Leaf  # the largest value so far; at first the largest that this side has elsewhere


@flax.struct.dataclass
class Ordering:
    """What is known for ordering the moves of a level."""

    unknown: tuple  # bitboard, moves whose static value is yet to be found
    keys: tuple  # bitboards: binary digits of the values, the lowest first; the larger the better


@flax.struct.dataclass
class Counts:
    """Int[""] each."""

    leaves: Leaf  # positions at the end of a line of play: evaluated, or the game was over
    nodes: Leaf  # positions visited in the search, but for the root and those visited for the order of moves


@flax.struct.dataclass
class Windows:
    """Int[""] each."""

    asked: Leaf  # how often
    legal: Leaf  # moves that were legal then
    kept: Leaf  # those that the window kept
    blind: Leaf  # windows that kept none


@flax.struct.dataclass
class Work:
    levels: tuple  # of Level, the root's first
    orderings: tuple  # of Ordering, for the first levels
    at: Leaf  # Int[""], the level at which the search is
    effort: Effort
    word: Leaf  # random
    trying: tuple  # bitboard, the move of the root that is being searched
    best_moves: tuple  # bitboard, all best moves of the root so far
    done: Leaf
    waiting: Leaf  # Bool[""], the window of the node at which the search is has not been asked yet
    counts: Counts
    windows: Windows | tuple  # () for a search without
    memory: Memory  # of the window


@flax.struct.dataclass
class Look:
    """The next child to visit."""

    level: Level  # of its parent
    move: tuple
    ordering: Leaf  # Bool[""], only its static value is wanted


@flax.struct.dataclass
class News:
    """What a visit has brought; at most one of the three holds."""

    ordering: Leaf  # Bool[""], a static value for the order of moves
    down: Leaf  # Bool[""], a node whose moves are to be searched
    back: Leaf  # Bool[""], a value
    value: Leaf  # for the parent's side


Stack = tuple[Any, ...]  # of levels, the root's first; separate arrays, which XLA on a CPU does not transpose


def get(stack: Stack, number: Int[Array, ""]) -> Any:
    """One level of a stack. By selections, not by a gather: under XLA on a CPU these stay vector instructions."""
    result = stack[-1]
    for i, level in reversed(list(enumerate(stack[:-1]))):
        result = jax.tree.map(partial(jnp.where, number == i), level, result)
    return result


def put(stack: Stack, number: Int[Array, ""], wanted: Bool[Array, ""], new: Any) -> Stack:
    """`new` in place of a level of a stack, if that is wanted and there is such a level."""
    return tuple(jax.tree.map(partial(jnp.where, wanted & (number == i)), new, level) for i, level in enumerate(stack))
