"""The capturer of the Pente experiments: it takes stones, or gets into a position to take some."""

from typing import Any

import flax.struct
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Memory, Memoryless, State
from jaxgames.games.pente.rules import AROUND, Pente


@flax.struct.dataclass
class Capturer(Memoryless):
    """Captures as many stones as it can at once; else it plays beside an opponent's stone so that the opponent's next
    stone in this line could be captured with it (mine, theirs, empty, empty); else anywhere. All choices are drawn.
    """

    game: Any = flax.struct.field(pytree_node=False)  # that it plays

    def __post_init__(self):
        if not (isinstance(self.game, Pente) and self.game.captures):
            raise ValueError(f"Capturer plays Pente with captures, not {self.game.title}")

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """See `core.Player`."""
        playable = self.game.empties(state)
        good = bb.first_nonempty(
            self.game.best_captures(state), bb.intersection(self._threats(state), playable), playable
        )
        return bb.draw(good, self.game.columns, bits), memory

    def _threats(self, state: State) -> bb.Board:
        empty = bb.without(bb.full(self.game.rows, self.game.columns), bb.union(*state.stones))
        theirs, found = bb.union(*state.stones[1:]), bb.empty(self.game.rows)
        for down, right in AROUND:
            room = bb.intersection(bb.shifted(empty, 2 * down, 2 * right), bb.shifted(empty, 3 * down, 3 * right))
            found = bb.union(found, bb.intersection(bb.shifted(theirs, down, right), room))
        return found
