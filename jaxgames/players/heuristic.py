"""A player stronger than the naive one and nearly as cheap: it takes the best kind of point that its game can tell.

Against the naive opponent alone one cannot say whether a result is about playing well or about that opponent, which
never defends itself; this one attacks, defends and keeps out of danger, all within one ply.
"""

import flax.struct
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Memory, Memoryless, State, StoneGame


@flax.struct.dataclass
class Heuristic(Memoryless):
    """Draws from the first of the game's `priorities` that has a point, else from all empty points."""

    game: StoneGame = flax.struct.field(pytree_node=False)

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """See `core.Player`."""
        sets = *self.game.priorities(state), self.game.empties(state)
        return bb.draw(bb.first_nonempty(*sets), self.game.columns, bits), memory
