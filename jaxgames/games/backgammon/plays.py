"""How backgammon's plays are walked: one whole play after the other, each distinct result once, without a list.

A play is up to two, with doubles up to four, moves of single men, and the walk goes through the tree of these moves,
the rearmost men first, with a stack of as many boards. Results are distinct because moves that commute are made in one
order only: with doubles the sources never go back; with unequal dice the high die goes first unless only the other
order is possible, and a man that could run both ways runs one (`_second_sources`).

A player must use as many dice as possible, and the higher one if either but not both. How many that are is not known
beforehand: the walk wants all of them, and where it ends without such a play it starts anew for the most it has met.
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

LONGEST = 4  # men moved in a play
STRIDES = 2  # moves of a man that `next` tries before it says that it has found no play yet
PASS, PASSED = 0, -1

Word = UInt32[Array, ""]


@flax.struct.dataclass
class Roll:
    """What a walk is about: a board and two dice."""

    board: Board
    high: Leaf  # UInt32[""], a die
    low: Leaf  # UInt32[""], the same with doubles


@flax.struct.dataclass
class Walk:
    untried: tuple  # per number of men moved before: sets of sources
    untried_low: Leaf  # UInt32[""], sources of the first man by the low die, after those by the high one
    boards: tuple  # after one, two and three men
    by_high: Leaf  # UInt32[""], the sources at the root
    by_low: Leaf  # UInt32[""], none with doubles
    low_first: Leaf  # Bool[""]
    wanted: Leaf  # Int[""], men in a whole play; PASS and PASSED where none can move
    deepest: Leaf  # Int[""], the most men moved so far


@flax.struct.dataclass
class Look:
    """A step of the walk; what is not known yet is None."""

    cursor: Walk
    afterstate: Board
    valid: Leaf  # Bool[""], whether `afterstate` is that of a whole play
    depth: Any = None  # Int[""], men moved before
    low_first: Any = None  # Bool[""]
    source: Any = None  # UInt32[""]
    moved: Any = None  # Moved
    replies: Any = None  # UInt32[""], sources of the next man


def begin(roll: Roll) -> Walk:
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
    return _exhausted(walk) & (walk.wanted != PASS)


def advance(roll: Roll, walk: Walk) -> tuple[Walk, Board, Bool[Array, ""]]:
    """The walk a little further, the board after a play, and whether there is one."""
    look = glance(roll, walk)
    for part in PARTS:
        look = replace(look, **part(roll, look))
    return look.cursor, look.afterstate, look.valid


def glance(roll: Roll, walk: Walk) -> Look:
    return Look(walk, roll.board, jnp.bool_(False))


# ---------------------------------------------------------------- parts of a step: what they find out or change of it
def _pick(roll: Roll, look: Look) -> dict[str, Any]:
    """The rearmost untried source of the man to be moved next; none if a play has been found."""
    walk = look.cursor
    first, *later = walk.untried
    from_low = first == 0
    untried, depth = jnp.where(from_low, walk.untried_low, first), jnp.int32(0)
    for number, there in enumerate(later, 1):
        untried, depth = jnp.where(there != 0, there, untried), jnp.where(there != 0, number, depth)
    source = jnp.where(look.valid, 0, untried & ~(untried - 1))
    low_first = jnp.where(depth == 0, from_low, walk.low_first)
    return {"depth": depth, "low_first": low_first, "source": source}


def _move(roll: Roll, look: Look) -> dict[str, Any]:
    board = pick(look.depth, [roll.board, *look.cursor.boards])
    die = jnp.where((look.depth == 0) == look.low_first, roll.low, roll.high)
    return {"moved": moved(board, look.source, die)}


def _reply(roll: Roll, look: Look) -> dict[str, Any]:
    die = jnp.where(look.low_first, roll.high, roll.low)
    replies = sources(look.moved.board, die)
    onwards = replies & ~(look.source - 1)  # with doubles
    second = _second_sources(roll, look, replies)
    return {"replies": jnp.where(roll.high == roll.low, onwards, second)}


def _update(roll: Roll, look: Look) -> dict[str, Any]:
    walk, depth, source = look.cursor, look.depth, look.source
    count = jnp.where(source == 0, 0, depth + 1)
    found = (count == walk.wanted) & ~look.valid
    further = jnp.where((source != 0) & (count < walk.wanted), look.replies, 0)
    first, *later = walk.untried
    from_low = (depth == 0) & look.low_first
    untried = [jnp.where((depth == 0) & ~from_low, first ^ source, first)]
    for number, there in enumerate(later, 1):
        left = jnp.where(depth == number, there ^ source, there)
        untried.append(jnp.where(depth == number - 1, there | further, left))
    walk = replace(
        walk,
        untried=tuple(untried),
        untried_low=jnp.where(from_low, walk.untried_low ^ source, walk.untried_low),
        boards=tuple(
            pick((depth != number).astype(jnp.int32), [look.moved.board, board])
            for number, board in enumerate(walk.boards)
        ),
        low_first=look.low_first,
        wanted=jnp.where(found & (walk.wanted == PASS), PASSED, walk.wanted),
        deepest=jnp.maximum(walk.deepest, count),
    )
    afterstate = pick(look.valid.astype(jnp.int32), [look.moved.board, look.afterstate])
    return {"cursor": _again_if_short(walk), "afterstate": afterstate, "valid": look.valid | found}


PARTS: tuple[Callable, ...] = (_pick, _move, _reply, _update) * STRIDES


def _exhausted(walk: Walk) -> Bool[Array, ""]:
    first, second, third, fourth = walk.untried
    return first | second | third | fourth | walk.untried_low == 0


def _again_if_short(walk: Walk) -> Walk:
    """Where no play has been as long as wanted, from the start for the longest; of single dice the high one."""
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
def _second_sources(roll: Roll, look: Look, replies: Word) -> Word:
    """The sources of the second man but for those whose result another path has.

    High die first: a man that goes on with the low die is left out where another man could make the end of its way by
    the high die (it stands where the low die alone would lead) and nobody is hit on the way.
    """
    by_high, source = look.cursor.by_high, look.source
    _, _, target, hit = look.moved
    relay = source << roll.low & POINT_BITS & by_high
    high_first = replies & ~jnp.where((hit == 0) & (relay != 0), target & POINT_BITS, 0)
    return jnp.where(look.low_first, _second_by_high(roll, look, replies), high_first)


def _second_by_high(roll: Roll, look: Look, replies: Word) -> Word:
    """Low die first: only men that could not have gone first by the high die; not two men borne off, since the other
    way round the same two are; and the same man only if it has no equal way with the high die first.
    """
    by_high, source = look.cursor.by_high, look.source
    _, rest, target, hit = look.moved
    fresh = replies & ~by_high
    fresh = jnp.where(target == OFF_BIT, fresh & ((jnp.uint32(OFF_BIT) >> roll.high) - 1), fresh)
    between = source << roll.high  # on its way with the high die first
    ends = (between << roll.low <= OFF_BIT) | (rest & (between - 1) == 0)  # off by overshooting from the rearmost place
    harmless = (hit == 0) & (between & blots(roll.board.other) == 0)
    same = (source & by_high != 0) & (between & POINT_BITS != 0) & harmless & ends
    return jnp.where(same, fresh & ~(target & POINT_BITS), fresh)
