"""Alpha-beta search in steps of one node, so that one loop can run many searches at once, each at its own place.

The search of one position is a `SearchState`, a pytree with a stack of frames. A step visits one child of the node at
which the search is: `_next_step` says which, the tree plays the move and finds the child's moves, the evaluation gives
its value, and the rest backs values up and updates the stack. A batched loop runs each of these functions as a stage of
its own.

The moves of the first plies may be ordered by the static values of the positions they lead to. For that each child of
the node is visited once more, beforehand. The values are kept as binary digits of a number at each point of the board,
and a few bit operations find the best of the moves that are left: nothing is sorted.

A position is evaluated where the search has reached its depth and the side to move can move; a pass there is followed
for one more ply. So every evaluated position is one in which its side has a choice, or the game is over.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Memory
from jaxgames.search.evaluation import StaticEvaluation
from jaxgames.search.state import (
    Counts,
    Effort,
    FilterCounts,
    Frame,
    MoveFilter,
    Ordering,
    SearchState,
    Step,
    Visit,
    get,
    put,
)
from jaxgames.search.trees import Node, Tree, plainly

INFINITE = 1 << 28
WON = 1 << 20  # to this the lead at the end is added: any win is better than any evaluation


@dataclass(frozen=True)
class AlphaBeta:
    """What is fixed when a search is compiled. Raises ValueError for limits that are too small."""

    tree: Tree  # of the game
    max_level: int  # efforts have at most this level, ordered and breadth
    max_ordered: int = 2  # plies
    max_breadth: int = 0  # moves; 0: all
    filtered: bool = False  # whether there are move filters
    by_class: bool = True  # moves not ordered by static values are ordered by the tree's classes, else by action
    bound: int = 1000  # of the evaluation

    def __post_init__(self):
        if self.max_level < 1 or self.max_ordered < 0 or self.max_breadth < 0:
            raise ValueError(
                f"a search looks at least one ply ahead and orders and searches no negative number of plies and moves, "
                f"not {self.max_level}, {self.max_ordered} and {self.max_breadth}"
            )

    # ---------------------------------------------------------------- begin and end
    def begin(
        self, node: Node, moves: bb.Board, effort: Effort, bits: UInt32[Array, ""], memory: Memory = ()
    ) -> SearchState:
        """A search at its root. `bits` decides among equal moves, `memory` is the move filter's. Without moves it is
        done at once.
        """
        none = bb.empty(len(moves))
        root = Frame(node, moves, jnp.int32(INFINITE), jnp.int32(-INFINITE))
        unknown = bb.select(self._is_ordered(effort, 0), moves, none)
        ordering = Ordering(unknown, (none,) * self._digits)
        return SearchState(
            frames=(root,) * self._num_frames,
            orderings=(ordering,) * self._num_orderings,
            depth=jnp.int32(0),
            effort=effort,
            bits=bits,
            root_move=none,
            best_moves=none,
            done=~bb.any_set(moves),
            waiting=self._awaits(effort, moves),
            counts=Counts(*[jnp.int32(0)] * 2),
            filter_counts=FilterCounts(*[jnp.int32(0)] * 4) if self.filtered else (),
            memory=memory,
        )

    def decided(self, search: SearchState, moves: bb.Board, decided: Bool[Array, ""]) -> SearchState:
        """A search that is done at once if `decided`, with all of `moves` as its best moves."""
        best_moves = bb.select(decided, moves, search.best_moves)
        return replace(search, best_moves=best_moves, done=search.done | decided, waiting=search.waiting & ~decided)

    def chosen(self, search: SearchState) -> Int[Array, ""]:
        """One of the best moves, drawn; an action."""
        return bb.draw(search.best_moves, self.tree.width, search.bits)

    # ---------------------------------------------------------------- a step
    def advance(
        self,
        search: SearchState,
        evaluation: StaticEvaluation,
        move_filter: MoveFilter | None,
        run: Callable = plainly,
    ) -> SearchState:
        """A step; a search that is done stays as it is. `run(function, *args)` calls each part of the step."""
        search = self.visit(search, lambda child: run(evaluation.value, child), run)
        return search if move_filter is None else self.filter_moves(search, move_filter)

    def visit(self, search: SearchState, value: Callable[[Node], Array], run: Callable) -> SearchState:
        """`advance` without the move filter. Parts return only what changes: whatever leaves a stage is copied."""
        step = run(self._next_step, search)
        child = self.tree.play(step.parent.node, step.move, run)
        moves = run(self.tree.moves, child)
        visit = run(self._visit, search, step, child, moves, value(child))
        arrived = run(self._backed_up, search, step, visit)
        after = replace(search, **run(self._changes, search, step, visit, arrived, Frame(child, moves, (), ())))
        if not self._num_orderings:
            return after
        after = replace(after, orderings=run(self._order, search, step, visit, moves))
        if not self.max_breadth:
            return after
        return replace(after, frames=run(self._narrow, after, step, visit))

    def _next_step(self, search: SearchState) -> Step:
        frame = get(search.frames, search.depth)
        by_class = frame.left
        if self.by_class and self.tree.classes:
            by_class = bb.largest(list(self.tree.classes), frame.left)
        if not self._num_orderings:
            return Step(frame, bb.lowest(by_class), jnp.bool_(False))
        ordering = get(search.orderings, search.depth)
        here = self._is_ordered(search.effort, search.depth)
        unknown = bb.select(here & (search.depth < self._num_orderings), ordering.unknown, bb.empty(len(frame.left)))
        by_value = self._largest(ordering, frame.left)
        wanted = bb.first_nonempty(unknown, bb.select(here, by_value, by_class))
        return Step(frame, bb.lowest(wanted), bb.any_set(unknown))

    def _visit(self, search: SearchState, step: Step, child: Node, moves: bb.Board, value: Int[Array, ""]) -> Visit:
        """`moves` and `value` are the child's."""
        active = ~(search.done | search.waiting)
        searched = active & ~step.static
        over = self.tree.over(child, moves, ~bb.any_set(step.parent.left))
        deep = search.depth + 1 >= search.effort.level
        leaf = over | deep & bb.any_set(moves) if self.tree.can_pass else over | deep
        lead = self.tree.lead(child)
        value = jnp.where(over & searched, jnp.sign(lead) * WON + lead, value)
        return Visit(active & step.static, searched & ~leaf, searched & leaf, -value)

    def _backed_up(self, search: SearchState, step: Step, visit: Visit) -> tuple[Int[Array, ""], Int[Array, ""]]:
        """(depth, value): where a value is backed up to, as finished nodes hand it on, and what it is there."""
        depth, climbing, value = search.depth, visit.back, visit.value
        for number in reversed(range(1, self._num_frames)):
            frame, here = search.frames[number], climbing & (depth == number)
            rest = bb.select(search.depth == number, bb.without(step.parent.left, step.move), frame.left)
            best = jnp.maximum(frame.best, value)
            climbing = here & ((best >= frame.beta) | ~bb.any_set(rest)) | climbing & ~here
            value, depth = jnp.where(here & climbing, -best, value), jnp.where(here & climbing, number - 1, depth)
        return depth, value

    def _changes(
        self,
        search: SearchState,
        step: Step,
        visit: Visit,
        arrived: tuple[Int[Array, ""], Int[Array, ""]],
        child: Frame,
    ) -> dict:
        """Returns the fields of the search state that change, except those of move ordering.

        The move is taken off the moves that are left. A search that goes down continues at the child. At the root the
        alpha-beta window stays open by one, so that the value of a move that is as good as the best so far is exact.
        """
        (depth, value), parent = arrived, step.parent
        searched, rest, root = visit.down | visit.back, bb.without(parent.left, step.move), search.frames[0].best
        frames = tuple(
            replace(
                frame,
                left=bb.select(searched & (search.depth == i), rest, frame.left),
                best=jnp.where(visit.back & (depth == i), jnp.maximum(frame.best, value), frame.best),
            )
            for i, frame in enumerate(search.frames)
        )
        new = replace(child, beta=jnp.where(search.depth == 0, 1, 0) - parent.best, best=-parent.beta)
        root_move = bb.select(searched & (search.depth == 0), step.move, search.root_move)
        at_root = visit.back & (depth == 0)
        best_moves = bb.select(at_root & (value == root), bb.union(search.best_moves, root_move), search.best_moves)
        changed = {
            "frames": put(frames, search.depth + 1, visit.down, new),
            "depth": depth + visit.down,
            "root_move": root_move,
            "best_moves": bb.select(at_root & (value > root), root_move, best_moves),
            "done": search.done | at_root & ~bb.any_set(frames[0].left),
            "counts": Counts(search.counts.leaves + visit.back, search.counts.nodes + searched),
        }
        waiting = (
            {"waiting": search.waiting | visit.down & self._awaits(search.effort, child.left)} if self.filtered else {}
        )
        return changed | waiting

    def _awaits(self, effort: Effort, moves: bb.Board) -> Bool[Array, ""]:
        return effort.filtered & bb.any_set(moves) if self.filtered else jnp.bool_(False)

    def filter_moves(self, search: SearchState, move_filter: MoveFilter) -> SearchState:
        """Asks the move filter for the moves of the node at which the search is, if it waits for that."""
        frame = get(search.frames, search.depth)
        kept, instead, memory = move_filter.keep(frame.node, frame.left, search.depth, search.memory)
        kept = bb.intersection(kept, frame.left)
        moves = bb.first_nonempty(kept, bb.intersection(instead, frame.left), frame.left)
        asked = FilterCounts(1, bb.count(frame.left), bb.count(kept), ~bb.any_set(kept))
        return replace(
            search,
            frames=self._with_left(search, search.waiting, moves),
            orderings=self._unknown(search, search.depth, search.waiting, moves),
            waiting=jnp.bool_(False),
            filter_counts=jax.tree.map(
                lambda old, new: old + jnp.where(search.waiting, new, 0), search.filter_counts, asked
            ),
            memory=jax.tree.map(partial(jnp.where, search.waiting), memory, search.memory),
        )

    # ---------------------------------------------------------------- the order of moves
    @property
    def _num_frames(self) -> int:
        """The size of the stack."""
        return self.max_level + self.tree.can_pass

    @property
    def _num_orderings(self) -> int:
        """Without a breadth, the last frame needs none: its children are leaves, whose values are found anyway."""
        return self.max_level if self.max_breadth else min(self.max_ordered, self.max_level - 1)

    @property
    def _digits(self) -> int:
        return (2 * self.bound + 1).bit_length()

    def _is_ordered(self, effort: Effort, depth: Any) -> Bool[Array, ""]:
        return (depth < effort.ordered) & (effort.level - depth > 1) | (effort.breadth > 0)

    def _largest(self, ordering: Ordering, moves: bb.Board) -> bb.Board:
        return bb.largest(list(ordering.keys), moves)

    def _unknown(
        self, search: SearchState, depth: Any, wanted: Bool[Array, ""], moves: bb.Board
    ) -> tuple[Ordering, ...]:
        """The orderings; if `wanted` and moves are ordered at `depth`, the values of these are to be found there."""
        found = []
        for number, ordering in enumerate(search.orderings):
            moves = bb.select(self._is_ordered(search.effort, number), moves, bb.empty(len(moves)))
            unknown = bb.select(wanted & (depth == number), moves, ordering.unknown)
            found.append(replace(ordering, unknown=unknown))
        return tuple(found)

    def _order(self, search: SearchState, step: Step, visit: Visit, moves: bb.Board) -> tuple[Ordering, ...]:
        """The orderings after a visit: with the static value it brought, or with those of a new node to be found."""
        key = jnp.clip(visit.value, -self.bound, self.bound) + (self.bound + 1)  # at least 1
        digits = [bb.select(key >> i & 1 != 0, step.move, bb.empty(len(moves))) for i in range(self._digits)]
        found = []
        for number, ordering in enumerate(self._unknown(search, search.depth + 1, visit.down, moves)):
            here = bb.select(visit.static & (search.depth == number), step.move, bb.empty(len(moves)))
            keys = [
                bb.union(bb.without(old, here), bb.intersection(new, here))
                for old, new in zip(ordering.keys, digits, strict=True)
            ]
            found.append(Ordering(bb.without(ordering.unknown, here), tuple(keys)))
        return tuple(found)

    def _narrow(self, search: SearchState, step: Step, visit: Visit) -> tuple[Frame, ...]:
        """The frames. Once all static values of a node are known, only its best `breadth` moves are left, the
        first of equals."""
        ordering, moves = get(search.orderings, search.depth), step.parent.left
        best = bb.empty(len(moves))
        for i in range(self.max_breadth):
            another = bb.lowest(self._largest(ordering, bb.without(moves, best)))
            best = bb.union(best, bb.select(i < search.effort.breadth, another, bb.empty(len(moves))))
        known = visit.static & ~bb.any_set(ordering.unknown) & (search.effort.breadth > 0)
        return self._with_left(search, known, best)

    def _with_left(self, search: SearchState, wanted: Bool[Array, ""], moves: bb.Board) -> tuple[Frame, ...]:
        """The frames, with only these moves left at the node at which the search is, if that is wanted."""
        return tuple(
            replace(frame, left=bb.select(wanted & (search.depth == i), moves, frame.left))
            for i, frame in enumerate(search.frames)
        )
