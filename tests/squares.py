"""Sets of squares of an Othello board as the two words that jaxgames has for them."""

import numpy as np


def words(actions):
    """The two words of a set of squares."""
    actions = list(actions)
    return tuple(np.uint32(sum(1 << action % 32 for action in actions if action // 32 == half)) for half in (0, 1))


def squares(board):
    """The inverse of `words`."""
    return {32 * half + bit for half, word in enumerate(board) for bit in range(32) if int(word) >> bit & 1}
