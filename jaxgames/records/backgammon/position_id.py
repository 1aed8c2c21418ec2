"""GNU Backgammon's position IDs: 14 characters that hold a backgammon board, such as 4HPwATDgc/ABMA for the start.

A string of bits has, for each point of a side from its 1-point to its 24-point and for the bar, a one for every
checker there and then a zero; first for the side that is not on roll, then for the side on roll. (The manual names them
the other way round; this is what the program does.) Ten bytes hold it, first bits lowest; base64 writes them without
the padding.
"""

import base64
import binascii

from jaxgames.games.backgammon.board import CHECKERS, Board, Side, board_of, sides_of
from jaxgames.records.backgammon.sides import check_sides
from jaxgames.records.errors import RecordError

LENGTH, BYTES = 14, 10
PLACES = 25  # points 1 to 24 and the bar


def position_id(board: Board) -> str:
    """The position ID of a board seen by the side on roll."""
    own, other = sides_of(board)
    bits = "".join("1" * checkers + "0" for side in (other, own) for checkers in side[1:])
    number = int(bits[::-1], 2)
    return base64.b64encode(number.to_bytes(BYTES, "little")).decode().rstrip("=")


def board_from_id(text: str) -> Board:
    """The inverse of `position_id`. Raises RecordError."""
    if len(text) != LENGTH:
        raise RecordError(f"a position ID has {LENGTH} characters, and {text!r} has {len(text)}")
    try:
        content = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError) as error:
        raise RecordError(f"{text!r} is not base64, of which a position ID is made") from error
    other, own = _sides(text, content)
    check_sides(own, other)
    board = board_of(own, other)
    if position_id(board) != text:
        raise RecordError(f"{text!r} has bits behind the last checker")
    return board


def _sides(text: str, content: bytes) -> list[Side]:
    runs = f"{int.from_bytes(content, 'little'):0{8 * BYTES}b}"[::-1].split("0")
    if len(runs) <= 2 * PLACES:
        raise RecordError(f"{text!r} does not tell of all points")
    sides = []
    for number in range(2):
        checkers = [len(run) for run in runs[number * PLACES :][:PLACES]]
        sides.append((CHECKERS - sum(checkers), *checkers))
    return sides
