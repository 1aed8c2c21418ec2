"""The Go Text Protocol, version 2 (G. Farnebäck 2002), as programs for other board games use it too.

A command is a line, `[id] name [arguments]`; the answer is `=[id] result` or `?[id] error`, and an empty line. Black
has seat 0 and white seat 1; squares have the names that are usual in the game. Where a side cannot move it says `pass`;
a controller may leave that out.
"""

from collections.abc import Callable, Iterable
from typing import TextIO

import numpy as np

from jaxgames.games.points import board_labels
from neuroevo.serve.seated import Choice
from neuroevo.serve.table import IllegalMoveError, Table

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
MARKS = "XO"  # of black and white
PASS = "pass"
NAME, VERSION, PROTOCOL = "neuroevo", "1", "2"


class CommandError(ValueError):
    """The command cannot be carried out; the message is the answer."""


class Engine:
    """Answers commands. What cannot be carried out changes nothing."""

    def __init__(self, choice: Choice, seed: int = 0):
        self.choice, self.table, self.quitting = choice, Table(choice.game, choice.player, seed), False
        self.commands: dict[str, tuple[int, Callable[..., str]]] = {  # with the number of their arguments
            "protocol_version": (0, lambda: PROTOCOL),
            "name": (0, lambda: NAME),
            "version": (0, lambda: f"{VERSION} ({choice.name}, {choice.game.title})"),
            "known_command": (1, lambda name: str(name in self.commands).lower()),
            "list_commands": (0, lambda: "\n".join(self.commands)),
            "quit": (0, self._quit),
            "list_games": (0, lambda: choice.game.title),
            "set_game": (1, self._set_game),
            "boardsize": (1, self._boardsize),
            "clear_board": (0, self._clear_board),
            "komi": (1, self._komi),
            "time_settings": (3, lambda *_: ""),  # we need no time to speak of
            "time_left": (3, lambda *_: ""),
            "play": (2, self._play),
            "genmove": (1, self._genmove),
            "undo": (0, self._undo),
            "showboard": (0, self._showboard),
            "final_score": (0, self._final_score),
        }

    def respond(self, line: str) -> str | None:
        """The answer with its empty line; None for a line without a command."""
        printable = "".join(c for c in line.replace("\t", " ") if c.isprintable())
        words = printable.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isascii() and words[0].isdecimal() else ""
        if not words:
            return f"?{number} unknown command\n\n" if number else None
        try:
            result = self._carry_out(*words)
            return f"={number}{' ' if result[:1].strip() else ''}{result}\n\n"
        except (CommandError, IllegalMoveError) as error:
            return f"?{number} {error}\n\n"

    def _carry_out(self, name: str, *arguments: str) -> str:
        if name not in self.commands:
            raise CommandError("unknown command")
        count, command = self.commands[name]
        if len(arguments) != count:
            raise CommandError(f"syntax error: {name} has {count} arguments, not {len(arguments)}")
        return command(*arguments)

    # ---------------------------------------------------------------- commands
    def _quit(self) -> str:
        self.quitting = True
        return ""

    def _set_game(self, name: str) -> str:
        title = self.choice.game.title
        if name.lower() not in (title.lower(), title.split()[0].lower()):
            raise CommandError(f"unsupported game: only {title} is played here")
        self.table.clear()
        return ""

    def _boardsize(self, size: str) -> str:
        game = self.choice.game
        if not size.isdecimal():
            raise CommandError("syntax error: boardsize not an integer")
        if not game.rows == game.columns == int(size):
            raise CommandError("unacceptable size")
        self.table.clear()
        return ""

    def _clear_board(self) -> str:
        self.table.clear()
        return ""

    def _komi(self, komi: str) -> str:
        """Has no meaning in our games, and is not refused."""
        try:
            float(komi)
        except ValueError as error:
            raise CommandError("syntax error: komi not a float") from error
        return ""

    def _play(self, colour: str, vertex: str) -> str:
        seat = _seat(colour)
        if vertex.lower() == PASS:
            _legally(self.table.let_pass, seat)
            return ""
        try:
            action = self.choice.game.parse_action(vertex)
        except ValueError as error:
            raise CommandError(f"invalid color or coordinate: {error}") from error
        _legally(self.table.play, seat, action)
        return ""

    def _genmove(self, colour: str) -> str:
        action = _legally(self.table.generate, _seat(colour))
        return PASS if action is None else self.choice.game.action_name(action)

    def _undo(self) -> str:
        try:
            self.table.undo()
        except IllegalMoveError as error:
            raise CommandError(f"cannot undo: {error}") from error
        return ""

    def _showboard(self) -> str:
        """The columns' letters stand in the first line, the rows' numbers and black's and white's marks below it."""
        game = self.choice.game
        cells = np.full(game.num_actions, ".")
        for ahead, plane in enumerate(np.asarray(game.planes(self.table.now.state))):
            cells[plane] = MARKS[(self.table.now.to_move + ahead) % 2]
        letters, numbers = board_labels(game)
        lines = ["", "   " + " ".join(letters)]
        for number, marks in zip(numbers, cells.reshape(game.rows, game.columns), strict=True):
            lines.append(f"{number:>2} {' '.join(marks)}")
        to_move = "nobody" if self.table.now.over else ("black", "white")[self.table.now.to_move]
        return "\n".join([*lines, f"to move: {to_move}"])

    def _final_score(self) -> str:
        """By how much a side wins by the game's own scores."""
        if not self.table.now.over:
            raise CommandError("cannot score: the game is not over")
        black, white = np.asarray(self.choice.game.final_scores(self.table.now.state)).tolist()
        lead = black - white
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"


def _seat(colour: str) -> int:
    if colour.lower() not in COLOURS:
        raise CommandError(f"invalid color or coordinate: {colour!r} is no color")
    return COLOURS[colour.lower()]


def _legally(move: Callable, *arguments: int) -> int | None:
    try:
        return move(*arguments)
    except IllegalMoveError as error:
        raise CommandError(f"illegal move: {error}") from error


def serve(engine: Engine, lines: Iterable[str], out: TextIO) -> None:
    """Answers until `quit` or until there are no more lines."""
    for line in lines:
        answer = engine.respond(line)
        if answer is not None:
            out.write(answer)
            out.flush()
        if engine.quitting:
            return
