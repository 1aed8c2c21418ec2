"""The text form of pente.org: headers in brackets, an empty line, numbered moves and the result, an empty line.

[Game "Pente"]
[Player 1 Name "p001"]
[Result "0-1"]

1. K10 K9 2. N10 L11 0-1
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from textwrap import fill

from jaxgames.records.errors import RecordError
from jaxgames.records.pente.record import Record, actions_of, names_of

WIDTH = 80  # characters of a line of moves
HEADER = re.compile(r'\[([^"\[\]]+) "(.*)"\]')


def games(content: str) -> Iterator[list[str]]:
    """The lines of each game, without the empty ones. A header after a line that is none begins the next game."""
    lines: list[str] = []
    previous = ""
    for line in map(str.strip, content.split("\n")):
        if line.startswith("[") and not previous.startswith("[") and lines:
            yield lines
            lines = []
        if line:
            lines.append(line)
        previous = line
    if lines:
        yield lines


def parse(lines: list[str]) -> Record:
    """The record of one game's lines. Raises RecordError."""
    headers: dict[str, str] = {}
    moves = list(lines)
    while moves and moves[0].startswith("["):
        line = moves.pop(0)
        match = HEADER.fullmatch(line)
        if match is None:
            raise RecordError(f'a header must look like [Name "value"], not {line}')
        name, value = match.groups()
        if name in headers:
            raise RecordError(f"two headers are called {name}")
        headers[name] = value
    *tokens, result = " ".join(moves).split() or [""]
    names = [token for token in tokens if not token.endswith(".")]
    _check_numbers(tokens, names)
    return Record(headers, actions_of(names), result)


def _check_numbers(tokens: list[str], names: list[str]) -> None:
    ply = 1
    for token, expected in zip_longest(tokens, _numbered(names), fillvalue="nothing"):
        if token != expected:
            raise RecordError(f"there must be {expected} in place of {token}", ply)
        ply += not token.endswith(".")


def _numbered(names: list[str]) -> list[str]:
    """The moves with a number before each of seat 0."""
    return [word for ply, name in enumerate(names) for word in ([name] if ply % 2 else [f"{ply // 2 + 1}.", name])]


def write(record: Record) -> str:
    """The text of one game. Raises RecordError where it could not be read again."""
    lines = [f'[{name} "{value}"]' for name, value in record.headers.items()]
    if not lines:
        raise RecordError("a game needs a header in text, such as Game")
    for line in lines:
        if HEADER.fullmatch(line) is None:
            raise RecordError(f"this cannot be a header: {line!r}")
    words = [*_numbered(names_of(record.actions)), record.result]
    return "\n".join([*lines, "", fill(" ".join(words), WIDTH, break_on_hyphens=False), "", ""])
