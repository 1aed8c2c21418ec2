"""Every game of a file replayed: how the games end, and what is wrong."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from jaxgames.records.files import parse
from jaxgames.records.record import ENDINGS, Place, Record, RecordError
from jaxgames.records.replay import replay


@dataclass(frozen=True)
class Checked:
    games: int
    endings: Counter  # of the games without an error
    errors: list[RecordError]

    def __str__(self) -> str:
        endings = ", ".join(f"{self.endings[ending]:,} {ending}" for ending in ENDINGS)
        return f"{self.games:,} games: {endings}; {len(self.errors):,} errors"


def check(file: str | Path) -> Checked:
    """Raises RecordError for a file of no known format, and OSError."""
    games = list(parse(Path(file).read_bytes(), str(file)))
    replayed = iter(replay([game for game in games if isinstance(game, Record)]))
    endings, errors = Counter(), []
    for number, game in enumerate(games, 1):
        if isinstance(game, RecordError):
            errors.append(game)
            continue
        ending, error = next(replayed)
        if error is None:
            endings[ending] += 1
        else:
            errors.append(error.at(Place(str(file), number, game.game_id)))
    return Checked(len(games), endings, errors)
