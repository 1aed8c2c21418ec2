"""How Atari-Go packs a board into integers.

The board is padded with walls, with one column of walls between rows, and has one integer, a cell, per point. The cell
of a stone has the bits

    label of the chain | seat | pseudo-liberties of the chain

which are copied to every stone of the chain, so that equal cells mean the same chain. A label is the padded index (see
`at`) of one stone of the chain. A pseudo-liberty is a pair (stone, adjacent empty point). All functions see the padded
board, or cells taken from it.
"""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped

from jaxgames import bitboard as bb


@dataclass(frozen=True)
class Packing:
    """The layout of the cells on a board of `size` × `size` points."""

    size: int

    # ---------------------------------------------------------------- cells
    @property
    def dtype(self) -> type:
        """The dtype of a cell."""
        return np.uint32 if self.size > 10 else np.uint16

    @property
    def count_bits(self) -> int:
        """Wide enough for one pseudo-liberty per edge of the board: 684 on 19×19, 180 on 10×10."""
        return 10 if self.size > 10 else 8

    @property
    def label_shift(self) -> int:
        """The bit at which the label begins."""
        return self.count_bits + 1

    @property
    def wall(self):
        """The cell of a point outside the board."""
        return self.dtype(np.iinfo(self.dtype).max - 1)

    @property
    def empty(self):
        """The cell of a point without a stone."""
        return self.dtype(np.iinfo(self.dtype).max)

    def is_stone(self, cell: Shaped[Array, "*points"]) -> Bool[Array, "*points"]:
        """Whether cells have a stone."""
        return cell < self.wall

    def count(self, cell: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        """The pseudo-liberties of the chains of stones."""
        return cell & self.dtype((1 << self.count_bits) - 1)

    def seat_of(self, cell: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        """The seats of stones."""
        return (cell >> self.count_bits) & self.dtype(1)

    def label_index(self, cell: Shaped[Array, "*points"]) -> Int[Array, "*points"]:
        """The labels of stones, which are padded indices; 0 without a stone."""
        return jnp.where(self.is_stone(cell), cell >> self.label_shift, 0).astype(jnp.int32)

    # ---------------------------------------------------------------- geometry
    @property
    def stride(self) -> int:
        """Cells from a point to the one below it."""
        return self.size + 1

    @property
    def padded(self) -> int:
        """The number of cells with the walls."""
        return (self.size + 2) * self.stride + 1

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """Differences of padded index to the four neighbours."""
        return 1, -1, self.stride, -self.stride

    @property
    def indices(self):
        """All padded indices."""
        return np.arange(self.padded, dtype=np.int32)

    @property
    def interior(self):
        """Padded index of every point."""
        row, column = np.divmod(np.arange(self.size**2), self.size)
        return (row + 1) * self.stride + column + 1

    def at(self, action: Int[Array, ""]) -> Int[Array, ""]:
        """Padded index of a point."""
        return action + action // self.size + self.stride + 1

    def neighbours(self, cells: Shaped[Array, "padded"], step: int) -> Shaped[Array, "padded"]:
        """At every point the neighbour `step` further; what wraps around comes from a wall and stays in one."""
        return jnp.roll(cells, -step)

    def board(self, mask: Bool[Array, "padded"]) -> bb.Board:
        """A mask of cells as a bitboard of the points."""
        grid = mask[: (self.size + 2) * self.stride].reshape(self.size + 2, self.stride)[1:-1, 1:]
        return bb.from_mask(grid.reshape(-1), self.size)


def multiplicity(x: Shaped[Array, "*points"], beside: list) -> Shaped[Array, "*points"]:
    """The number of the four neighbours, `x` included, that belong to the chain of the neighbour `x`."""
    count = (x == beside[0]).astype(x.dtype)
    for y in beside[1:]:
        count += (x == y).astype(x.dtype)
    return count
