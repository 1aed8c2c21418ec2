"""Every game of a file replayed: how the games end, and what is wrong."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxgames.records import replay_othello, wthor
from jaxgames.records.files import parse
from jaxgames.records.record import ENDINGS, Place, Record, RecordError
from jaxgames.records.replay import replay
from jaxgames.records.wthor import OthelloRecord


@dataclass(frozen=True)
class Checked:
    games: int
    endings: Counter  # of the games without an error
    errors: list[RecordError]
    names: tuple[str, ...] = ENDINGS  # of the endings, in order

    def __str__(self) -> str:
        endings = ", ".join(f"{self.endings[name]:,} {name}" for name in self.names)
        return f"{self.games:,} games: {endings}; {len(self.errors):,} errors"


def check(file: str | Path) -> Checked:
    """Raises RecordError for a file of no known format, and OSError. WTHOR is known by its name, which ends in .wtb."""
    content = Path(file).read_bytes()
    if Path(file).suffix.lower() == wthor.SUFFIX:
        _, games = wthor.parse(content, str(file))
        return _check(file, games, replay_othello.replay, replay_othello.ENDINGS)
    return _check(file, list(parse(content, str(file))), replay, ENDINGS)


def _check(
    file: str | Path, games: Sequence[Record | OthelloRecord | RecordError], replay: Callable, names: tuple[str, ...]
) -> Checked:
    replayed = iter(replay([game for game in games if not isinstance(game, RecordError)]))
    endings, errors = Counter(), []
    for number, game in enumerate(games, 1):
        if isinstance(game, RecordError):
            errors.append(game)
            continue
        ending, error = next(replayed)
        if error is None:
            endings[ending] += 1
        else:
            game_id = game.game_id if isinstance(game, Record) else None
            errors.append(error.at(Place(str(file), number, game_id)))
    return Checked(len(games), endings, errors, names)
