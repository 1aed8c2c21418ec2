"""Games as our own runs keep them, such as those in games/champion.txt: of any board game, and for people to read.

    Gomoku 5×5, 4 in a row: champion (seat 0) – naive (seat 1)
    1. C3 D4 2. B3 D3 3. A3 D2 4. D5 D1 seat 1 wins after 8 plies

A line that begins with the game's title, up to a colon; a line as `render.game_text` writes it; and an empty line
between games. Seats that the rules skip are said to `pass`.
"""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product, zip_longest
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from jaxgames.core import BoardGame, State, winner
from jaxgames.games import GAMES, board_game
from jaxgames.games.any_game import title_of
from jaxgames.records.errors import Place, RecordError
from jaxgames.records.replaying import NO_MOVE, QUICKLY, Replayed

ENDINGS = ("won", "draw", "unfinished")
RESULT = re.compile(r"(?<!\S)(?:(draw|unfinished)|seat ([0-9]) wins) after ([0-9]{1,9}) plies")
PASS = "pass"
STRIDE = 64  # games are padded to a multiple of it: fewer programs are compiled
MOST_TITLE, MOST_NUMBERS = 100, 4  # characters of a title, different numbers in it


@dataclass(frozen=True)
class Playthrough:
    """A game on record.

    title: the line over the moves, which begins with the title of `game`
    actions: without passes
    places: of each action among all plies, of which the others are passes
    result: in words, such as `draw`
    """

    title: str
    game: BoardGame
    actions: tuple[int, ...]
    places: tuple[int, ...]
    result: str


class _Seen(NamedTuple):
    """A position and the move in it; `_play_on` gives it a leading axis."""

    terminal: Bool[Array, ""]
    seat: Int[Array, ""]
    winner: Int[Array, ""]
    legal: Bool[Array, ""]


# ---------------------------------------------------------------- read
def recognise(content: bytes) -> bool:
    """Whether the first two lines look like such a record."""
    first, second, *_ = [*_lines(content[:100_000].decode(errors="replace")), "", ""]
    return game_of(first) is not None or RESULT.search(second[-50:]) is not None


def parse(content: bytes, file: str) -> list[Playthrough | RecordError]:
    """The games of a file's content. `file`: how errors call it. Raises RecordError if it is not UTF-8."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"it is not UTF-8: {error}", place=Place(file)) from error
    games: list[Playthrough | RecordError] = []
    blocks = re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
    for number, block in enumerate((block for block in blocks if block.strip()), 1):
        try:
            games.append(_game(block))
        except RecordError as error:
            games.append(error.at(Place(file, number)))
    return games


@lru_cache(maxsize=256)
def game_of(line: str) -> BoardGame | None:
    """The game of GAMES, with the values of its fields, whose title the line begins with; None where there is none."""
    title = line.partition(":")[0].strip()
    numbers = [int(number) for number in dict.fromkeys(re.findall(r"[0-9]+", title[:MOST_TITLE]))]
    if not title or len(title) > MOST_TITLE or len(numbers) > MOST_NUMBERS:
        return None
    return next((game for kind in GAMES.values() for game in _variants(kind, title, numbers)), None)


def _variants(kind: type, title: str, numbers: list[int]) -> Iterator[BoardGame]:
    """The games of a kind with that title: fields have their defaults, or numbers and words of the title."""
    fields = [f for f in dataclasses.fields(kind) if f.default is not dataclasses.MISSING]
    for values in product(*(_choices(f.default, title, numbers) for f in fields)):
        try:
            game = kind(**{f.name: value for f, value in zip(fields, values, strict=True)})
            if title_of(game) == title:
                yield board_game(game)
        except ValueError:  # there is no such game, or it is not played on a board
            continue


def _choices(default: Any, title: str, numbers: list[int]) -> list:
    if isinstance(default, bool):
        return [default, not default]
    if isinstance(default, int):
        return [default, *(number for number in numbers if number != default)]
    return [default, *(word for word in re.split(r"[ ,]+", title) if isinstance(default, str))]


def _game(block: str) -> Playthrough:
    title, *rest = _lines(block)
    game = game_of(title)
    if game is None:
        raise RecordError(f"the line over the moves must begin with a game's title and a colon, unlike {title!r}")
    if len(rest) != 1:
        raise RecordError(f"under its title a game has one line, not {len(rest)}")
    found = RESULT.search(rest[0])
    if found is None or found.end() != len(rest[0]):
        raise RecordError("the line of moves must end with a result such as 'seat 0 wins after 9 plies'")
    words = rest[0][: found.start()].split()
    names = [word for word in words if not word.endswith(".")]
    _check_numbers(words, names, game.num_seats)
    if names and names[-1] == PASS:
        raise RecordError("a pass stands before the move of another seat, not at the end")
    places = [place for place, name in enumerate(names) if name != PASS]
    if len(places) != int(found[3]):
        raise RecordError(f"there are {len(places)} moves, and the result says {int(found[3])} plies")
    actions = tuple(_action(game, names[place], ply) for ply, place in enumerate(places, 1))
    return Playthrough(title, game, actions, tuple(places), found[1] or f"seat {found[2]} wins")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _check_numbers(words: list[str], names: list[str], seats: int) -> None:
    """Every round has its number, and nothing else has."""
    numbered = [word for i, name in enumerate(names) for word in ([] if i % seats else [f"{i // seats + 1}."]) + [name]]
    for word, expected in zip_longest(words, numbered, fillvalue="nothing"):
        if word != expected:
            raise RecordError(f"there must be {expected} in place of {word}")


def _action(game: BoardGame, name: str, ply: int) -> int:
    try:
        action = game.parse_action(name)
    except ValueError as error:
        raise RecordError(str(error), ply) from error
    if game.action_name(action) != name:
        raise RecordError(f"{name} is written {game.action_name(action)}", ply)
    return action


# ---------------------------------------------------------------- replayed
def replay(records: Sequence[Playthrough]) -> list[Replayed]:
    """What happens in each game by its rules; its ending is one of ENDINGS."""
    return [_compare(record, _play(record)) for record in records]


def _play(record: Playthrough) -> _Seen:
    """Leads with [plies]: every position of the record, also the last one."""
    actions = record.actions[: record.game.max_plies + 1]
    padded = np.full((len(actions) // STRIDE + 1) * STRIDE, NO_MOVE, np.int32)
    padded[: len(actions)] = actions
    return jax.device_get(_play_on(record.game, padded))


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def _play_on(game: BoardGame, actions: Int[Array, "plies"]) -> _Seen:
    def ply(state: State, action: Int[Array, ""]) -> tuple[State, _Seen]:
        over = game.terminal(state)
        legal = (action >= 0) & game.legal(state)[action] & ~over
        seen = _Seen(over, game.to_move(state), winner(game.returns(state)), legal)
        after = game.play(state, jnp.maximum(action, 0))
        return jax.tree.map(lambda old, new: jnp.where(legal, new, old), state, after), seen

    return jax.lax.scan(ply, game.start(), actions)[1]


def _compare(record: Playthrough, seen: _Seen) -> Replayed:
    if not seen.terminal[-1]:
        happens = "unfinished"
    else:
        happens = "draw" if seen.winner[-1] < 0 else f"seat {seen.winner[-1]} wins"
    ending = happens if happens in ENDINGS else "won"
    wrong = np.flatnonzero(~seen.legal[: len(record.actions)])
    if wrong.size:
        before = int(wrong[0])
        name = record.game.action_name(record.actions[before])
        reason = f"the game was over after ply {before}" if seen.terminal[before] else f"{name} is no legal move"
        return Replayed(ending, RecordError(reason, before + 1))
    if (error := _wrong_passes(record, np.asarray(seen.seat))) is None and happens != record.result:
        error = RecordError(f"the result is '{happens}', not '{record.result}'")
    return Replayed(ending, error)


def _wrong_passes(record: Playthrough, seat: np.ndarray) -> RecordError | None:
    """Whether other seats pass than those that the rules skip. seat: Int[plies], to move."""
    place = -1
    for ply, (actual, mover) in enumerate(zip(record.places, seat.tolist(), strict=False), 1):
        place += 1 + (mover - place - 1) % record.game.num_seats
        if actual != place:
            return RecordError(f"seat {mover} is to move, and not seat {actual % record.game.num_seats}", ply)
    return None
