"""WTHOR, the French Othello Federation's format for Othello games: `.wtb` files, one for the games of a year.

A header and 68 bytes a game; words have their low byte first.

    header   4 bytes   century, year in it, month and day of the file
             u32       number of games
             u16       0; in files of names, which go with these, their number
             u16       year of the games
             4 bytes   board size (0 means 8), kind of games (1: solitaire), depth of search, reserved
    game     3 × u16   tournament, dark player, light player: numbers of lines in files of names
             2 bytes   score of dark, and what perfect play from that depth on would have given
             60 bytes  moves as 10 · row + column from 11 to 88, 0 after the last; skipped turns do not appear

A score is the discs of dark at the end, and the empty squares go to the winner, to both alike in a draw.
"""

import struct
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from jaxgames import files
from jaxgames.games.othello.rules import Othello
from jaxgames.games.othello.squares import SIZE
from jaxgames.records.errors import Place, RecordError

SUFFIX = ".wtb"  # the format has no mark of its own
HEADER = struct.Struct("<4BIHH4B")
GAME = struct.Struct(f"<3H2B{Othello.max_plies}s")


@dataclass(frozen=True)
class Header:
    """What a file says of itself, but for the number of its games. Raises RecordError."""

    created: tuple[int, ...] = (20, 0, 1, 1)  # century, year in it, month and day of the file
    names: int = 0  # number of names, in files of names
    year: int = 2000  # of the games
    size: int = 8  # of the board; 0 means 8
    kind: int = 0  # of games: 1 for solitaire
    depth: int = 0  # of the search that found the best scores
    reserved: int = 0  # not used

    def __post_init__(self):
        if self.size not in (0, SIZE):
            raise RecordError(f"the board is {self.size}×{self.size}, and only {SIZE}×{SIZE} can be read")


@dataclass(frozen=True)
class OthelloRecord:
    """A game on record. Players and tournament are numbers of lines in files of names. Raises RecordError."""

    actions: tuple[int, ...] = ()  # all plies
    score: int = 32  # of dark, in discs
    best_score: int = 32  # of dark, had both played perfectly from the header's depth on
    tournament: int = 0  # line in the file of tournaments
    dark: int = 0  # line in the file of players
    light: int = 0  # the same

    def __post_init__(self):
        if len(self.actions) > Othello.max_plies:
            raise RecordError(f"a game has at most {Othello.max_plies} plies, not {len(self.actions)}")
        for ply, action in enumerate(self.actions, 1):
            if not 0 <= action < Othello.num_actions:
                raise RecordError(f"action {action} is not on the board", ply)
        for name, score in (("score", self.score), ("best score", self.best_score)):
            if not 0 <= score <= Othello.num_actions:
                raise RecordError(f"the {name} must be from 0 to {Othello.num_actions}, not {score}")


@dataclass(frozen=True)
class WthorFile:
    """A file's header and its games."""

    header: Header  # but for the number of games
    games: tuple[OthelloRecord, ...]  # in the file's order


def read(path: str | Path) -> WthorFile:
    """Raises RecordError at the first game that is wrong, and OSError."""
    header, games = parse(files.read(path), str(path))
    for game in games:
        if isinstance(game, RecordError):
            raise game
    return WthorFile(header, tuple(game for game in games if isinstance(game, OthelloRecord)))


def parse(content: bytes, file: str) -> tuple[Header, list[OthelloRecord | RecordError]]:
    """The header and the games of a file's content. `file`: how errors call it.

    Raises RecordError where the length is not what the header says, or the board is not 8×8.
    """
    if len(content) < HEADER.size:
        raise RecordError(f"a header has {HEADER.size} bytes, and there are {len(content)}", place=Place(file))
    numbers = HEADER.unpack_from(content)
    created, number, others = numbers[:4], numbers[4], numbers[5:]
    expected = HEADER.size + number * GAME.size
    if len(content) != expected:
        reason = f"{number:,} games take {expected:,} bytes, and there are {len(content):,}"
        raise RecordError(reason, place=Place(file))
    try:
        header = Header(created, *others)
    except RecordError as error:
        raise error.at(Place(file)) from error
    games: list[OthelloRecord | RecordError] = []
    for index in range(number):
        try:
            games.append(_game(content, HEADER.size + index * GAME.size))
        except RecordError as error:
            games.append(error.at(Place(file, index + 1)))
    return header, games


def _game(content: bytes, offset: int) -> OthelloRecord:
    tournament, dark, light, score, best_score, codes = GAME.unpack_from(content, offset)
    moves = codes.rstrip(b"\0")
    actions = []
    for ply, code in enumerate(moves, 1):
        row, column = divmod(code, 10)
        if code == 0:
            raise RecordError(f"there is no move, but {sum(map(bool, moves[ply:]))} more after it", ply)
        if not (1 <= row <= SIZE and 1 <= column <= SIZE):
            raise RecordError(f"{code} is not a square from 11 to 88", ply)
        actions.append((row - 1) * SIZE + column - 1)
    return OthelloRecord(tuple(actions), score, best_score, tournament, dark, light)


def write(path: str | Path, file: WthorFile) -> None:
    """Writes what `read` reads, byte for byte. Raises RecordError for a number that has no room."""
    files.write(path, encode(file))


def encode(file: WthorFile) -> bytes:
    """The inverse of `parse`. Raises RecordError for a number that has no room."""
    created, *others = astuple(file.header)
    header = _packed(HEADER, (*created, len(file.games), *others), None)
    return header + b"".join(_encode_game(game, number) for number, game in enumerate(file.games, 1))


def _encode_game(game: OthelloRecord, number: int) -> bytes:
    codes = bytes(10 * (action // SIZE + 1) + action % SIZE + 1 for action in game.actions)
    return _packed(GAME, (game.tournament, game.dark, game.light, game.score, game.best_score, codes), number)


def _packed(layout: struct.Struct, values: Sequence[int | bytes], game: int | None) -> bytes:
    try:
        return layout.pack(*values)
    except struct.error as error:
        where = "the header" if game is None else f"game {game}"
        raise RecordError(f"{where} cannot be written: {error}") from error
