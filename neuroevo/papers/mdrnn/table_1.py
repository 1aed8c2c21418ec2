"""Table I of Schaul & Schmidhuber (2008), and the networks that it was computed from.

The authors' stored results show how the printed table was computed. It pools networks with k = 1, 5 and 10 hidden units
and weights from N(0, 1) and N(0, 1) / 10, in different shares for every row, and it counts only wins and losses. These
pools give both columns to two decimals, except the p of Gomoku against naive on 5×5 (printed 0.42, pooled 0.413).
"""

from dataclasses import dataclass, field

import numpy as np

SIZES = 5, 7, 9, 11, 19
Pool = dict[tuple[int, float], int]  # number of networks by (hidden units, standard deviation of the weights)


@dataclass(frozen=True)
class Cell:
    """One kind of network on one board against one opponent.

    game, opponent: their names
    network: "mdrnn" or "mlp"
    hidden: number of hidden units
    scale: standard deviation of the weights
    size: of the board
    """

    game: str
    opponent: str
    network: str
    hidden: int
    scale: float
    size: int

    @property
    def key(self) -> str:
        """The cell as text, unique among cells."""
        return f"{self.game} {self.opponent} {self.network} {self.hidden} {self.scale} {self.size}"


Scores = dict[Cell, np.ndarray]  # each Float[networks], mean over a network's games

# Kinds of networks in the pools of the rows.
SIX = (1, 1.0), (1, 0.1), (5, 1.0), (5, 0.1), (10, 1.0), (10, 0.1)
THREE = (1, 1.0), (1, 0.1), (5, 1.0)


@dataclass(frozen=True)
class Row:
    """A row of table I.

    game, opponent: their names
    small, large: sizes of the two boards
    printed: correlation and p as printed
    archive: correlation and p of the networks stored in 2008
    pool: number of these networks of each kind
    """

    game: str
    opponent: str
    small: int
    large: int
    printed: tuple[float, float]
    archive: tuple[float, float]
    pool: Pool = field(hash=False)

    @property
    def label(self) -> str:
        """The row in words."""
        return f"{self.game}, {self.opponent}, {self.small}×{self.small} and {self.large}×{self.large}"

    @property
    def id(self) -> str:
        """The row in names of claims."""
        return f"{self.game.replace('-', '').lower()}_{self.opponent}_{self.small}_{self.large}"


def _row(game: str, opponent: str, sizes: tuple[int, int], printed: tuple, archive: tuple, pool: Pool) -> Row:
    return Row(game, opponent, *sizes, printed, archive, pool)


def _pool(kinds: tuple, *counts: int) -> Pool:
    return dict(zip(kinds, counts, strict=True))


ONE = ((5, 1.0),)
A, G = "Atari-Go", "Gomoku"
ROWS = (
    _row(A, "random", (5, 9), (0.81, 0.71), (0.806, 0.710), _pool(SIX, 124, 95, 457, 201, 101, 100)),
    _row(A, "naive", (5, 9), (0.70, 0.49), (0.697, 0.488), _pool(SIX, 170, 155, 477, 228, 128, 127)),
    _row(A, "random", (7, 11), (0.78, 0.73), (0.778, 0.733), _pool(ONE, 120)),
    _row(A, "naive", (7, 11), (0.72, 0.56), (0.720, 0.557), _pool(ONE, 149)),
    _row(A, "random", (9, 19), (0.71, 0.76), (0.713, 0.756), _pool(THREE, 27, 26, 255)),
    _row(A, "naive", (9, 19), (0.66, 0.61), (0.662, 0.607), _pool(THREE, 42, 40, 249)),
    _row(G, "random", (5, 9), (0.12, 0.79), (0.118, 0.792), _pool(ONE, 183)),
    _row(G, "naive", (5, 9), (0.07, 0.42), (0.071, 0.413), _pool(ONE, 269)),
    _row(G, "random", (7, 11), (0.60, 0.78), (0.602, 0.785), _pool(SIX, 51, 49, 326, 146, 47, 46)),
    _row(G, "naive", (7, 11), (0.64, 0.58), (0.640, 0.584), _pool(SIX, 70, 65, 363, 153, 54, 53)),
    _row(G, "random", (9, 19), (0.63, 0.77), (0.631, 0.773), _pool(ONE, 181)),
    _row(G, "naive", (9, 19), (0.62, 0.67), (0.619, 0.667), _pool(ONE, 159)),
)


def enlarged(pool: Pool, networks: int) -> Pool:
    """A pool of at least `networks` networks in the same shares."""
    total = sum(pool.values())
    return {kind: -(-networks * count // total) for kind, count in pool.items()}
