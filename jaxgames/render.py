"""Drawings of positions and of whole games, as text and as SVG, for every game whose moves place stones.

Columns have letters from the left, without I; rows have numbers from the bottom. On 9 × 9 action 0 is the point A9 and
action 80 is J1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from itertools import product
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxgames.core import State, StoneGame
from jaxgames.games.notation import column_letters, point_name

MARKS = "XO#@"  # of the seats, in text


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

    text: str
    svg: str

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


# ---------------------------------------------------------------- what can be drawn
def draw_position(game: StoneGame, state: State, last: int | None = None) -> Drawing:
    """A position. `last`: the action that led to it, to be marked."""
    view = _view(game, state)
    stones = {point: _Stone(seat) for point, seat in view.board.items()}
    if view.over:
        return _draw(game, stones, last, _Caption(_result(view), view.winner))
    seat = view.to_move
    return _draw(game, stones, last, _Caption(f"seat {seat} ({{}}) to move", seat))


def draw_game(game: StoneGame, actions: Iterable[int]) -> Drawing:
    """A whole game, the stones numbered by ply. −1 at the end of `actions`, as the arena pads them, is ignored.

    Stones that were captured are pale if their points are empty at the end, and are listed below.
    """
    record = _play(game, actions)
    stones = {point: _Stone(seat, record.number[point]) for point, seat in record.view.board.items()}
    pale = {point: _Stone(seat, number, pale=True) for number, point, seat in record.captured if point not in stones}
    notes = [f"{number} at {point_name(game, point)}" for number, point, _ in record.captured]
    lines = ["captured: " + ", ".join(row) for row in _rows(notes, max(game.columns // 2, 2))]
    last = record.actions[-1] if record.actions else None
    return _draw(game, pale | stones, last, _Caption(record.result, record.view.winner, tuple(lines)))


def game_text(game: StoneGame, actions: Iterable[int]) -> str:
    """A whole game in one line: `1. C3 D4 2. …` and the result. −1 at the end of `actions` is ignored."""
    record = _play(game, actions)
    rounds = _rows((point_name(game, action) for action in record.actions), game.num_seats)
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


@dataclass
class _Record:
    actions: list[int]
    view: _View
    number: dict[int, int] = field(default_factory=dict)  # ply of the last stone on a point
    captured: list[tuple[int, int, int]] = field(default_factory=list)  # (ply, point, seat)

    @property
    def result(self) -> str:
        return f"{_result(self.view)} after {len(self.actions)} plies"


def _result(view: _View) -> str:
    if not view.over:
        return "unfinished"
    return "draw" if view.winner is None else f"seat {view.winner} wins"


@partial(jax.jit, static_argnums=0)
def _look(game: StoneGame, state: State) -> tuple:
    return game.to_move(state), game.terminal(state), game.returns(state), game.planes(state)


@partial(jax.jit, static_argnums=0)
def _advance(game: StoneGame, state: State, action: Any) -> State:
    return game.play(state, action)


def _view(game: StoneGame, state: State) -> _View:
    to_move, over, returns, planes = jax.device_get(_look(game, state))
    plane, points = np.nonzero(planes)
    seats = (plane + to_move) % game.num_seats
    best = np.flatnonzero(returns == returns.max())
    winner = int(best[0]) if over and len(best) == 1 else None
    return _View({int(p): int(s) for p, s in zip(points, seats, strict=True)}, int(to_move), bool(over), winner)


def _play(game: StoneGame, actions: Iterable[int]) -> _Record:
    actions = [int(action) for action in actions]
    while actions and actions[-1] == -1:
        actions.pop()
    state = game.start()
    record = _Record(actions, _view(game, state))
    for ply, action in enumerate(actions, 1):
        name, before = point_name(game, action), record.view
        if before.over or action in before.board:
            reason = "the game is over" if before.over else "there is a stone"
            raise ValueError(f"ply {ply} cannot be at {name}: {reason}")
        state = _advance(game, state, action)
        record.view = _view(game, state)
        gone = sorted(before.board.keys() - record.view.board.keys())
        record.captured += [(record.number[point], point, before.board[point]) for point in gone]
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


def _draw(game: StoneGame, stones: dict[int, _Stone], last: int | None, caption: _Caption) -> Drawing:
    return Drawing(_text(game, stones, caption), _svg(game, stones, last, caption))


def _text(game: StoneGame, stones: dict[int, _Stone], caption: _Caption) -> str:
    cells = ["."] * game.num_actions
    for point, stone in stones.items():
        if not stone.pale:
            cells[point] = MARKS[stone.seat] + ("" if stone.number is None else str(stone.number))
    letters = [column_letters(column) for column in range(game.columns)]
    width = max(map(len, cells + letters))
    lines = []
    for number, row in zip(range(game.rows, 0, -1), _rows(cells, game.columns), strict=True):
        lines.append(_line(str(number), row, width))
    lines.append(_line("", letters, width))
    lines.append(caption.line.format(MARKS[caption.seat or 0]))
    return "\n".join([*lines, *caption.notes])


def _line(label: str, cells: Sequence[str], width: int) -> str:
    return f"{label:>2} {' '.join(f'{cell:<{width}}' for cell in cells)}".rstrip()


def _svg(game: StoneGame, stones: dict[int, _Stone], last: int | None, caption: _Caption) -> str:
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


def _grid(game: StoneGame, right: int, bottom: int) -> list[str]:
    down = "".join(f"M{column * CELL} 0v{bottom}" for column in range(game.columns))
    across = "".join(f"M0 {row * CELL}h{right}" for row in range(game.rows))
    path = f'<path d="{down}{across}" fill="none" stroke="{INK}" stroke-linecap="square"/>'
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


def _coordinates(game: StoneGame, bottom: int) -> list[str]:
    across = [_written(column_letters(c), c * CELL, bottom + MARGIN * 0.64, 13, INK) for c in range(game.columns)]
    down = [_written(str(game.rows - r), -MARGIN * 0.64, r * CELL, 13, INK) for r in range(game.rows)]
    return across + down


def _stone(game: StoneGame, point: int, stone: _Stone, last: bool) -> str:
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
