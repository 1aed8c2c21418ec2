"""Inputs of a position of backgammon, for networks that give it a value."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from jaxgames.games.backgammon.board import BAR, CHECKERS, DIGITS, OFF, POINTS, Board, occupied

BACKGAMMON_INPUTS = POINTS * (DIGITS + 1) + 4 * DIGITS  # of `binary_counts`


def binary_counts(
    board: Board, seat: Int[Array, "*batch"], absolute: bool = False
) -> tuple[Float[Array, "24 5 *batch"], Float[Array, "2 8 *batch"]]:
    """A board seen by the seat that has moved (Bibliowicz & Joshua 2005, section 3).

    For each point, from the mover's 24 to its 1, the number of checkers in binary, the lowest digit first, and their
    colour; then the numbers on the mover's bar and of the other side's checkers off, and those of the mover's checkers
    off and on the other's bar. The leaves of the board may have further axes. The two parts stay apart, since a CPU
    takes long to join them.

    Colour is 1 for checkers of the other side; with `absolute` it is 1 for checkers of seat 1, as the paper has it,
    although all else is seen by the mover. An empty point has colour 0.
    """
    colour = occupied(board.other)
    if absolute:
        colour = jnp.where(seat == 0, colour, occupied(board.own))
    on_points = jnp.stack([*(a | b for a, b in zip(board.own, board.other, strict=True)), colour])
    beside = jnp.stack([*board.own, *board.other])
    points, ends = (
        np.array(places, np.uint32).reshape(-1, 1, *[1] * seat.ndim) for places in (range(1, POINTS + 1), (BAR, OFF))
    )
    return (on_points >> points & 1).astype(jnp.float32), (beside >> ends & 1).astype(jnp.float32)


CODES = 1 << (DIGITS + 1)  # of a place


BESIDE = 4  # places: either side's bar, and its checkers off


def place_codes(board: Board, seat: Int[Array, ""], absolute: bool = False) -> list[Int[Array, ""]]:
    """What stands at each of 24 points and 4 places beside the board, in the order of `binary_counts`: the number of
    checkers, on a point plus 16 for checkers of the other colour.
    """
    colour = occupied(board.other)
    if absolute:
        colour = jnp.where(seat == 0, colour, occupied(board.own))
    on_points = [*(a | b for a, b in zip(board.own, board.other, strict=True)), colour]
    beside = [(checkers, place) for place in (BAR, OFF) for checkers in (board.own, board.other)]
    found = [_code(on_points, point) for point in range(1, POINTS + 1)]
    return found + [_code(checkers, place) for checkers, place in beside]


def _code(planes: Sequence[Array], place: int) -> Int[Array, ""]:
    bits = [(plane >> place & 1) << digit for digit, plane in enumerate(planes)]
    return sum(bits[1:], bits[0]).astype(jnp.int32)


def place_inputs(encoding: str) -> tuple[np.ndarray, np.ndarray]:
    """The inputs of a network that stand for a code: of a point [codes, inputs], of a place beside it [places, codes,
    inputs].
    """
    code = np.arange(CODES)
    bits = (code[:, None] >> np.arange(DIGITS + 1) & 1).astype(np.float32)
    if encoding == "binary":
        return bits, np.tile(bits[:, :DIGITS], (BESIDE, 1, 1))
    checkers, theirs = code % (1 << DIGITS), code >> DIGITS
    units = np.stack([checkers >= 1, checkers >= 2, checkers >= 3, np.maximum(checkers - 3, 0) / 2], 1)
    points = np.concatenate([units * (theirs == 0)[:, None], units * (theirs == 1)[:, None]], 1)
    beside = np.stack([checkers / 2, checkers / CHECKERS, checkers / CHECKERS, checkers / 2])[..., None]
    return points.astype(np.float32), beside.astype(np.float32)


def board_inputs(encoding: str) -> int:
    points, beside = place_inputs(encoding)
    return POINTS * points.shape[-1] + BESIDE * beside.shape[-1]


# binary: `binary_counts`; units: G. Tesauro's (Practical Issues in Temporal Difference Learning, 1992) but for whose
# turn it is, which is the same after every play. For each point and colour n >= 1, n >= 2, n >= 3, (n - 3) / 2; then
# half the checkers on a bar and a fifteenth of those off.
ENCODINGS = "binary", "units"
