"""Sources of the games that TD(λ) learns: records of pente.org (text or table), the package's own, or new ones.

The package contains games, so that every experiment runs without an archive; `python -m neuroevo.td.sources FILE` makes
that file. The heuristic player plays them against itself under the 5×5 tournament rule.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from rich.console import Console
from rich.progress import track

from jaxgames import Pente, console, devices
from jaxgames.arena import Schedule, play_games
from jaxgames.files import check_writable
from jaxgames.files import read as read_file
from jaxgames.players import Heuristic
from jaxgames.randomness import stream_from_key
from jaxgames.records import Record, RecordError, parse, read, write
from jaxgames.records.check import checked_games
from jaxgames.records.errors import Place
from jaxgames.records.pente.record import RESULTS
from jaxgames.records.pente.replay import replay
from neuroevo.td.episodes import Games, games_of

SHIPPED, MADE = "shipped", "made"
FILE = Path(__file__).parent / "data" / "pente_heuristic.tsv.gz"
SHIPPED_GAMES = 200
MOST_MADE = 100_000  # games of one call of the command
RULES = Pente(tournament_rule="5x5")
PLY_CAP = 128  # longer games are not kept: every game is padded to the longest
BLOCKS, LANES = 2, 64
ON_ERROR = "skip", "fail"


@dataclass(frozen=True)
class Source:
    """Which games are learned. Games without a result are never kept.

    path: a file or a folder of records, `shipped` for the package's games, or `made` to play new ones
    games: number of games, the first ones that are kept; 0 for all (not with `made`)
    minimum: number of plies that a game needs
    finished: whether a game must be over by the rules
    rating: that both players need
    on_error: whether a wrong record is left out (`skip`) or ends the run (`fail`); it is named in either case

    Raises ValueError for an unknown `on_error`, negative numbers, `made` without games and a path that does not exist.
    """

    path: str = SHIPPED
    games: int = 0
    minimum: int = 9  # section 4.4
    finished: bool = True
    rating: int = 0
    on_error: str = "skip"

    def __post_init__(self):
        if self.on_error not in ON_ERROR:
            raise ValueError(f"on_error must be one of {', '.join(ON_ERROR)}, not {self.on_error!r}")
        if min(self.games, self.minimum, self.rating) < 0:
            raise ValueError(
                f"games, minimum and rating must not be negative: {self.games}, {self.minimum}, {self.rating}"
            )
        if self.path == MADE and not self.games:
            raise ValueError(f"path={MADE} needs games, the number to be made")
        if self.path not in (SHIPPED, MADE) and not _is_file_or_folder(self.path):
            raise ValueError(f"path must be {SHIPPED}, {MADE}, or a file or folder, and there is none at {self.path!r}")

    def load(self, seed: int = 0) -> "Loaded":
        """The games; `seed` is for those that are made.

        Raises RecordError for a wrong record if `on_error` is `fail`, and ValueError if no game is left.
        """
        if self.path == MADE:
            games = made(self.games, seed)
            return Loaded(games, Counter(), [])
        return load(FILE if self.path == SHIPPED else Path(self.path), self)


def _is_file_or_folder(path: str) -> bool:
    try:
        return bool(path.strip()) and (Path(path).is_file() or Path(path).is_dir())
    except (OSError, ValueError):  # such as a name that is too long or has a NUL
        return False


@dataclass(frozen=True)
class Loaded:
    """What a source gave.

    dropped: reason → number of games that were not kept
    errors: of the records that were left out as wrong
    """

    games: Games
    dropped: Counter
    errors: list[RecordError]

    def __str__(self) -> str:
        why = [f"{count:,} {reason}" for reason, count in sorted(self.dropped.items())]
        wrong = [f"{len(self.errors):,} wrong"] if self.errors else []
        left_out = ", ".join([*why, *wrong])
        return f"{len(self.games):,} games" + (f"; left out: {left_out}" if left_out else "")


def load(path: Path, source: Source) -> Loaded:
    """The games of a file or folder that `source` keeps. Raises as `Source.load`."""
    kept: list[Record] = []
    errors: list[RecordError] = []
    dropped = Counter()
    terminal = Console(stderr=True)
    for file in track(_files(path), "records", console=terminal, disable=not terminal.is_terminal):
        for record, ending, error in _of_file(file):
            if error is not None:
                if source.on_error == "fail":
                    raise error
                errors.append(error)
                terminal.print(f"left out: {error}", markup=False, highlight=False, soft_wrap=True)
            elif reason := _reason(record, ending, source):
                dropped[reason] += 1
            else:
                kept.append(record)
    if not kept:
        raise ValueError(f"{path} has no game to learn from: {Loaded(games_of([], []), dropped, errors)}")
    chosen = kept[: source.games or None]
    games = games_of([record.actions for record in chosen], [_result(record) for record in chosen])
    return Loaded(games, dropped, errors)


def _files(path: Path) -> list[Path]:
    """All files of a folder but hidden ones, in the order of their names."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))


def _of_file(file: Path) -> Iterator[tuple[Any, str | None, RecordError | None]]:
    """(record, ending, error) of every game. The package's own games are not replayed here: a test does that."""
    if file == FILE:
        yield from ((record, record.ending, None) for record in read(file))
        return
    try:
        games = list(parse(read_file(file), str(file)))
    except RecordError as error:  # the whole file is of no known format
        games = [error]
    except OSError as error:  # it cannot be read
        games = [RecordError(error.strerror or str(error), place=Place(str(file)))]
    yield from checked_games(file, games, replay)


def _reason(record: Record, ending: str | None, source: Source) -> str | None:
    """Why a game is not kept; None if it is."""
    if len(record.actions) < source.minimum:
        return "too short"
    if record.result == "?":
        return "without a result"
    if source.finished and ending == "unfinished":
        return "unfinished"
    ratings = [record.headers.get(f"Player {player} Rating", "") for player in (1, 2)]
    if source.rating and not all(rating.isdigit() and int(rating) >= source.rating for rating in ratings):
        return "not rated high enough"
    return None


def _result(record: Record) -> float:
    """The result for seat 0."""
    return {0: 1.0, 1: -1.0, None: 0.0}[RESULTS[record.result]]


# ---------------------------------------------------------------- games of our own
def made(games: int, seed: int = 0) -> Games:
    """`games` different games of the heuristic player against itself, in the order of their numbers.

    Raises ValueError if the games that are played repeat each other too often.
    """
    each = -(-games * 5 // (4 * BLOCKS))  # a few are not over at the cap
    streams = stream_from_key(jax.random.key(seed)) + jnp.arange(BLOCKS, dtype=jnp.uint32)
    player = Heuristic(RULES)
    schedule = Schedule(each, min(LANES, each), ((0, 1),), PLY_CAP, record_moves=True)
    results = play_games(RULES, (player, player), streams, schedule, batched=False)
    assert results.moves is not None
    moves, finished = np.asarray(results.moves).reshape(BLOCKS * each, -1), np.asarray(results.finished).reshape(-1)
    plies, result = np.asarray(results.plies).reshape(-1), np.asarray(results.returns[..., 0]).reshape(-1)
    distinct = {one[:length].tobytes(): number for number, (one, length) in enumerate(zip(moves, plies, strict=True))}
    kept = [number for number in sorted(distinct.values()) if finished[number]][:games]
    if len(kept) < games:
        raise ValueError(f"only {len(kept):,} of {games:,} games were different and over within {PLY_CAP} plies")
    return games_of([moves[number, : plies[number]] for number in kept], [result[number] for number in kept])


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the package's file of games, or one like it."""
    parser = argparse.ArgumentParser(prog="python -m neuroevo.td.sources", description=__doc__)
    parser.add_argument("file", type=Path, help="a text, or a table if its name ends in .tsv or .tsv.gz")
    parser.add_argument("--games", type=console.whole_number(1, MOST_MADE), default=SHIPPED_GAMES)
    parser.add_argument("--seed", type=console.seed, default=0)
    chosen = parser.parse_args(arguments)
    try:
        check_writable(chosen.file)  # before the games
        devices.set_up()
        games = made(chosen.games, chosen.seed)
        leaves = map(np.asarray, (games.moves, games.length, games.result))
        played = [_record(*game) for game in zip(*leaves, strict=True)]
        ends = replay(played)
        write(chosen.file, [replace(record, ending=end) for record, (end, _) in zip(played, ends, strict=True)])
    except (ValueError, OSError) as error:
        console.say(error)
        return 1
    print(f"{chosen.file}: {len(played):,} games")
    return 0


def _record(moves: np.ndarray, length: int, result: float) -> Record:
    word = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[int(result)]
    headers = {"Game": "Pente", "Rated": "Y", "Player 1 Name": "heuristic", "Player 2 Name": "heuristic"}
    return Record(headers | {"Result": word}, tuple(int(move) for move in moves[:length]), word)


if __name__ == "__main__":
    sys.exit(console.run(main))
