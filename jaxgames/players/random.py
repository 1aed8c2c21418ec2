"""The player that draws among the legal actions."""

import flax.struct
from jaxtyping import Array, Int, UInt32

from jaxgames.core import Game, Memory, Memoryless, State, draw_legal


@flax.struct.dataclass
class Random(Memoryless):
    """Draws a legal action; all are equally likely."""

    game: Game = flax.struct.field(pytree_node=False)  # that it plays

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """See `core.Player`."""
        return draw_legal(self.game, state, bits), memory
