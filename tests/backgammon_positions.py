"""Positions of backgammon, between the oracle's and ours."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import Backgammon
from jaxgames.games.backgammon.board import Board
from jaxgames.games.backgammon.rules import BackgammonState

GAME = Backgammon()
FEW = 290  # positions of the short tests
BATCH, LIMIT = 150, 3072  # positions in one call, and room for their afterstates: the program is compiled once
BITS = np.arange(26, dtype=np.uint32)


def planes(counts):
    """Words [4, …] of men counted in [..., 26]."""
    counts = np.asarray(counts, np.uint32)
    return tuple(((counts >> digit & 1) << BITS).sum(-1, dtype=np.uint32) for digit in range(4))


def states(rolled, seat=0):
    """A batch of our states from (position, high, low)."""
    own = np.array([position[0] for position, _, _ in rolled])
    other = np.array([position[1] for position, _, _ in rolled])
    dice = np.array([dice for _, *dice in rolled], np.uint32)
    board = Board(planes(own[:, ::-1]), planes(other))
    return BackgammonState(board, np.full(len(rolled), seat, np.int32), dice[:, 0], dice[:, 1])


def positions(board):
    """The oracle's positions of boards with one leading axis."""
    own, other = (
        sum((np.asarray(words)[:, None] >> BITS & 1).astype(int) << digit for digit, words in enumerate(men))
        for men in (board.own, board.other)
    )
    return [(tuple(a), tuple(b)) for a, b in zip(own[:, ::-1].tolist(), other.tolist(), strict=True)]


def one(tree):
    """The only element of a batch."""
    return jax.tree.map(lambda x: jnp.asarray(x[0]), tree)


def side(**points):
    """Men by point, such as p6=2, and on the bar; the others are off."""
    men = [0] * 26
    for name, number in points.items():
        men[25 if name == "bar" else int(name[1:])] = number
    men[0] = 15 - sum(men)
    return tuple(men)
