"""Backgammon for programs that ask an external player by the board lines of FIBS, such as GNU Backgammon.

    python -m neuroevo.serve fibs --player pubeval --port 4321
    set player 0 external localhost:4321                              (in GNU Backgammon)

Every line is a board. The answer is a play, with points numbered from the mover's side (`8/5 6/5`, `bar/20`, `6/off`).
Before the roll the answer is `roll`. A double is always answered by `take`: our players do not judge the cube.
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
from neuroevo.serve.connections import LIMITS, Limits, LineServer

HOST, PORT = "127.0.0.1", 4321  # only programs on this machine are served; the port was chosen by judgement
BAR_POINT, HOME = OFF, 6  # in a side's own numbers 25 is its bar, and points 1 to 6 are its home board
NAMED: dict[str, Callable[[], AfterstatePlayer]] = {"pubeval": pubeval_player, "random": RandomPlays}
Checkers = tuple[Side, Side]  # of the mover and of the opponent, each in its own numbers of points


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
    """Answers board lines. The player's random numbers depend only on the seed and the number of the line.

    asked: number of boards answered by a play so far
    """

    player: AfterstatePlayer
    seed: int = 0
    asked: int = 0

    def respond(self, line: str) -> str:
        """The answer to a line; `error: …` if the line is not a board."""
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
    """The moves (from, to) of single checkers that lead from one board to the other; 25 is the bar, 0 is off.

    Raises ValueError if the dice allow no such moves.
    """
    high, low = dice
    for order in [(high,) * 4] if high == low else [(high, low), (low, high)]:
        moves = _search(before, after, order)
        if moves is not None:
            return moves
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
    opposite = POINTS + 1 - target  # the target in the opponent's numbers
    if target > 0 and other[opposite] > 1:
        return None
    if target > 0 and other[opposite] == 1:
        other[opposite], other[BAR_POINT] = 0, other[BAR_POINT] + 1
    return tuple(own), tuple(other)


def _name(point: int) -> str:
    return {BAR_POINT: "bar", 0: "off"}.get(point, str(point))


def listen(
    player: AfterstatePlayer,
    port: int = PORT,
    seed: int = 0,
    connections: int | None = None,
    limits: Limits = LIMITS,
) -> None:
    """Serves clients on a port of this machine, each with its own Responder, and prints the port on stderr.

    port: 0 for any free one
    connections: number of connections after which the server ends; None for no end
    limits: number of clients at the same time, and more

    Raises OSError if the port is taken.
    """
    with socket.create_server((HOST, port)) as server:
        print(f"listening on {HOST}:{server.getsockname()[1]}", file=sys.stderr, flush=True)
        LineServer(server, lambda: Responder(player, seed).respond, limits).serve(connections)
