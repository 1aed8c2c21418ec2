"""What a search carries from step to step (see `alpha_beta`), and what a move filter is."""

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
class MoveFilter(Protocol):
    """Which moves a search looks at: a pytree. It is asked at every node whose moves are searched, and may remember
    something from one node to the next, through all searches of a game. A focus network is one; Moriarty &
    Miikkulainen (1994) call the moves that it keeps its window.
    """

    def reset(self) -> Memory:
        """What it remembers when a game begins: () for nothing."""
        ...

    def keep(
        self, node: Node, moves: bb.Board, ply: Int[Array, ""], memory: Memory
    ) -> tuple[bb.Board, bb.Board, Memory]:
        """(moves to look at, move to take if there are none of these, what to remember).

        The first two are bitboards of which only the legal `moves` count. `ply` is 0 at the root: at even plies the
        searching side is to move and at odd ones the other.
        """
        ...


@flax.struct.dataclass
class Effort:
    """How hard a player searches."""

    level: Leaf  # Int[""], depth of the search in plies, at least 1
    ordered: Leaf  # Int[""], number of first plies at which moves are ordered by static values
    breadth: Leaf  # Int[""], number of moves that are searched, those of the best static values; 0: all
    filtered: Leaf  # Bool[""], whether the move filter is asked


@flax.struct.dataclass
class Frame:
    """A node whose moves are being searched, on the stack. Values are for its side to move."""

    node: Node
    left: tuple  # bitboard, moves still to be searched
    beta: Leaf  # Int[""], the node is cut off at this value: the other side has better elsewhere
    best: Leaf  # Int[""], the largest value so far; at first alpha, the largest that this side has elsewhere


@flax.struct.dataclass
class Ordering:
    """What is known for ordering the moves of a frame."""

    unknown: tuple  # bitboard, moves whose static value is yet to be found
    keys: tuple  # bitboards: binary digits of the values, the lowest first; larger is better


@flax.struct.dataclass
class Counts:
    """Int[""] each."""

    leaves: Leaf  # positions at the end of a line of play: evaluated, or the game was over
    nodes: Leaf  # positions visited in the search, without the root and those visited to order moves


@flax.struct.dataclass
class FilterCounts:
    """How much a move filter keeps: Int[""] each."""

    asked: Leaf  # number of nodes at which it was asked
    legal: Leaf  # number of legal moves there
    kept: Leaf  # number of moves kept of these
    empty: Leaf  # number of nodes at which it kept none


@flax.struct.dataclass
class SearchState:
    """The search of one position."""

    frames: tuple  # the stack, of `Frame`s, the root's first
    orderings: tuple  # of `Ordering`s, for the first frames
    depth: Leaf  # Int[""], the frame at which the search is
    effort: Effort  # of the player
    bits: Leaf  # UInt32[""], random: decides among the best moves
    root_move: tuple  # bitboard, the move of the root that is being searched
    best_moves: tuple  # bitboard, all best moves of the root so far
    done: Leaf  # Bool[""]
    waiting: Leaf  # Bool[""], the move filter is yet to be asked at the node at which the search is
    counts: Counts  # so far
    filter_counts: FilterCounts | tuple  # () for a search without a move filter
    memory: Memory  # of the move filter


@flax.struct.dataclass
class Step:
    """The child to visit next."""

    parent: Frame  # whose move it is
    move: tuple  # bitboard, from the parent to the child
    static: Leaf  # Bool[""], only its static value is wanted, to order moves


@flax.struct.dataclass
class Visit:
    """What a step has brought. At most one of the flags, Bool[""] each, is set."""

    static: Leaf  # a static value, to order moves
    down: Leaf  # a node whose moves are to be searched
    back: Leaf  # a value of the move
    value: Leaf  # Int[""], for the parent's side


Stack = tuple[Any, ...]  # the root's entry first; separate arrays, which XLA on a CPU does not transpose


def get(stack: Stack, number: Int[Array, ""]) -> Any:
    """stack[number]. By selections, not by a gather: under XLA on a CPU these stay vector instructions."""
    result = stack[-1]
    for i, entry in reversed(list(enumerate(stack[:-1]))):
        result = jax.tree.map(partial(jnp.where, number == i), entry, result)
    return result


def put(stack: Stack, number: Int[Array, ""], wanted: Bool[Array, ""], new: Any) -> Stack:
    """The stack with `new` at stack[number], if that is wanted and there is such an entry."""
    return tuple(jax.tree.map(partial(jnp.where, wanted & (number == i)), new, entry) for i, entry in enumerate(stack))
