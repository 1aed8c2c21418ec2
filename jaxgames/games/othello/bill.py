"""Bill's evaluation of Othello positions, rebuilt: four features, and from them the chance to win (Lee & Mahajan 1990).

Its structure is published, its fitted numbers are not: `python -m neuroevo +exp=fit_bill` fits them to games of our
own. Each feature compares the side to move with the other one:

    edges       the worth of the four edges (see `edge_table`)
    potential   empty squares next to discs of the other side, where moves may come up
    squares     what the squares of the discs are worth
    mobility    what the squares are worth that a side can move to

Bill also took something off for a move that turns over many discs; how much is not published, and left out.
"""

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

import flax.struct
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from jaxgames import bitboard as bb
from jaxgames.games.othello import edge_table
from jaxgames.games.othello.positional import weights
from jaxgames.games.othello.squares import SIZE, WIDTH, beside, moves, square_set

FEATURES = "edges", "potential", "squares", "mobility"
FILE = Path(__file__).parent / "data" / "bill.json"
DISCS = range(4, SIZE**2 + 1)  # possible numbers of discs on the board
SCALE = 1000  # of the logarithm of the odds, in whole numbers
UNIT = 1000.0  # features are divided by this
MOVE_WORTH = ((450, 850, 850, 850), (850, 1150, 1050, 1100), (850, 1050, 1250, 1200), (850, 1100, 1200, 0))
X_MOVES = {9: 0, 14: 7, 49: 56, 54: 63}  # square → corner; while that is empty, such a move is worth nothing
EDGES = (
    (9, *range(8), 14),  # X square, corner to corner, X square
    (49, *range(56, 64), 54),
    (9, *range(0, 64, 8), 49),
    (14, *range(7, 64, 8), 54),
)
PAIRS = list(itertools.combinations_with_replacement(range(len(FEATURES)), 2))


@flax.struct.dataclass
class Bill:
    """The logarithm of the odds that the side to move wins, times SCALE, by a quadratic discriminant of FEATURES.

    file: its parameters, by default those that the project ships.
    """

    file: str = flax.struct.field(pytree_node=False, default=str(FILE))

    @property
    def bound(self) -> int:
        """Odds beyond e²⁰ are cut off."""
        return 20 * SCALE

    def value(self, node: Any) -> Int[Array, ""]:
        """For the side to move. `node` has the bitboards `own` and `other`."""
        odds = log_odds(
            polynomials(self.file), features(node.own, node.other), bb.count(bb.union(node.own, node.other))
        )
        return jnp.round(jnp.clip(odds * SCALE, -self.bound, self.bound)).astype(jnp.int32)


# ---------------------------------------------------------------- odds
@cache
def polynomials(file: str) -> np.ndarray:
    """Float[1 + features + pairs, discs], see `polynomials_of`."""
    stored = json.loads(Path(file).read_text(encoding="utf-8"))
    return polynomials_of(*(np.array(stored[name]) for name in ("mean", "covariance", "frequency")))


def polynomials_of(mean: np.ndarray, covariance: np.ndarray, frequency: np.ndarray) -> np.ndarray:
    """The quadratic discriminant ln(chance to win / chance to lose) as coefficients of 1, FEATURES and PAIRS.

    mean[discs, 2, features], covariance[discs, 2, features, features] and frequency[discs, 2] are those of lost and of
    won positions for each number of DISCS; the features are taken for normally distributed.
    """
    precision = np.linalg.inv(covariance)
    linear = np.einsum("dofg,dog->dof", precision, mean)
    constant = np.log(frequency) - np.linalg.slogdet(covariance)[1] / 2 - np.einsum("dof,dof->do", linear, mean) / 2
    quadratic = np.stack([precision[..., i, j] * (-0.5 if i == j else -1) for i, j in PAIRS], -1)
    lost, won = np.moveaxis(np.concatenate([constant[..., None], linear, quadratic], -1), 1, 0)
    return (won - lost).T.astype(np.float32)


def log_odds(coefficients: np.ndarray, seen: tuple, discs: Int[Array, ""]) -> Float[Array, ""]:
    """ln(chance to win / chance to lose) of a position with these features."""
    terms = [*seen, *(seen[i] * seen[j] for i, j in PAIRS)]
    first, *others = [jnp.asarray(row)[discs - DISCS.start] for row in coefficients]
    return sum((factor * term for factor, term in zip(others, terms, strict=True)), first)


# ---------------------------------------------------------------- features
def features(own: bb.Board, other: bb.Board) -> tuple[Float[Array, ""], ...]:
    """FEATURES in thousands for the side with the discs `own`, which is to move."""
    squares = weights("classic")
    return (
        edges(own, other) / UNIT,
        2 * _quotient(potential(own, other), potential(other, own), 80),
        3 * _quotient(weighted(own, squares), weighted(other, squares), 100),
        3 * _quotient(mobility(own, other), mobility(other, own), 700),
    )


def edges(own: bb.Board, other: bb.Board) -> Int[Array, ""]:
    """The worth of the four edges, by the table of `edge_table`."""
    worth = jnp.asarray(edge_table.load())
    return sum((worth[_digits(own, edge) + 2 * _digits(other, edge)].astype(jnp.int32) for edge in EDGES), jnp.int32(0))


def potential(own: bb.Board, other: bb.Board) -> Int[Array, ""]:
    """The number of empty squares beside discs of the other side."""
    return bb.count(bb.without(beside(other), bb.union(own, other)))


def mobility(own: bb.Board, other: bb.Board) -> Int[Array, ""]:
    """What the squares are worth to which `own` can move."""
    folded = [min(i, SIZE - 1 - i) for i in range(SIZE)]
    found, taken = moves(own, other), bb.union(own, other)
    worth = weighted(found, tuple(MOVE_WORTH[row][column] for row in folded for column in folded))
    for square, corner in X_MOVES.items():
        worth = worth - MOVE_WORTH[1][1] * _bit(found, square) * (1 - _bit(taken, corner))
    return worth


def weighted(board: bb.Board, worth: tuple[int, ...]) -> Int[Array, ""]:
    """The sum of the worth of the squares of a board: one count per different number."""
    total = jnp.int32(0)
    for number in sorted({*worth} - {0}):
        mask = square_set(square for square, w in enumerate(worth) if w == number)
        total = total + number * bb.count(bb.intersection(board, mask))
    return total


def _quotient(own: Int[Array, ""], other: Int[Array, ""], offset: int) -> Float[Array, ""]:
    """(own − other) / (|own + other| + offset)."""
    return (own - other) / (jnp.abs(own + other) + offset).astype(jnp.float32)


def _digits(board: bb.Board, edge: tuple[int, ...]) -> Int[Array, ""]:
    """The state of an edge with a 1 wherever the board is set."""
    total = jnp.int32(0)
    for place, square in enumerate(edge):
        total = total + _bit(board, square) * 3**place
    return total


def _bit(board: bb.Board, square: int) -> Int[Array, ""]:
    return (board[square // WIDTH] >> (square % WIDTH) & 1).astype(jnp.int32)
