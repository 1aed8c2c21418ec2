"""Replays records by the rules in batches: what the replays of all games share."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax

from jaxgames.records.errors import RecordError

BATCH = 512  # games in one call: the program is compiled once
NO_MOVE = -1  # after the end


QUICKLY = {"xla_backend_optimization_level": 0}  # compiling takes longer than all else


class Replayed(NamedTuple):
    """What happened when a record was replayed."""

    ending: str  # one of the game's ENDINGS; if a ply is illegal, that of the plies before it
    error: RecordError | None  # what is wrong, if anything


def in_batches(records: Sequence, play: Callable, compare: Callable) -> list[Replayed]:
    """compare(record, seen) of every record; `seen` is its row of play(records), for up to BATCH records at once."""
    replayed = []
    for first in range(0, len(records), BATCH):
        batch = records[first : first + BATCH]
        seen = play(batch)
        games = (jax.tree.map(lambda x, row=row: x[row], seen) for row in range(len(batch)))
        replayed += [compare(record, game) for record, game in zip(batch, games, strict=True)]
    return replayed
