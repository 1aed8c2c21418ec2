"""Backgammon for programs that ask an external player by the board lines of FIBS, such as GNU Backgammon:

    python -m neuroevo.serve fibs --player pubeval --port 4321        and in GNU Backgammon:
    set player 0 external localhost:4321

Every line is a board; the answer is a play in the mover's count of points (`8/5 6/5`, `bar/20`, `6/off`), `roll` before
the roll, and `take` if the cube was offered, of whose worth our players know nothing.
"""

import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass

import jax.numpy as jnp

from jaxgames import Backgammon
from jaxgames.arena import best_play
from jaxgames.core import AfterstatePlayer
from jaxgames.games.backgammon.board import OFF, POINTS, Side, sides_of
from jaxgames.players import RandomPlays, pubeval_player
from jaxgames.randomness import random_bits
from jaxgames.records import RecordError
from jaxgames.records.backgammon import fibs_board
from neuroevo.app import champions
from neuroevo.runtime.settings import ConfigError

HOST, PORT = "127.0.0.1", 4321  # nobody but this machine is served
BAR_POINT, HOME = OFF, 6  # 25 is the bar to a side that counts its points; its home board is 1 to 6
LINE_LIMIT = 4096  # bytes; longer lines are no boards
NAMED: dict[str, Callable[[], AfterstatePlayer]] = {"pubeval": pubeval_player, "random": RandomPlays}
Checkers = tuple[Side, Side]  # own and other's, by their own counts of points


def choose_player(player: str) -> AfterstatePlayer:
    """One of NAMED, or the champion of a run of backgammon by its folder. Raises ConfigError."""
    if player in NAMED:
        return NAMED[player]()
    try:
        return champions.load_backgammon(player)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigError(f"{player} is neither a run with a champion nor one of {', '.join(NAMED)}") from error


@dataclass
class Responder:
    """Answers board lines; what the player does at random depends on the seed and the number of the line alone."""

    player: AfterstatePlayer
    seed: int = 0
    asked: int = 0

    def respond(self, line: str) -> str:
        """The answer to a line; what is wrong with it, if it is no board or nothing can be done."""
        try:
            board = fibs_board.parse(line)
            if board.was_doubled:
                return "take"
            state = board.state()
        except RecordError as error:
            return f"error: {error}"
        if not int(state.high):
            return "roll"
        self.asked += 1
        word = random_bits(jnp.uint32(self.seed), jnp.int32(self.asked), jnp.int32(0))
        after = best_play(Backgammon(), self.player, state, word)
        moves = path(sides_of(state.board), sides_of(after), (int(state.high), int(state.low)))
        return " ".join(f"{_name(source)}/{_name(target)}" for source, target in moves)


def path(before: Checkers, after: Checkers, dice: tuple[int, int]) -> list[tuple[int, int]]:
    """Single moves (from, to) that lead from a board to another, none if they are the same. 25 is the bar, 0 off."""
    high, low = dice
    for order in [(high,) * 4] if high == low else [(high, low), (low, high)]:
        found = _search(before, after, order)
        if found is not None:
            return found
    raise ValueError(f"no play by {high} and {low} leads from {before} to {after}")


def _search(checkers: Checkers, goal: Checkers, dice: tuple[int, ...]) -> list[tuple[int, int]] | None:
    if checkers == goal:
        return []
    if not dice:
        return None
    for source in range(BAR_POINT, 0, -1):
        moved = _one_checker(checkers, source, dice[0])
        rest = None if moved is None else _search(moved, goal, dice[1:])
        if rest is not None:
            return [(source, max(source - dice[0], 0)), *rest]
    return None


def _one_checker(checkers: Checkers, source: int, die: int) -> Checkers | None:
    """The board after a checker's move by a die, or None if the rules forbid it."""
    own, other, target = list(checkers[0]), list(checkers[1]), source - die
    rearmost = max(point for point in range(BAR_POINT + 1) if own[point])
    if not own[source] or (own[BAR_POINT] and source != BAR_POINT):
        return None
    if target <= 0 and (rearmost > HOME or (target < 0 and source != rearmost)):
        return None
    own[source] -= 1
    own[max(target, 0)] += 1
    there = POINTS + 1 - target
    if target > 0 and other[there] > 1:
        return None
    if target > 0 and other[there] == 1:
        other[there], other[BAR_POINT] = 0, other[BAR_POINT] + 1
    return tuple(own), tuple(other)


def _name(point: int) -> str:
    return {BAR_POINT: "bar", 0: "off"}.get(point, str(point))


def listen(player: AfterstatePlayer, port: int = PORT, seed: int = 0, connections: int | None = None) -> None:
    """Serves one connection after the other, so many or without end. Port 0 is any free one; it is told on stderr."""
    with socket.create_server((HOST, port)) as server:
        print(f"listening on {HOST}:{server.getsockname()[1]}", file=sys.stderr, flush=True)
        served = 0
        while connections is None or served < connections:
            connection, _ = server.accept()
            served += 1
            with connection:
                converse(connection, Responder(player, seed))


def converse(connection: socket.socket, responder: Responder) -> None:
    """Answers line by line until the other side leaves or sends a line that does not end."""
    with connection.makefile("rb") as lines:
        try:
            while (line := lines.readline(LINE_LIMIT)).endswith(b"\n"):
                text = line.decode("ascii", "replace").strip("\0\r\n ")
                connection.sendall((responder.respond(text) + "\n").encode())
        except OSError:  # the other side is gone
            return
