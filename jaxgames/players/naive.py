"""The naive player of Schaul & Schmidhuber (2008), section IV-C: a one-ply search.

It wins at once if it can, else does not lose at once if it can avoid it, and is otherwise random.
"""

import flax.struct
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Memory, Memoryless, State, StoneGame


@flax.struct.dataclass
class Naive(Memoryless):
    """Draws from the points that win at once, else from those that do not lose at once, else from all."""

    game: StoneGame = flax.struct.field(pytree_node=False)  # that it plays

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """See `core.Player`."""
        empties = self.game.empties(state)
        winning, losing = self.game.tactics(state)
        good = bb.first_nonempty(winning, bb.without(empties, losing), empties)
        return bb.draw(good, self.game.columns, bits), memory
