"""The board lines of FIBS, the First Internet Backgammon Server, which clients and external players read and write.

    board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:…

A line has 53 fields: names, match length and scores; the numbers of checkers at 0 to 25, positive for O and negative
for X; whose turn it is, the dice of either side, the doubling cube; each side's sign and direction; and more.
"""

import re
from dataclasses import dataclass

import jax.numpy as jnp

from jaxgames.games.backgammon.board import LOCATIONS, OFF, POINTS, Side, board_of
from jaxgames.games.backgammon.rules import BackgammonState
from jaxgames.records.backgammon.sides import check_sides
from jaxgames.records.errors import RecordError

FIELDS = 53
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
BAR_POINT = OFF  # 25 is the bar to a side that counts its points
DOWN, UP = -1, 1  # directions: from 24 to 1, from 1 to 24
SIDES = 6  # of a die
SIGN_X, NO_SIGN, SIGN_O = -1, 0, 1  # of checkers, as the server has them


@dataclass(frozen=True)
class FibsBoard:
    """One line. Pairs are the player's own and the opponent's; dice are 0 before the roll. Raises RecordError."""

    own: Side  # by the player's own count of points
    other: Side  # by the opponent's
    player: str = "You"
    opponent: str = "opponent"
    length: int = 1  # of the match; 9999 is unlimited
    scores: tuple[int, int] = (0, 0)  # in the match
    turn: int = SIGN_O  # whose; NO_SIGN when the game is over
    dice: tuple[int, int] = (0, 0)  # the player's
    their_dice: tuple[int, int] = (0, 0)  # the opponent's
    cube: int = 1  # value of the doubling cube
    may_double: tuple[int, int] = (0, 0)  # 1 for yes
    was_doubled: int = 0  # 1 if the opponent has offered the cube
    sign: int = SIGN_O  # of the player's checkers
    direction: int = DOWN  # of the player
    can_move: int = 0  # number of checkers
    rest: tuple[int, int, int] = (0, 0, 0)  # forced move, did Crawford, redoubles

    def __post_init__(self):
        signs = SIGN_X, SIGN_O
        if self.sign not in signs or self.direction not in (DOWN, UP) or self.turn not in (NO_SIGN, *signs):
            reason = "colour and direction must be 1 or -1, and turn one of these or 0"
            raise RecordError(f"{reason}, not {self.sign}, {self.direction} and {self.turn}")
        for die in self.dice + self.their_dice:
            if not 0 <= die <= SIDES:
                raise RecordError(f"a die shows 1 to {SIDES}, or 0 before the roll, not {die}")
        if ":" in self.player + self.opponent:
            raise RecordError(f"names have no colon: {self.player!r}, {self.opponent!r}")
        check_sides(self.own, self.other)

    def state(self) -> BackgammonState:
        """The position of the side whose turn it is, the player being seat 0. Raises RecordError without a turn."""
        if self.turn == NO_SIGN:
            raise RecordError("the game is over: it is nobody's turn")
        mine = self.turn == self.sign
        sides, dice = ((self.own, self.other), self.dice) if mine else ((self.other, self.own), self.their_dice)
        return BackgammonState(
            board_of(*sides), jnp.int32(0 if mine else 1), jnp.uint32(max(dice)), jnp.uint32(min(dice))
        )


def parse(line: str) -> FibsBoard:
    """Raises RecordError."""
    fields = line.strip().split(":")
    if fields[0] != "board" or len(fields) != FIELDS:
        raise RecordError(
            f"a board line begins with 'board:' and has {FIELDS} fields, not {fields[0]!r}, {len(fields)}"
        )
    numbers = [_number(index, field) for index, field in enumerate(fields[3:], 4)]
    length, scores, checkers, others = numbers[0], numbers[1:3], numbers[3 : 3 + LOCATIONS], numbers[3 + LOCATIONS :]
    turn, *dice, cube, may, may_they, was_doubled, sign, direction = others[:11]
    _, _, off, their_off, bar, their_bar, can_move, *rest = others[11:]
    if direction == UP:
        checkers = checkers[::-1]
    own = tuple(max(0, sign * n) for n in checkers)
    other = tuple(max(0, -sign * n) for n in checkers[::-1])
    for side, home in ((own, off), (other, their_off)):
        if side[0] not in (0, home):  # where some servers put those that are off once more
            raise RecordError(f"there are {side[0]} checkers on the other side's bar, and the line says {home} are off")
    for side, on_bar in ((own, bar), (other, their_bar)):
        if on_bar not in (0, side[BAR_POINT]):  # GNU Backgammon says 0 whatever stands there
            raise RecordError(f"there are {side[BAR_POINT]} checkers on the bar, and the line says {on_bar}")
    return FibsBoard(
        (off, *own[1:]), (their_off, *other[1:]), fields[1], fields[2], length, (scores[0], scores[1]), turn,
        (dice[0], dice[1]), (dice[2], dice[3]), cube, (may, may_they), was_doubled, sign, direction, can_move,
        (rest[0], rest[1], rest[2]),
    )  # fmt: skip


def line(board: FibsBoard) -> str:
    """The inverse of `parse`."""
    own, other = ((0, *side[1:]) for side in (board.own, board.other))
    checkers = [board.sign * (a - b) for a, b in zip(own, other[::-1], strict=True)]
    down = board.direction == DOWN
    home, bar = (0, POINTS + 1) if down else (POINTS + 1, 0)
    numbers = [
        board.length, *board.scores, *(checkers if down else checkers[::-1]), board.turn, *board.dice,
        *board.their_dice, board.cube, *board.may_double, board.was_doubled, board.sign, board.direction, home, bar,
        board.own[0], board.other[0], board.own[BAR_POINT], board.other[BAR_POINT], board.can_move, *board.rest,
    ]  # fmt: skip
    return ":".join(["board", board.player, board.opponent, *map(str, numbers)])


def _number(index: int, field: str) -> int:
    if NUMBER.fullmatch(field) is None:
        raise RecordError(f"field {index} of a board line is a number, not {field!r}")
    return int(field)
