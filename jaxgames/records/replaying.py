"""Replays records by the rules in batches: what the replays of all games share."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax

from jaxgames.records.errors import RecordError

BATCH = 512  # games in one call: the program is compiled once
NO_MOVE = -1  # after the end


QUICKLY = {"xla_backend_optimization_level": 0}  # compiling takes longer than all else


class Replayed(NamedTuple):
    ending: str  # one of ENDINGS, of the plies before an illegal one if there is any
    error: RecordError | None


def in_batches(records: Sequence, play: Callable, compare: Callable) -> list[Replayed]:
    """compare(record, seen) of every record, where play(records) sees up to BATCH of them at once, by rows."""
    replayed = []
    for first in range(0, len(records), BATCH):
        batch = records[first : first + BATCH]
        seen = play(batch)
        games = (jax.tree.map(lambda x, row=row: x[row], seen) for row in range(len(batch)))
        replayed += [compare(record, game) for record, game in zip(batch, games, strict=True)]
    return replayed
