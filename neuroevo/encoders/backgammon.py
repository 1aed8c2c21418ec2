"""Inputs of a board of backgammon for networks that value it.

A *place* is one of the 24 points, from the mover's 24 to its 1, or one of 4 beside them: the mover's bar, the other
side's checkers off, the mover's checkers off, the other side's bar. The *code* of a place is what stands there: the
number of checkers, and on a point 16 more if they are of the other colour. The inputs are those of one of the
ENCODINGS:

binary: the number of checkers in binary, and for points the colour (Bibliowicz & Joshua 2005, section 3)
units: for each point and colour n >= 1, n >= 2, n >= 3, (n - 3) / 2 for n checkers; half the checkers on a bar and a
    fifteenth of those off (G. Tesauro, Practical Issues in Temporal Difference Learning, 1992, but for whose turn it
    is, which is the same after every play)
"""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from jaxgames.games.backgammon.board import BAR, CHECKERS, DIGITS, OFF, POINTS, Board, occupied

ENCODINGS = "binary", "units"
CODES = 1 << (DIGITS + 1)  # number of codes
BESIDE = 4  # number of places beside the points


def binary_counts(
    board: Board, seat: Int[Array, "*batch"], absolute: bool = False
) -> tuple[Float[Array, "24 5 *batch"], Float[Array, "2 8 *batch"]]:
    """(points, beside): the encoding `binary` of a board seen by `seat`, which has moved.

    points: for each point the digits of the number of checkers, the lowest first, and their colour, which is 1 for
        checkers of the other side and 0 for the mover's and for an empty point. With `absolute` it is 1 for checkers
        of seat 1, as the paper has it, although all else is seen by the mover
    beside: for two pairs of places the digits of both numbers of checkers

    The leaves of the board may have further axes, which come last. The two parts are not joined, since that takes a
    CPU long.
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


def place_codes(board: Board, seat: Int[Array, ""], absolute: bool = False) -> list[Int[Array, ""]]:
    """The code of every place, POINTS + BESIDE of them. `absolute`: see `binary_counts`."""
    colour = occupied(board.other)
    if absolute:
        colour = jnp.where(seat == 0, colour, occupied(board.own))
    on_points = [*(a | b for a, b in zip(board.own, board.other, strict=True)), colour]
    beside = [(checkers, place) for place in (BAR, OFF) for checkers in (board.own, board.other)]
    codes = [_code(on_points, point) for point in range(1, POINTS + 1)]
    return codes + [_code(checkers, place) for checkers, place in beside]


def _code(planes: Sequence[Array], place: int) -> Int[Array, ""]:
    bits = [(plane >> place & 1) << digit for digit, plane in enumerate(planes)]
    return sum(bits[1:], bits[0]).astype(jnp.int32)


def place_inputs(encoding: str) -> tuple[np.ndarray, np.ndarray]:
    """The inputs for each code: (Float[CODES inputs] of a point, Float[BESIDE CODES inputs] of the other places)."""
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
    """Number of inputs of a board."""
    points, beside = place_inputs(encoding)
    return POINTS * points.shape[-1] + BESIDE * beside.shape[-1]
