"""What must hold of a backgammon board that comes from outside."""

from jaxgames.games.backgammon.board import CHECKERS, LOCATIONS, OFF, Side
from jaxgames.records.errors import RecordError


def check_sides(own: Side, other: Side) -> None:
    """Raises RecordError unless either side has its 15 checkers, none of them where the other's are."""
    for side in (own, other):
        if len(side) != LOCATIONS or sum(side) != CHECKERS or min(side) < 0:
            on_board = sum(side[1:])
            raise RecordError(f"a side has {CHECKERS} checkers, not {on_board} on the board and {side[0]} off")
    for point in range(1, OFF):
        if own[point] and other[OFF - point]:
            raise RecordError(f"both sides have checkers on point {point}")
