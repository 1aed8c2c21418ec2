"""Alpha-beta search in steps of one node, so that one loop can run many searches at once, each at its own place.

The search of one position is a *work*, a pytree with a stack of levels. A step visits one child of the node at which
the search is: `_look` says which, the tree plays the move and finds the child's moves, the evaluation gives its value,
and the rest draws the conclusions. A batched loop runs each of these functions as a stage of its own.

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
from jaxgames.search.evaluation import Evaluation
from jaxgames.search.state import Counts, Effort, Level, Look, News, Ordering, Window, Windows, Work, get, put
from jaxgames.search.trees import Node, Tree, plainly

INFINITE = 1 << 28
WON = 1 << 20  # to this the lead at the end is added: any win is better than any evaluation


@dataclass(frozen=True)
class AlphaBeta:
    """What is fixed when a search is compiled. Efforts stay within `max_level`, `max_ordered` and `max_breadth`.

    by_class: where moves are not ordered by static values, they are ordered by the tree's classes instead of by action.
    """

    tree: Tree
    max_level: int
    max_ordered: int = 2
    max_breadth: int = 0
    windowed: bool = False
    by_class: bool = True
    bound: int = 1000  # of the evaluation

    def __post_init__(self):
        if self.max_level < 1 or self.max_ordered < 0 or self.max_breadth < 0:
            raise ValueError(
                f"a search looks at least one ply ahead and orders and searches no negative number of plies and moves, "
                f"not {self.max_level}, {self.max_ordered} and {self.max_breadth}"
            )

    # ---------------------------------------------------------------- begin and end
    def begin(self, node: Node, moves: bb.Board, effort: Effort, word: UInt32[Array, ""], memory: Memory = ()) -> Work:
        """`word` decides among equal moves, `memory` is the window's. With no moves the search is done at once."""
        none = bb.empty(len(moves))
        root = Level(node, moves, jnp.int32(INFINITE), jnp.int32(-INFINITE))
        unknown = bb.select(self._is_ordered(effort, 0), moves, none)
        ordering = Ordering(unknown, (none,) * self._digits)
        return Work(
            levels=(root,) * self._depth,
            orderings=(ordering,) * self._num_orderings,
            at=jnp.int32(0),
            effort=effort,
            word=word,
            trying=none,
            best_moves=none,
            done=~bb.any_set(moves),
            waiting=self._awaits(effort, moves),
            counts=Counts(*[jnp.int32(0)] * 2),
            windows=Windows(*[jnp.int32(0)] * 4) if self.windowed else (),
            memory=memory,
        )

    def settled(self, work: Work, moves: bb.Board, settled: Bool[Array, ""]) -> Work:
        """Done without a search, if `settled`, all of `moves` being as good."""
        best_moves = bb.select(settled, moves, work.best_moves)
        return replace(work, best_moves=best_moves, done=work.done | settled, waiting=work.waiting & ~settled)

    def chosen(self, work: Work) -> Int[Array, ""]:
        """One of the best moves, drawn."""
        return bb.draw(work.best_moves, self.tree.width, work.word)

    # ---------------------------------------------------------------- a step
    def advance(self, work: Work, evaluation: Evaluation, window: Window | None, run: Callable = plainly) -> Work:
        """One node further; a work that is done stays as it is. `run(function, *args)` calls each part of the step."""
        work = self.visit(work, lambda child: run(evaluation.value, child), run)
        return work if window is None else self.focus(work, window)

    def visit(self, work: Work, value: Callable[[Node], Array], run: Callable) -> Work:
        """A step but for the window. Each part returns no more than what changes: whatever leaves a stage is copied."""
        look = run(self._look, work)
        child = self.tree.play(look.level.node, look.move, run)
        moves = run(self.tree.moves, child)
        news = run(self._judge, work, look, child, moves, value(child))
        arrived = run(self._climb, work, look, news)
        after = replace(work, **run(self._write, work, look, news, arrived, Level(child, moves, (), ())))
        if not self._num_orderings:
            return after
        after = replace(after, orderings=run(self._order, work, look, news, moves))
        if not self.max_breadth:
            return after
        return replace(after, levels=run(self._narrow, after, look, news))

    def _look(self, work: Work) -> Look:
        level = get(work.levels, work.at)
        by_class = level.left
        if self.by_class and self.tree.classes:
            by_class = bb.largest(list(self.tree.classes), level.left)
        if not self._num_orderings:
            return Look(level, bb.lowest(by_class), jnp.bool_(False))
        ordering = get(work.orderings, work.at)
        here = self._is_ordered(work.effort, work.at)
        unknown = bb.select(here & (work.at < self._num_orderings), ordering.unknown, bb.empty(len(level.left)))
        by_value = self._largest(ordering, level.left)
        wanted = bb.first_nonempty(unknown, bb.select(here, by_value, by_class))
        return Look(level, bb.lowest(wanted), bb.any_set(unknown))

    def _judge(self, work: Work, look: Look, child: Node, moves: bb.Board, value: Int[Array, ""]) -> News:
        """`moves` and `value` are the child's."""
        active = ~(work.done | work.waiting)
        searched = active & ~look.ordering
        over = self.tree.over(child, moves, ~bb.any_set(look.level.left))
        deep = work.at + 1 >= work.effort.level
        leaf = over | deep & bb.any_set(moves) if self.tree.can_pass else over | deep
        lead = self.tree.lead(child)
        value = jnp.where(over & searched, jnp.sign(lead) * WON + lead, value)
        return News(active & look.ordering, searched & ~leaf, searched & leaf, -value)

    def _climb(self, work: Work, look: Look, news: News) -> tuple[Int[Array, ""], Int[Array, ""]]:
        """(level, value): where a value that comes back arrives, as nodes that are finished hand it on."""
        at, climbing, value = work.at, news.back, news.value
        for number in reversed(range(1, self._depth)):
            level, here = work.levels[number], climbing & (at == number)
            rest = bb.select(work.at == number, bb.without(look.level.left, look.move), level.left)
            best = jnp.maximum(level.best, value)
            climbing = here & ((best >= level.beta) | ~bb.any_set(rest)) | climbing & ~here
            value, at = jnp.where(here & climbing, -best, value), jnp.where(here & climbing, number - 1, at)
        return at, value

    def _write(
        self, work: Work, look: Look, news: News, arrived: tuple[Int[Array, ""], Int[Array, ""]], child: Level
    ) -> dict:
        """What changes but for the order of moves. The move is no longer left to be searched, and if the search goes on
        below, it goes on at its child. At the root the window stays open by one, so that the value of a move that is as
        good as the best so far is exact.
        """
        (at, value), parent = arrived, look.level
        searched, rest, root = news.down | news.back, bb.without(parent.left, look.move), work.levels[0].best
        levels = tuple(
            replace(
                level,
                left=bb.select(searched & (work.at == i), rest, level.left),
                best=jnp.where(news.back & (at == i), jnp.maximum(level.best, value), level.best),
            )
            for i, level in enumerate(work.levels)
        )
        new = replace(child, beta=jnp.where(work.at == 0, 1, 0) - parent.best, best=-parent.beta)
        trying = bb.select(searched & (work.at == 0), look.move, work.trying)
        at_root = news.back & (at == 0)
        best_moves = bb.select(at_root & (value == root), bb.union(work.best_moves, trying), work.best_moves)
        changed = {
            "levels": put(levels, work.at + 1, news.down, new),
            "at": at + news.down,
            "trying": trying,
            "best_moves": bb.select(at_root & (value > root), trying, best_moves),
            "done": work.done | at_root & ~bb.any_set(levels[0].left),
            "counts": Counts(work.counts.leaves + news.back, work.counts.nodes + searched),
        }
        waiting = {"waiting": work.waiting | news.down & self._awaits(work.effort, child.left)} if self.windowed else {}
        return changed | waiting

    def _awaits(self, effort: Effort, moves: bb.Board) -> Bool[Array, ""]:
        return effort.windowed & bb.any_set(moves) if self.windowed else jnp.bool_(False)

    def focus(self, work: Work, window: Window) -> Work:
        """Asks the window for the moves of the node at which the search is, if it waits for that."""
        level = get(work.levels, work.at)
        kept, instead, memory = window.keep(level.node, level.left, work.at, work.memory)
        kept = bb.intersection(kept, level.left)
        moves = bb.first_nonempty(kept, bb.intersection(instead, level.left), level.left)
        asked = Windows(1, bb.count(level.left), bb.count(kept), ~bb.any_set(kept))
        return replace(
            work,
            levels=self._with_left(work, work.waiting, moves),
            orderings=self._unknown(work, work.at, work.waiting, moves),
            waiting=jnp.bool_(False),
            windows=jax.tree.map(lambda old, new: old + jnp.where(work.waiting, new, 0), work.windows, asked),
            memory=jax.tree.map(partial(jnp.where, work.waiting), memory, work.memory),
        )

    # ---------------------------------------------------------------- the order of moves
    @property
    def _depth(self) -> int:
        """Of the stack."""
        return self.max_level + self.tree.can_pass

    @property
    def _num_orderings(self) -> int:
        """Where the children are leaves, their order matters little and their values are found anyway."""
        return self.max_level if self.max_breadth else min(self.max_ordered, self.max_level - 1)

    @property
    def _digits(self) -> int:
        return (2 * self.bound + 1).bit_length()

    def _is_ordered(self, effort: Effort, at: Any) -> Bool[Array, ""]:
        return (at < effort.ordered) & (effort.level - at > 1) | (effort.breadth > 0)

    def _largest(self, ordering: Ordering, moves: bb.Board) -> bb.Board:
        return bb.largest(list(ordering.keys), moves)

    def _unknown(self, work: Work, at: Any, wanted: Bool[Array, ""], moves: bb.Board) -> tuple[Ordering, ...]:
        """The static values of the moves of a level are to be found, if it is ordered so."""
        found = []
        for number, ordering in enumerate(work.orderings):
            moves = bb.select(self._is_ordered(work.effort, number), moves, bb.empty(len(moves)))
            unknown = bb.select(wanted & (at == number), moves, ordering.unknown)
            found.append(replace(ordering, unknown=unknown))
        return tuple(found)

    def _order(self, work: Work, look: Look, news: News, moves: bb.Board) -> tuple[Ordering, ...]:
        """Keeps the static value of a move, or is about to find those of the moves of a new level."""
        key = jnp.clip(news.value, -self.bound, self.bound) + (self.bound + 1)  # at least 1
        digits = [bb.select(key >> i & 1 != 0, look.move, bb.empty(len(moves))) for i in range(self._digits)]
        found = []
        for number, ordering in enumerate(self._unknown(work, work.at + 1, news.down, moves)):
            here = bb.select(news.ordering & (work.at == number), look.move, bb.empty(len(moves)))
            keys = [
                bb.union(bb.without(old, here), bb.intersection(new, here))
                for old, new in zip(ordering.keys, digits, strict=True)
            ]
            found.append(Ordering(bb.without(ordering.unknown, here), tuple(keys)))
        return tuple(found)

    def _narrow(self, work: Work, look: Look, news: News) -> tuple[Level, ...]:
        """Once all static values of a level are known, only the best `breadth` moves are left, the first of equals."""
        ordering, moves = get(work.orderings, work.at), look.level.left
        best = bb.empty(len(moves))
        for i in range(self.max_breadth):
            another = bb.lowest(self._largest(ordering, bb.without(moves, best)))
            best = bb.union(best, bb.select(i < work.effort.breadth, another, bb.empty(len(moves))))
        known = news.ordering & ~bb.any_set(ordering.unknown) & (work.effort.breadth > 0)
        return self._with_left(work, known, best)

    def _with_left(self, work: Work, wanted: Bool[Array, ""], moves: bb.Board) -> tuple[Level, ...]:
        """Only these moves are left at the node at which the search is, if that is wanted."""
        return tuple(
            replace(level, left=bb.select(wanted & (work.at == i), moves, level.left))
            for i, level in enumerate(work.levels)
        )
