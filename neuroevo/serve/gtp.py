"""The Go Text Protocol, version 2 (G. Farnebäck 2002), which programs for other board games use too.

A command is a line, `[id] name [arguments]`. The answer is `=[id] result` or `?[id] error`, followed by an empty line.
Black is seat 0 and white is seat 1. Squares have the game's own names. A side that cannot move plays `pass`, which a
controller may omit.
"""

from collections.abc import Callable
from typing import TextIO

import numpy as np

from jaxgames.games.points import board_labels
from neuroevo.serve.seated import Choice
from neuroevo.serve.table import IllegalMoveError, Table

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
MARKS = "XO"  # of black and white
PASS = "pass"
NAME, VERSION, PROTOCOL = "neuroevo", "1", "2"
LONGEST_LINE = 4096  # largest number of characters of a command with its end; chosen by judgement
MOST_DIGITS = 9  # largest number of digits of an integer; chosen by judgement


class CommandError(ValueError):
    """The command cannot be executed. The message is the answer."""


class Engine:
    """Answers commands of the protocol. A command that fails changes nothing."""

    def __init__(self, choice: Choice, seed: int = 0):
        self.choice, self.table, self.quitting = choice, Table(choice.game, choice.player, seed), False
        self.commands: dict[str, tuple[int, Callable[..., str]]] = {  # (number of arguments, function)
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
            "time_settings": (3, lambda *_: ""),  # our players use little time, so clocks are ignored
            "time_left": (3, lambda *_: ""),
            "play": (2, self._play),
            "genmove": (1, self._genmove),
            "undo": (0, self._undo),
            "showboard": (0, self._showboard),
            "final_score": (0, self._final_score),
        }

    def respond(self, line: str) -> str | None:
        """The answer to a line, with the empty line after it; None for a line without a command."""
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
        if not (size.isascii() and size.isdecimal()):
            raise CommandError("syntax error: boardsize not an integer")
        if not (len(size) <= MOST_DIGITS and game.rows == game.columns == int(size)):
            raise CommandError("unacceptable size")
        self.table.clear()
        return ""

    def _clear_board(self) -> str:
        self.table.clear()
        return ""

    def _komi(self, komi: str) -> str:
        """Accepts any number: komi has no meaning in our games."""
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
        if not vertex.isascii():
            raise CommandError("invalid color or coordinate: names of points have no other letters than A to Z")
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
        """A drawing: the columns' letters, then a line per row with its number and the marks of black and white."""
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
        """The winner and its lead by the game's scores, such as `B+4`; `0` for a draw."""
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


def serve(engine: Engine, lines: TextIO, out: TextIO) -> None:
    """Answers line by line until `quit` or the end of the lines. A line that is too long gets one error."""
    begins = True  # whether the next piece of text begins a line
    while line := lines.readline(LONGEST_LINE):
        ends = line.endswith("\n")
        if not begins:
            answer = None
        elif len(line) == LONGEST_LINE and not ends:
            answer = f"? a line has at most {LONGEST_LINE} characters\n\n"
        else:
            answer = engine.respond(line)
        begins = ends
        if answer is not None:
            out.write(answer)
            out.flush()
        if engine.quitting:
            return
