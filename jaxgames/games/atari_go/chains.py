"""How Atari-Go packs a board into words.

One word per point of a board padded with walls, one wall column between rows:

    label of the chain | seat | pseudo-liberties of the chain          (a stone; `pad` of a point, see `at`)

copied to every stone of the chain, so that equal words mean the same chain. A pseudo-liberty is a pair (stone, adjacent
empty point). All functions see the padded board, or words taken from it.
"""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped

from jaxgames import bitboard as bb


@dataclass(frozen=True)
class Packing:
    size: int

    # ---------------------------------------------------------------- words
    @property
    def word(self) -> type:
        return np.uint32 if self.size > 10 else np.uint16

    @property
    def count_bits(self) -> int:
        """Wide enough for one pseudo-liberty per edge of the board: 684 on 19×19, 180 on 10×10."""
        return 10 if self.size > 10 else 8

    @property
    def label_shift(self) -> int:
        return self.count_bits + 1

    @property
    def wall(self):
        return self.word(np.iinfo(self.word).max - 1)

    @property
    def empty(self):
        return self.word(np.iinfo(self.word).max)

    def is_stone(self, word: Shaped[Array, "*points"]) -> Bool[Array, "*points"]:
        return word < self.wall

    def count(self, word: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        return word & self.word((1 << self.count_bits) - 1)

    def seat_of(self, word: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        return (word >> self.count_bits) & self.word(1)

    def label_index(self, word: Shaped[Array, "*points"]) -> Int[Array, "*points"]:
        return jnp.where(self.is_stone(word), word >> self.label_shift, 0).astype(jnp.int32)

    # ---------------------------------------------------------------- geometry
    @property
    def stride(self) -> int:
        return self.size + 1

    @property
    def padded(self) -> int:
        return (self.size + 2) * self.stride + 1

    @property
    def steps(self) -> tuple[int, int, int, int]:
        return 1, -1, self.stride, -self.stride

    @property
    def indices(self):
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
        grid = mask[: (self.size + 2) * self.stride].reshape(self.size + 2, self.stride)[1:-1, 1:]
        return bb.from_mask(grid.reshape(-1), self.size)


def multiplicity(x: Shaped[Array, "*points"], beside: list) -> Shaped[Array, "*points"]:
    """How many of the four neighbours belong to the chain of `x`, itself included."""
    count = (x == beside[0]).astype(x.dtype)
    for y in beside[1:]:
        count += (x == y).astype(x.dtype)
    return count
