"""Drawings of positions and of whole games, as text and as SVG, for every game whose moves place stones or discs.

A game needs `planes` for it; what else it does not say, `AnyGame` adds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from itertools import product
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxgames.core import BoardGame, State
from jaxgames.games.any_game import board_game
from jaxgames.games.points import board_labels

MARKS = "XO#@"  # of the seats, in text
PASS = "pass"


class _Colour(NamedTuple):
    name: str
    fill: str
    edge: str
    ink: str  # of what is written on the stone


COLOURS = (
    _Colour("black", "#23211f", "#000000", "#ffffff"),
    _Colour("white", "#fbfaf7", "#77706a", "#1c1a18"),
    _Colour("blue", "#2f6fb7", "#1b4778", "#ffffff"),
    _Colour("red", "#c0392b", "#7d2018", "#ffffff"),
)
WOOD, GRAIN, INK, LAST = "#e8c48c", "#c99f5f", "#5a4120", "#1fb866"
CELL, MARGIN, LINE = 32, 44, 22  # units between points, around the board, between lines of writing
LETTER = 7.5  # about as wide as a letter of the writing


@dataclass(frozen=True)
class Drawing:
    """Prints as text; a notebook shows the SVG."""

    text: str  # lines, without colours
    svg: str  # a whole SVG document

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


# ---------------------------------------------------------------- what can be drawn
def draw_position(game: Any, state: State, last: int | None = None) -> Drawing:
    """A position. `last`: the action that led to it, to be marked. Raises ValueError for a game without a board."""
    game = board_game(game)
    view = _view(game, state)
    stones = {point: _Stone(seat) for point, seat in view.board.items()}
    if view.over:
        return _draw(game, stones, last, _Caption(_result(view), view.winner))
    seat = view.to_move
    return _draw(game, stones, last, _Caption(f"seat {seat} ({{}}) to move", seat))


def draw_game(game: Any, actions: Iterable[int]) -> Drawing:
    """A whole game, the stones numbered by ply. −1 at the end of `actions`, as the arena pads them, is ignored.

    Stones that were captured are pale if their points are empty at the end, and are listed below. Raises ValueError at
    the first ply that is not legal.
    """
    game = board_game(game)
    record = _play(game, actions)
    stones = {point: _Stone(seat, record.number.get(point)) for point, seat in record.view.board.items()}
    pale = {point: _Stone(seat, number, pale=True) for number, point, seat in record.captured if point not in stones}
    notes = [f"{number or ''} at {game.action_name(point)}".lstrip() for number, point, _ in record.captured]
    lines = ["captured: " + ", ".join(row) for row in _rows(notes, max(game.columns // 2, 2))]
    last = record.actions[-1] if record.actions else None
    return _draw(game, pale | stones, last, _Caption(record.result, record.view.winner, tuple(lines)))


def game_text(game: Any, actions: Iterable[int]) -> str:
    """A whole game in one line: `1. C3 D4 2. …` and the result, with `pass` for a seat that the rules skip. −1 at the
    end of `actions` is ignored. Raises ValueError at the first ply that is not legal.
    """
    game = board_game(game)
    record = _play(game, actions)
    plies: list[str] = []
    for seat, action in zip(record.seats, record.actions, strict=True):
        while len(plies) % game.num_seats != seat:
            plies.append(PASS)
        plies.append(game.action_name(action))
    rounds = _rows(plies, game.num_seats)
    moves = [f"{number}. {' '.join(names)}" for number, names in enumerate(rounds, 1)]
    return " ".join([*moves, record.result])


def _rows(items: Iterable[Any], length: int) -> list[tuple]:
    """Cuts into pieces of one length; the last may be shorter."""
    items = tuple(items)
    return [items[i : i + length] for i in range(0, len(items), length)]


# ---------------------------------------------------------------- positions and games
class _View(NamedTuple):
    board: dict[int, int]  # seat of every stone, by point
    to_move: int
    over: bool
    winner: int | None
    legal: np.ndarray  # Bool[actions]


@dataclass
class _Record:
    actions: list[int]
    view: _View
    seats: list[int] = field(default_factory=list)  # who moved at each ply
    number: dict[int, int] = field(default_factory=dict)  # ply of the last stone on a point
    captured: list[tuple[int | None, int, int]] = field(default_factory=list)  # (ply, point, seat)

    @property
    def result(self) -> str:
        return f"{_result(self.view)} after {len(self.actions)} plies"


def _result(view: _View) -> str:
    if not view.over:
        return "unfinished"
    return "draw" if view.winner is None else f"seat {view.winner} wins"


@partial(jax.jit, static_argnums=0)
def _examine(game: BoardGame, state: State) -> tuple:
    return game.to_move(state), game.terminal(state), game.returns(state), game.planes(state), game.legal(state)


@partial(jax.jit, static_argnums=0)
def _advance(game: BoardGame, state: State, action: Any) -> State:
    return game.play(state, action)


def _view(game: BoardGame, state: State) -> _View:
    to_move, over, returns, planes, legal = jax.device_get(_examine(game, state))
    plane, points = np.nonzero(planes)
    seats = (plane + to_move) % game.num_seats
    best = np.flatnonzero(returns == returns.max())
    winner = int(best[0]) if over and len(best) == 1 else None
    board = {int(p): int(s) for p, s in zip(points, seats, strict=True)}
    return _View(board, int(to_move), bool(over), winner, legal)


def _play(game: BoardGame, actions: Iterable[int]) -> _Record:
    actions = [int(action) for action in actions]
    while actions and actions[-1] == -1:
        actions.pop()
    state = game.start()
    record = _Record(actions, _view(game, state))
    for ply, action in enumerate(actions, 1):
        name, before = game.action_name(action), record.view
        if before.over or not before.legal[action]:
            stone = "there is a stone" if action in before.board else "the rules do not allow it"
            raise ValueError(f"ply {ply} cannot be at {name}: {'the game is over' if before.over else stone}")
        state = _advance(game, state, action)
        record.view = _view(game, state)
        gone = sorted(before.board.keys() - record.view.board.keys())
        record.seats.append(before.to_move)
        record.captured += [(record.number.get(point), point, before.board[point]) for point in gone]
        record.number[action] = ply
    return record


# ---------------------------------------------------------------- drawing
class _Stone(NamedTuple):
    seat: int
    number: int | None = None
    pale: bool = False


class _Caption(NamedTuple):
    line: str  # has a place for how its seat is shown
    seat: int | None
    notes: tuple[str, ...] = ()


def _draw(game: BoardGame, stones: dict[int, _Stone], last: int | None, caption: _Caption) -> Drawing:
    return Drawing(_text(game, stones, caption), _svg(game, stones, last, caption))


def _text(game: BoardGame, stones: dict[int, _Stone], caption: _Caption) -> str:
    cells = ["."] * game.num_actions
    for point, stone in stones.items():
        if not stone.pale:
            cells[point] = MARKS[stone.seat] + ("" if stone.number is None else str(stone.number))
    letters, numbers = board_labels(game)
    width = max(map(len, cells + letters))
    lines = []
    for number, row in zip(numbers, _rows(cells, game.columns), strict=True):
        lines.append(_line(number, row, width))
    lines.append(_line("", letters, width))
    lines.append(caption.line.format(MARKS[caption.seat or 0]))
    return "\n".join([*lines, *caption.notes])


def _line(label: str, cells: Sequence[str], width: int) -> str:
    return f"{label:>2} {' '.join(f'{cell:<{width}}' for cell in cells)}".rstrip()


def _svg(game: BoardGame, stones: dict[int, _Stone], last: int | None, caption: _Caption) -> str:
    right, bottom = (game.columns - 1) * CELL, (game.rows - 1) * CELL  # the point at the top left is (0, 0)
    line = caption.line.format(COLOURS[caption.seat or 0].name)
    longest = max(map(len, (line, *caption.notes)))
    width = max(right + 2 * MARGIN, round(longest * LETTER) + MARGIN)
    height = bottom + 2 * MARGIN + (1 + len(caption.notes)) * LINE + LINE // 2
    left = (right - width) // 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {-MARGIN} {width} {height}" width="{width}" '
        f'height="{height}" font-family="Helvetica, Arial, sans-serif" text-anchor="middle" role="img">',
        f"<title>{escape(line)}</title>",
        f'<rect x="{left + 1}" y="{1 - MARGIN}" width="{width - 2}" height="{height - 2}" rx="8" '
        f'fill="{WOOD}" stroke="{GRAIN}" stroke-width="2"/>',
        *_grid(game, right, bottom),
        *_coordinates(game, bottom),
        *(_stone(game, point, stone, point == last) for point, stone in sorted(stones.items())),
        *_writing(line, caption, right / 2, bottom + MARGIN + LINE / 2),
        "</svg>",
    ]
    return "\n".join(parts)


def _grid(game: BoardGame, right: int, bottom: int) -> list[str]:
    if game.in_squares:  # the lines run around the points
        lines, edge = (game.rows + 1, game.columns + 1), -CELL // 2
        right, bottom = game.columns * CELL, game.rows * CELL
    else:
        lines, edge = (game.rows, game.columns), 0
    down = "".join(f"M{edge + column * CELL} {edge}v{bottom}" for column in range(lines[1]))
    across = "".join(f"M{edge} {edge + row * CELL}h{right}" for row in range(lines[0]))
    path = f'<path d="{down}{across}" fill="none" stroke="{INK}" stroke-linecap="square"/>'
    if game.in_squares:
        return [path]
    dots = [f'<circle cx="{c * CELL}" cy="{r * CELL}" r="3" fill="{INK}"/>' for r, c in _stars(game.rows, game.columns)]
    return [path, *dots]


def _stars(rows: int, columns: int) -> list[tuple[int, int]]:
    """The dots of a Go board: in the centre, in the corners from 8 lines on, and between these from 17 on."""

    def lines(length: int) -> tuple[list[int], list[int]]:
        edge = 3 if length >= 12 else 2
        return [length // 2] if length % 2 and length >= 5 else [], [edge, length - 1 - edge] if length >= 8 else []

    (middle_row, edge_rows), (middle_column, edge_columns) = lines(rows), lines(columns)
    dots = [*product(middle_row, middle_column), *product(edge_rows, edge_columns)]
    if min(rows, columns) >= 17:
        dots += [*product(middle_row, edge_columns), *product(edge_rows, middle_column)]
    return dots


def _coordinates(game: BoardGame, bottom: int) -> list[str]:
    letters, numbers = board_labels(game)
    away = MARGIN * 0.64
    across = [_written(letter, column * CELL, bottom + away, 13, INK) for column, letter in enumerate(letters)]
    return across + [_written(number, -away, row * CELL, 13, INK) for row, number in enumerate(numbers)]


def _stone(game: BoardGame, point: int, stone: _Stone, last: bool) -> str:
    row, column = divmod(point, game.columns)
    x, y, radius, colour = column * CELL, row * CELL, CELL * 0.46, COLOURS[stone.seat]
    fading = ' opacity="0.5"' if stone.pale else ""
    parts = [_circle(x, y, radius, f'fill="{colour.fill}" stroke="{colour.edge}"{fading}')]
    if stone.number is not None:
        parts.append(_written(str(stone.number), x, y, 11 if stone.number > 99 else 13, colour.ink))
    if last:
        ring = (radius, LAST) if stone.number is not None else (radius * 0.5, colour.ink)
        parts.append(_circle(x, y, ring[0], f'fill="none" stroke="{ring[1]}" stroke-width="3"'))
    return "".join(parts)


def _writing(line: str, caption: _Caption, x: float, y: float) -> list[str]:
    texts = [_written(line, x, y, 15, INK)]
    return texts + [_written(note, x, y + (i + 1) * LINE, 13, INK) for i, note in enumerate(caption.notes)]


def _circle(x: float, y: float, radius: float, style: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


def _written(text: str, x: float, y: float, size: int, colour: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" dy="0.35em" font-size="{size}" fill="{colour}">{escape(text)}</text>'
