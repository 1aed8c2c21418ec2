"""Every game of a file replayed: how the games end, and what is wrong."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxgames import files
from jaxgames.records import playthrough
from jaxgames.records.errors import Place, RecordError
from jaxgames.records.othello import replay as othello_replay
from jaxgames.records.othello import wthor
from jaxgames.records.othello.wthor import OthelloRecord
from jaxgames.records.pente.files import parse
from jaxgames.records.pente.record import ENDINGS, Record
from jaxgames.records.pente.replay import replay
from jaxgames.records.playthrough import Playthrough

AnyRecord = Record | OthelloRecord | Playthrough


@dataclass(frozen=True)
class Checked:
    """What became of the games of a file."""

    games: int
    endings: Counter  # of the games without an error
    errors: list[RecordError]  # one for each wrong game
    names: tuple[str, ...] = ENDINGS  # of the endings, in order

    def __str__(self) -> str:
        endings = ", ".join(f"{self.endings[name]:,} {name}" for name in self.names)
        return f"{self.games:,} games: {endings}; {len(self.errors):,} errors"


def check(file: str | Path) -> Checked:
    """Raises RecordError for a file of no known format, and OSError.

    WTHOR is known by its name, which ends in .wtb, and all else by its content.
    """
    content = files.read(file)
    if Path(file).suffix.lower() == wthor.SUFFIX:
        _, games = wthor.parse(content, str(file))
        return _check(file, games, othello_replay.replay, othello_replay.ENDINGS)
    if playthrough.recognise(content):
        return _check(file, playthrough.parse(content, str(file)), playthrough.replay, playthrough.ENDINGS)
    return _check(file, list(parse(content, str(file))), replay, ENDINGS)


def _check(
    file: str | Path, games: Sequence[AnyRecord | RecordError], replay: Callable, names: tuple[str, ...]
) -> Checked:
    endings, errors = Counter(), []
    for _, ending, error in checked_games(file, games, replay):
        if error is None:
            endings[ending] += 1
        else:
            errors.append(error)
    return Checked(len(games), endings, errors, names)


def checked_games(
    file: str | Path, games: Sequence[AnyRecord | RecordError], replay: Callable
) -> Iterator[tuple[AnyRecord | None, str, RecordError | None]]:
    """(record, ending, error) of each game of a file. The record is None if it cannot be read, the error is None if
    nothing is wrong, and the ending means nothing if something is wrong.
    """
    replayed = iter(replay([game for game in games if not isinstance(game, RecordError)]))
    for number, game in enumerate(games, 1):
        if isinstance(game, RecordError):
            yield None, "", game
            continue
        ending, error = next(replayed)
        game_id = game.game_id if isinstance(game, Record) else None
        yield game, ending, error and error.at(Place(str(file), number, game_id))
