"""Alpha-beta search in steps of one node, so that one loop can run many searches at once, each at its own place.

The search of one position is a *work*, a pytree with a stack of levels. A step visits one child of the node at which
the search is: `look` says which, the tree plays the move and finds the child's moves, the evaluation gives its value,
and `update` draws the conclusions. These are separate functions because a batched loop runs each as a stage of its own.

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
from jaxgames import counting
from jaxgames.evaluations import Evaluation
from jaxgames.lanes import choice, pick
from jaxgames.trees import Node, Tree
from jaxgames.work import Counts, Effort, Level, Look, News, Ordering, Window, Work

INFINITE = 1 << 28
WON = 1 << 20  # to this the lead at the end is added: any win is better than any evaluation


def plainly(function: Callable, *args: Any) -> Any:
    return function(*args)


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
    def begin(self, node: Node, moves: bb.Board, effort: Effort, word: UInt32[Array, ""]) -> Work:
        """`word` decides among equally good moves."""
        number, none = jnp.int32(0), bb.empty(len(moves))
        level = Level(node, none, jnp.int32(-INFINITE), jnp.int32(INFINITE), number)
        depth = self.max_level + self.tree.can_pass
        ordering = Ordering(none, (none,) * (2 * self.bound + 1).bit_length())
        blank = Work(
            levels=(level,) * depth,
            orderings=(ordering,) * self._num_orderings,
            at=number,
            effort=effort,
            word=word,
            trying=none,
            best_moves=none,
            done=jnp.bool_(False),
            waiting=jnp.bool_(False),
            counts=self._no_counts,
        )
        return self.restart(blank, node, moves, effort, word)

    def restart(self, work: Work, node: Node, moves: bb.Board, effort: Effort, word: UInt32[Array, ""]) -> Work:
        """The same as `begin`, but for what is left behind on the stack. With no moves the search is done at once."""
        root = replace(work.levels[0], node=node, left=moves, best=jnp.int32(-INFINITE))
        work = replace(
            work,
            levels=(root, *work.levels[1:]),
            at=jnp.int32(0),
            effort=effort,
            word=word,
            best_moves=bb.empty(len(moves)),
            done=~bb.any_set(moves),
            waiting=self._awaits(effort, moves),
            counts=self._no_counts,
        )
        return self._ask_for_order(work, 0, jnp.bool_(True), moves)

    def settled(self, work: Work, moves: bb.Board, settled: Bool[Array, ""]) -> Work:
        """Done without a search, if `settled`, all of `moves` being as good."""
        best_moves = bb.select(settled, moves, work.best_moves)
        return replace(work, best_moves=best_moves, done=work.done | settled, waiting=work.waiting & ~settled)

    def chosen(self, work: Work) -> tuple[bb.Board, Int[Array, ""]]:
        """One of the best moves, drawn, as a bitboard and as an action; the empty board if there are none."""
        action = bb.draw(work.best_moves, self.tree.width, work.word)
        move = bb.one_hot(action, len(work.best_moves), self.tree.width)
        return bb.intersection(move, work.best_moves), action

    @property
    def _no_counts(self) -> Counts:
        return Counts(*[jnp.int32(0)] * 6)

    # ---------------------------------------------------------------- a step
    def advance(self, work: Work, evaluation: Evaluation, window: Window | None, run: Callable = plainly) -> Work:
        """One node further; a work that is done stays as it is. `run(function, *args)` calls each part of the step."""
        look = run(self.look, work)
        child = run(self.tree.play, look.level.node, look.move)
        moves = run(self.tree.moves, child)
        work = self.update(work, look, (child, moves, run(evaluation.value, child)), run)
        return work if window is None else run(partial(self.focus, window=window), work)

    def look(self, work: Work) -> Look:
        level = pick(work.at, work.levels)
        by_class = level.left
        if self.by_class and self.tree.classes:
            by_class = counting.largest(list(self.tree.classes), level.left)
        if not work.orderings:
            return Look(level, bb.lowest(by_class), jnp.bool_(False))
        ordering = pick(work.at, work.orderings)
        by_value = counting.largest(list(ordering.keys), level.left)
        here = self._is_ordered(work.effort, work.at)
        unknown = bb.select(here & (work.at < len(work.orderings)), ordering.unknown, bb.empty(len(level.left)))
        wanted = bb.first_nonempty(unknown, bb.select(here, by_value, by_class))
        return Look(level, bb.lowest(wanted), bb.any_set(unknown))

    def update(self, work: Work, look: Look, visited: tuple, run: Callable = plainly) -> Work:
        """What follows from a visit. `visited`: the child, its moves and its value."""
        child, moves, _ = visited
        news = run(self._judge, work, look, *visited)
        if work.orderings:
            work = run(self._with_key, work, look, news)
        work = run(self._descend, work, look, news, child, moves)
        return run(self._return, work, news)

    def _judge(self, work: Work, look: Look, child: Node, moves: bb.Board, value: Int[Array, ""]) -> News:
        active = ~(work.done | work.waiting)
        searched = active & ~look.ordering
        over = self.tree.over(child, moves, ~bb.any_set(look.level.left))
        deep = work.at + 1 >= work.effort.level
        leaf = over | deep & bb.any_set(moves) if self.tree.can_pass else over | deep
        lead = self.tree.lead(child)
        value = jnp.where(over & searched, jnp.sign(lead) * WON + lead, value)
        return News(active & look.ordering, searched & ~leaf, searched & leaf, -value)

    def focus(self, work: Work, window: Window) -> Work:
        """Asks the window for the moves of the node at which the search is, if it waits for that."""
        level = pick(work.at, work.levels)
        kept, instead = window.keep(level.node, level.left, work.at)
        kept = bb.intersection(kept, level.left)
        moves = bb.first_nonempty(kept, bb.intersection(instead, level.left), level.left)
        asked = Counts(0, 0, 1, bb.count(level.left), bb.count(kept), ~bb.any_set(kept))
        counts = jax.tree.map(lambda old, new: old + jnp.where(work.waiting, new, 0), work.counts, asked)
        here = [work.waiting & (work.at == number) for number in range(len(work.levels))]
        levels = [
            replace(level, left=bb.select(at, moves, level.left)) for at, level in zip(here, work.levels, strict=True)
        ]
        focused = replace(work, levels=tuple(levels), counts=counts, waiting=jnp.bool_(False))
        for number in range(len(work.orderings)):
            focused = self._ask_for_order(focused, number, here[number], moves)
        return focused

    # ---------------------------------------------------------------- order
    @property
    def _num_orderings(self) -> int:
        """Where the children are leaves, their order matters little and their values are found anyway."""
        return self.max_level if self.max_breadth else min(self.max_ordered, self.max_level - 1)

    def _is_ordered(self, effort: Effort, at: Any) -> Bool[Array, ""]:
        return (at < effort.ordered) & (effort.level - at > 1) | (effort.breadth > 0)

    def _ask_for_order(self, work: Work, number: int, here: Bool[Array, ""], moves: bb.Board) -> Work:
        """The moves of a level have come to be searched, if `here`."""
        if number >= len(work.orderings):
            return work
        old = work.orderings[number]
        wanted = bb.select(self._is_ordered(work.effort, number), moves, bb.empty(len(moves)))
        new = replace(old, unknown=bb.select(here, wanted, old.unknown))
        return replace(work, orderings=(*work.orderings[:number], new, *work.orderings[number + 1 :]))

    def _with_key(self, work: Work, look: Look, news: News) -> Work:
        """Keeps the static value of a move."""
        key = jnp.clip(news.value, -self.bound, self.bound) + (self.bound + 1)  # at least 1
        orderings, levels = [], list(work.levels)
        for number, old in enumerate(work.orderings):
            here = news.ordering & (work.at == number)
            at = bb.select(here, look.move, bb.empty(len(look.move)))
            keys = [
                bb.union(bb.without(digit, at), bb.select(key >> i & 1 != 0, at, bb.empty(len(at))))
                for i, digit in enumerate(old.keys)
            ]
            orderings.append(Ordering(bb.without(old.unknown, at), tuple(keys)))
            if self.max_breadth:
                last = here & ~bb.any_set(orderings[-1].unknown) & (work.effort.breadth > 0)
                best = self._best(levels[number].left, keys, work.effort.breadth)
                levels[number] = replace(levels[number], left=bb.select(last, best, levels[number].left))
        return replace(work, orderings=tuple(orderings), levels=tuple(levels))

    def _best(self, moves: bb.Board, keys: list, breadth: Int[Array, ""]) -> bb.Board:
        """The `breadth` moves with the largest keys, of equal ones the first."""
        best = bb.empty(len(moves))
        for i in range(self.max_breadth):
            another = bb.lowest(counting.largest(keys, bb.without(moves, best)))
            best = bb.union(best, bb.select(i < breadth, another, bb.empty(len(moves))))
        return best

    # ---------------------------------------------------------------- the stack
    def _descend(self, work: Work, look: Look, news: News, child: Node, moves: bb.Board) -> Work:
        """The move is no longer left to be searched; its child becomes the node at which the search is, if it goes on
        there. At the root the window stays open by one, so that the value of a move that is as good as the best so far
        is exact.
        """
        searched, parent = news.down | news.back, look.level
        alpha = jnp.where(work.at == 0, parent.best - 1, jnp.maximum(parent.alpha, parent.best))
        new = Level(child, moves, -parent.beta, -alpha, jnp.int32(-INFINITE))
        levels = []
        for number, level in enumerate(work.levels):
            left = bb.select(searched & (work.at == number), bb.without(parent.left, look.move), level.left)
            here = news.down & (work.at == number - 1)
            levels.append(choice(here, new, replace(level, left=left)) if number else replace(level, left=left))
            work = self._ask_for_order(work, number, here, moves) if number else work
        counts = replace(work.counts, leaves=work.counts.leaves + news.back, nodes=work.counts.nodes + searched)
        return replace(
            work,
            levels=tuple(levels),
            at=work.at + news.down,
            trying=bb.select(searched & (work.at == 0), look.move, work.trying),
            waiting=work.waiting | news.down & self._awaits(work.effort, moves),
            counts=counts,
        )

    def _awaits(self, effort: Effort, moves: bb.Board) -> Bool[Array, ""]:
        return effort.windowed & bb.any_set(moves) if self.windowed else jnp.bool_(False)

    def _return(self, work: Work, news: News) -> Work:
        """A value comes back to the level where the search is, and further up while nodes are finished."""
        levels, at, returned, value = list(work.levels), work.at, news.back, news.value
        for number in reversed(range(1, len(levels))):
            level, here = levels[number], returned & (at == number)
            best = jnp.where(here, jnp.maximum(level.best, value), level.best)
            finished = here & ((best >= level.beta) | ~bb.any_set(level.left))
            levels[number] = replace(level, best=best)
            value, at = jnp.where(finished, -best, value), jnp.where(finished, number - 1, at)
            returned = jnp.where(here, finished, returned)
        root, here = levels[0], returned & (at == 0)
        better, equal = here & (value > root.best), here & (value == root.best)
        best_moves = bb.select(equal, bb.union(work.best_moves, work.trying), work.best_moves)
        levels[0] = replace(root, best=jnp.where(better, value, root.best))
        return replace(
            work,
            levels=tuple(levels),
            at=at,
            best_moves=bb.select(better, work.trying, best_moves),
            done=work.done | here & ~bb.any_set(root.left),
        )
