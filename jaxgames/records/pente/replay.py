"""Replays records by the rules, many at once, and compares what they say with what happens."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.core import winner
from jaxgames.games.pente.rules import Pente, PenteState
from jaxgames.records.errors import RecordError
from jaxgames.records.pente.record import BOARD, NAMES, RESULTS, Record
from jaxgames.records.replaying import BATCH, NO_MOVE, QUICKLY, Replayed, in_batches

TOURNAMENT = Pente(tournament_rule="5x5")  # pente.org's rule for rated games
LINES_ONLY = Pente(captures=False)
CENTRE = BOARD.num_actions // 2
STRIDE = 32  # plies in one call: the program is compiled once


class _Seen(NamedTuple):
    """A position and the move in it; `_play` gives it leading axes."""

    five: Bool[Array, ""]  # there are five in a row of the last mover
    caps: Bool[Array, ""]  # the last mover has captured enough
    terminal: Bool[Array, ""]
    winner: Int[Array, ""]
    occupied: Bool[Array, ""]
    refused: Bool[Array, ""]
    refused_if_rated: Bool[Array, ""]


def replay(records: Sequence[Record]) -> list[Replayed]:
    """What happens in each game by the rules of Pente, with the 5×5 tournament rule if it is rated."""
    return in_batches(records, _play, _compare)


# ---------------------------------------------------------------- on the board
def _play(records: Sequence[Record]) -> _Seen:
    """Leads with [BATCH, plies]: every position of the records, also the last ones."""
    longest = min(max(len(record.actions) for record in records), BOARD.max_plies + 1)
    plies = (longest // STRIDE + 1) * STRIDE  # more than the longest, so that the last position is among them
    actions = np.full((BATCH, plies), NO_MOVE, np.int32)
    for row, record in zip(actions, records, strict=False):
        row[: min(len(record.actions), plies)] = record.actions[:plies]
    state = jax.tree.map(lambda x: jnp.full(BATCH, x), BOARD.start())
    parts = []
    for ply in range(0, plies, STRIDE):
        state, seen = _play_on(state, actions[:, ply : ply + STRIDE])
        parts.append(jax.device_get(seen))
    return jax.tree.map(lambda *x: np.concatenate(x, 1), *parts)


@partial(jax.jit, compiler_options=QUICKLY)
def _play_on(state: PenteState, actions: Int[Array, "games plies"]) -> tuple[PenteState, _Seen]:
    return jax.vmap(partial(jax.lax.scan, _ply))(state, actions)


def _ply(state: PenteState, action: Int[Array, ""]) -> tuple[PenteState, _Seen]:
    """Illegal moves are not made."""
    among = partial(_among, bb.one_hot(action, BOARD.rows, BOARD.columns))
    seen = _Seen(
        five=winner(LINES_ONLY.returns(state)) >= 0,
        caps=state.captured[-1] >= BOARD.captures_to_win,
        terminal=BOARD.terminal(state),
        winner=winner(BOARD.returns(state)),
        occupied=among(bb.union(*state.stones)),
        refused=~among(BOARD.empties(state)),
        refused_if_rated=~among(TOURNAMENT.empties(state)),
    )
    after = BOARD.play(state, action)
    stays = seen.refused | seen.terminal
    return jax.tree.map(lambda old, new: jnp.where(stays, old, new), state, after), seen


def _among(point: bb.Board, points: bb.Board) -> Bool[Array, ""]:
    return bb.any_set(bb.intersection(point, points))


# ---------------------------------------------------------------- compared
def _compare(record: Record, seen: _Seen) -> Replayed:
    five, caps, terminal = (flags[-1] for flags in (seen.five, seen.caps, seen.terminal))
    if five or caps:
        ending = "both" if five and caps else "five" if five else "caps"
    else:
        ending = "draw" if terminal else "unfinished"
    title = record.headers.get("Game", "Pente")
    if title != "Pente":
        return Replayed(ending, RecordError(f"only Pente can be replayed, not {title}"))
    return Replayed(ending, _illegal(record, seen, ending) or _contradiction(record, seen, ending))


def _illegal(record: Record, seen: _Seen, ending: str) -> RecordError | None:
    """The first ply that the rules do not allow."""
    refused = seen.refused_if_rated if record.headers.get("Rated") == "Y" else seen.refused
    wrong = np.flatnonzero((seen.terminal | refused)[: len(record.actions)])
    if not wrong.size:
        return None
    before = int(wrong[0])
    name = NAMES[record.actions[before]]
    if seen.terminal[before]:
        reason = f"the game was over after ply {before} ({ending})"
    elif seen.occupied[before]:
        reason = f"there is a stone on {name}"
    elif before == 0:
        reason = f"the first stone must be on the centre, {NAMES[CENTRE]}, not on {name}"
    else:
        reason = f"{name} is too near to the centre for the second stone of player 1 in a rated game"
    return RecordError(reason, before + 1)


def _contradiction(record: Record, seen: _Seen, ending: str) -> RecordError | None:
    """What is on record and does not happen."""
    if seen.terminal[-1] and record.result != "?":
        happens = {seat: result for result, seat in RESULTS.items() if result != "?"}
        result = happens[int(seen.winner[-1]) if seen.winner[-1] >= 0 else None]
        if result != record.result:
            return RecordError(f"the game ends {result}, not {record.result}")
    if record.ending not in (None, ending):
        return RecordError(f"the ending is {ending}, not {record.ending}")
    return None
