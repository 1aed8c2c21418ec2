"""Replays records of Othello by the rules, many at once, and compares their scores with what happens."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.games.othello.rules import Othello, OthelloState
from jaxgames.games.othello.squares import WIDTH, WORDS
from jaxgames.records.errors import RecordError
from jaxgames.records.othello.wthor import OthelloRecord
from jaxgames.records.replaying import BATCH, NO_MOVE, QUICKLY, Replayed, in_batches

BOARD = Othello()
SEATS = "dark", "light"
ENDINGS = (*SEATS, "draw", "unfinished")  # who has won; a game broken off is unfinished by the rules


class _Seen(NamedTuple):
    """A position and the move in it; `_play` gives it leading axes."""

    terminal: Bool[Array, ""]
    seat: Int[Array, ""]
    discs: Int[Array, "seats"]
    occupied: Bool[Array, ""]
    refused: Bool[Array, ""]


def replay(records: Sequence[OthelloRecord]) -> list[Replayed]:
    """What happens in each game; its ending is one of ENDINGS. The score of an unfinished game is not compared."""
    return in_batches(records, _play, _compare)


# ---------------------------------------------------------------- on the board
def _play(records: Sequence[OthelloRecord]) -> _Seen:
    """Leads with [BATCH, plies]: every position of the records, also the last ones."""
    actions = np.full((BATCH, BOARD.max_plies + 1), NO_MOVE, np.int32)
    for row, record in zip(actions, records, strict=False):
        row[: len(record.actions)] = record.actions
    return jax.device_get(_play_on(actions))


@partial(jax.jit, compiler_options=QUICKLY)
def _play_on(actions: Int[Array, "games plies"]) -> _Seen:
    return jax.vmap(lambda row: jax.lax.scan(_ply, BOARD.start(), row)[1])(actions)


def _ply(state: OthelloState, action: Int[Array, ""]) -> tuple[OthelloState, _Seen]:
    """Illegal moves are not made."""
    square = bb.one_hot(action, WORDS, WIDTH)
    seen = _Seen(
        terminal=BOARD.terminal(state),
        seat=BOARD.to_move(state),
        discs=BOARD.discs(state),
        occupied=bb.any_set(bb.intersection(square, bb.union(state.own, state.other))),
        refused=~bb.any_set(bb.intersection(square, state.moves)),
    )
    after = BOARD.play(state, action)
    return jax.tree.map(lambda old, new: jnp.where(seen.refused, old, new), state, after), seen


# ---------------------------------------------------------------- compared
def _compare(record: OthelloRecord, seen: _Seen) -> Replayed:
    dark, light = (int(count) for count in seen.discs[-1])
    ending = "unfinished" if not seen.terminal[-1] else "draw" if dark == light else SEATS[dark < light]
    error = _illegal(record, seen, ending)
    if error is None and seen.terminal[-1] and record.score != final_score(dark, light):
        error = RecordError(f"the score of dark is {final_score(dark, light)}, not {record.score}")
    return Replayed(ending, error)


def _illegal(record: OthelloRecord, seen: _Seen, ending: str) -> RecordError | None:
    """The first ply that the rules do not allow."""
    wrong = np.flatnonzero(seen.refused[: len(record.actions)])
    if not wrong.size:
        return None
    before = int(wrong[0])
    name, mover = BOARD.action_name(record.actions[before]), SEATS[seen.seat[before]]
    if seen.terminal[before]:
        reason = f"the game was over after ply {before} ({ending})"
    elif seen.occupied[before]:
        reason = f"there is a disc on {name}"
    else:
        reason = f"{mover} turns no disc over from {name}"
    return RecordError(reason, before + 1)


def final_score(dark: int, light: int) -> int:
    """Discs of dark where the empty squares go to the winner, or to both alike in a draw."""
    empty = BOARD.num_actions - dark - light
    return dark + (empty if dark > light else empty // 2 if dark == light else 0)
