"""Static evaluations of Othello positions: whole numbers, the larger the better for the seat to move.

Positional ones add a weight for every disc. Rosenbloom's table for IAGO, the first program of this kind, is not public;
`classic` and `norvig` are tables of the same kind. `norvig` is from P. Norvig, Paradigms of Artificial Intelligence
Programming (1992), chapter 18.
"""

from typing import Any

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Int

from jaxgames import bitboard as bb
from jaxgames.games.othello.squares import SIZE, WORDS, square_set

# The upper left quarter of the board, rows from the top; the other quarters are its mirror images.
TABLES = {
    "classic": ((99, -8, 8, 6), (-8, -24, -4, -3), (8, -4, 7, 4), (6, -3, 4, 0)),
    "norvig": ((120, -20, 20, 5), (-20, -40, -5, -5), (20, -5, 15, 3), (5, -5, 3, 3)),
}
BESIDE_TAKEN_CORNER = 5  # the weight of a corner's neighbours once it is occupied
CORNERS = {0: (1, 8, 9), 7: (6, 14, 15), 56: (48, 49, 57), 63: (54, 55, 62)}  # and their neighbours


@flax.struct.dataclass
class Positional:
    """The weights of the discs of the side to move, less those of the other side. With `corners`, the neighbours of an
    occupied corner are no longer to be avoided and count BESIDE_TAKEN_CORNER. `node` may also be an OthelloState.
    """

    table: str = flax.struct.field(pytree_node=False, default="classic")  # one of TABLES
    corners: bool = flax.struct.field(pytree_node=False, default=False)

    def __post_init__(self):
        if self.table not in TABLES:
            raise ValueError(f"table must be one of {', '.join(TABLES)}, not {self.table!r}")

    @property
    def bound(self) -> int:
        """All discs on the best squares."""
        return sum(max(abs(weight), self.corners * BESIDE_TAKEN_CORNER) for weight in weights(self.table))

    def value(self, node: Any) -> Int[Array, ""]:
        """For the side to move."""
        if not self.corners:
            return _balance(node.own, node.other, weights(self.table))
        beside = _beside_taken_corners(bb.union(node.own, node.other))
        own, other = bb.without(node.own, beside), bb.without(node.other, beside)
        lead = bb.count(bb.intersection(node.own, beside)) - bb.count(bb.intersection(node.other, beside))
        return _balance(own, other, weights(self.table)) + BESIDE_TAKEN_CORNER * lead


def weights(table: str) -> tuple[int, ...]:
    """The weights of all squares in reading order."""
    quarter = TABLES[table]
    folded = [min(i, SIZE - 1 - i) for i in range(SIZE)]
    return tuple(quarter[row][column] for row in folded for column in folded)


def _balance(own: bb.Board, other: bb.Board, weights: tuple[int, ...]) -> Int[Array, ""]:
    """Sum of the weights of `own` less that of `other`, by the binary digits of the weights above the smallest one."""
    least = min(weights)
    total = least * (bb.count(own) - bb.count(other))
    for digit in range((max(weights) - least).bit_length()):
        mask = square_set(s for s, weight in enumerate(weights) if weight - least >> digit & 1)
        lead = bb.count(bb.intersection(own, mask)) - bb.count(bb.intersection(other, mask))
        total = total + (lead << digit)
    return total


def _beside_taken_corners(discs: bb.Board) -> bb.Board:
    found = bb.empty(WORDS)
    for corner, neighbours in CORNERS.items():
        taken = bb.any_set(bb.intersection(discs, square_set([corner])))
        here = tuple(jnp.where(taken, half, jnp.uint32(0)) for half in square_set(neighbours))
        found = bb.union(found, here)
    return found
