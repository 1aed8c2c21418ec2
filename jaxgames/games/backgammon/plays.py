"""The plays of a roll in backgammon, enumerated one by one: every distinct result once, without a list.

A play is up to two moves of single checkers, with doubles up to four. The enumeration is a depth-first search in the
tree of these moves, the rearmost checkers first, with a stack of boards. To give every result once, moves that commute
are tried in one order only:

* doubles: a play never goes back to a checker further behind;
* two different dice: the high die goes first. The low die first is tried only where it leads to a result that the
  other order does not have (`_second_sources`, `_second_by_high`). If one checker can use both dice in either order
  with the same result, one order is kept.

A player must use as many dice as possible, and the higher one if either can be used but not both. How many can be used
is not known beforehand: the search looks for plays that use all dice, and if it ends without one it starts again for
plays of the most dice that it has seen used.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, UInt32

from jaxgames.core import Leaf
from jaxgames.games.backgammon.board import OFF_BIT, POINT_BITS, Board, blots, moved, sources
from jaxgames.xla import pick

LONGEST = 4  # moves in a play
STRIDES = 2  # moves that a step tries at most before it ends, with a play or without
PASS, PASSED = 0, -1

Word = UInt32[Array, ""]


@flax.struct.dataclass
class Roll:
    """A board, seen by the side to move, and the dice."""

    board: Board
    high: Leaf  # UInt32[""], a die
    low: Leaf  # UInt32[""], the same with doubles


@flax.struct.dataclass
class Walk:
    """The cursor: how far the enumeration has come. A *source* is a location from which a checker may move; sets of
    them are UInt32[""].
    """

    untried: tuple  # [LONGEST] sets: the sources left to try for the first move, the second …
    untried_low: Leaf  # set: sources left for a first move by the low die, tried after those by the high one
    boards: tuple  # [LONGEST - 1] Boards: after one, two and three moves
    by_high: Leaf  # set: sources of a first move by the high die
    by_low: Leaf  # set: sources of a first move by the low die; empty with doubles
    low_first: Leaf  # Bool[""], whether the first move is by the low die
    wanted: Leaf  # Int[""], moves in a play; PASS or PASSED if no checker can move
    deepest: Leaf  # Int[""], the most moves made so far


@flax.struct.dataclass
class Step:
    """One step of the enumeration, filled in by `PARTS`; what is not known yet is None."""

    cursor: Walk  # after the step
    afterstate: Board  # after the play, if it is valid
    valid: Leaf  # Bool[""], whether `afterstate` is that of a whole play
    depth: Any = None  # Int[""], moves made before this one
    low_first: Any = None  # Bool[""], as in Walk
    source: Any = None  # UInt32[""], the source that is tried, one bit; 0 for none
    moved: Any = None  # Moved: the move from there
    replies: Any = None  # UInt32[""], sources of the next move


def begin(roll: Roll) -> Walk:
    """The cursor before the first play."""
    by_high, nothing, doubles = sources(roll.board, roll.high), jnp.uint32(0), roll.high == roll.low
    by_low = jnp.where(doubles, nothing, sources(roll.board, roll.low))
    whole = jnp.where(doubles, LONGEST, 2)
    return Walk(
        untried=(by_high, *[nothing] * (LONGEST - 1)),
        untried_low=by_low,
        boards=(roll.board,) * (LONGEST - 1),
        by_high=by_high,
        by_low=by_low,
        low_first=jnp.bool_(False),
        wanted=jnp.where(by_high | by_low == 0, PASS, whole).astype(jnp.int32),
        deepest=jnp.int32(0),
    )


def done(walk: Walk) -> Bool[Array, ""]:
    """Whether all plays have been given."""
    return _exhausted(walk) & (walk.wanted != PASS)


def advance(roll: Roll, walk: Walk) -> tuple[Walk, Board, Bool[Array, ""]]:
    """(the next cursor, the board after a play, whether there is one), see `core.WalkableGame.next`."""
    step = begin_step(roll, walk)
    for part in PARTS:
        step = replace(step, **part(roll, step))
    return step.cursor, step.afterstate, step.valid


def begin_step(roll: Roll, walk: Walk) -> Step:
    """The initial step, see `core.WalkableGame.begin_step`."""
    return Step(walk, roll.board, jnp.bool_(False))


# ---------------------------------------------------------------- parts of a step: the fields that they replace
def _pick(roll: Roll, step: Step) -> dict[str, Any]:
    """Chooses the deepest level with a source left to try, and its rearmost source; none if a play has been found."""
    walk = step.cursor
    first, *later = walk.untried
    from_low = first == 0
    untried, depth = jnp.where(from_low, walk.untried_low, first), jnp.int32(0)
    for number, there in enumerate(later, 1):
        untried, depth = jnp.where(there != 0, there, untried), jnp.where(there != 0, number, depth)
    source = jnp.where(step.valid, 0, untried & ~(untried - 1))
    low_first = jnp.where(depth == 0, from_low, walk.low_first)
    return {"depth": depth, "low_first": low_first, "source": source}


def _move(roll: Roll, step: Step) -> dict[str, Any]:
    board = pick(step.depth, [roll.board, *step.cursor.boards])
    die = jnp.where((step.depth == 0) == step.low_first, roll.low, roll.high)
    return {"moved": moved(board, step.source, die)}


def _reply(roll: Roll, step: Step) -> dict[str, Any]:
    die = jnp.where(step.low_first, roll.high, roll.low)
    replies = sources(step.moved.board, die)
    onwards = replies & ~(step.source - 1)  # with doubles
    second = _second_sources(roll, step, replies)
    return {"replies": jnp.where(roll.high == roll.low, onwards, second)}


def _update(roll: Roll, step: Step) -> dict[str, Any]:
    walk, depth, source = step.cursor, step.depth, step.source
    count = jnp.where(source == 0, 0, depth + 1)
    found = (count == walk.wanted) & ~step.valid
    further = jnp.where((source != 0) & (count < walk.wanted), step.replies, 0)
    first, *later = walk.untried
    from_low = (depth == 0) & step.low_first
    untried = [jnp.where((depth == 0) & ~from_low, first ^ source, first)]
    for number, there in enumerate(later, 1):
        left = jnp.where(depth == number, there ^ source, there)
        untried.append(jnp.where(depth == number - 1, there | further, left))
    walk = replace(
        walk,
        untried=tuple(untried),
        untried_low=jnp.where(from_low, walk.untried_low ^ source, walk.untried_low),
        boards=tuple(
            pick((depth != number).astype(jnp.int32), [step.moved.board, board])
            for number, board in enumerate(walk.boards)
        ),
        low_first=step.low_first,
        wanted=jnp.where(found & (walk.wanted == PASS), PASSED, walk.wanted),
        deepest=jnp.maximum(walk.deepest, count),
    )
    afterstate = pick(step.valid.astype(jnp.int32), [step.moved.board, step.afterstate])
    return {"cursor": _again_if_short(walk), "afterstate": afterstate, "valid": step.valid | found}


PARTS: tuple[Callable, ...] = (_pick, _move, _reply, _update) * STRIDES


def _exhausted(walk: Walk) -> Bool[Array, ""]:
    first, second, third, fourth = walk.untried
    return first | second | third | fourth | walk.untried_low == 0


def _again_if_short(walk: Walk) -> Walk:
    """Starts again where no play is as long as wanted, for the longest plays; with one die to use, for the high one."""
    again = _exhausted(walk) & (walk.deepest < walk.wanted)
    first, *later = walk.untried
    only_low = jnp.where(walk.by_high == 0, walk.by_low, 0)
    return replace(
        walk,
        untried=(jnp.where(again, walk.by_high, first), *later),
        untried_low=jnp.where(again, only_low, walk.untried_low),
        wanted=jnp.where(again, walk.deepest, walk.wanted),
    )


# ---------------------------------------------------------------- unequal dice, no result twice
def _second_sources(roll: Roll, step: Step, replies: Word) -> Word:
    """The sources of the second move, without those whose result another path of the tree has.

    High die first. Let the checker go s → s + high → s + high + low. This is skipped if another checker on s + low can
    play `high` to the same point and nothing is hit on the way: both give the same board. (Locations count as bits do.)
    """
    by_high, source = step.cursor.by_high, step.source
    _, _, target, hit = step.moved
    relay = source << roll.low & POINT_BITS & by_high
    high_first = replies & ~jnp.where((hit == 0) & (relay != 0), target & POINT_BITS, 0)
    return jnp.where(step.low_first, _second_by_high(roll, step, replies), high_first)


def _second_by_high(roll: Roll, step: Step, replies: Word) -> Word:
    """The sources of a second move by the high die, after a first one by the low die, without those whose result the
    other order has. What is left are checkers that could not have gone first by the high die, with two exceptions:

    * not two checkers borne off, since the other order bears off the same two;
    * not the checker of the first move, if it has an equal way with the high die first.
    """
    by_high, source = step.cursor.by_high, step.source
    _, rest, target, hit = step.moved
    fresh = replies & ~by_high
    fresh = jnp.where(target == OFF_BIT, fresh & ((jnp.uint32(OFF_BIT) >> roll.high) - 1), fresh)
    between = source << roll.high  # on its way with the high die first
    ends = (between << roll.low <= OFF_BIT) | (rest & (between - 1) == 0)  # off by overshooting from the rearmost place
    harmless = (hit == 0) & (between & blots(roll.board.other) == 0)
    same = (source & by_high != 0) & (between & POINT_BITS != 0) & harmless & ends
    return jnp.where(same, fresh & ~(target & POINT_BITS), fresh)
