"""The blocker of the Pente experiments: it stands in the way of rows, and never builds one."""

import flax.struct
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Memory, Memoryless, State, StoneGame
from jaxgames.games.gomoku.rules import Gomoku
from jaxgames.games.pente.rules import AROUND, Pente


@flax.struct.dataclass
class Blocker(Memoryless):
    """Plays at an open end of four adjacent stones in a line, of the opponent that moves soonest; else of three; else
    anywhere. Rows with a gap it does not see. All choices are drawn.
    """

    game: StoneGame = flax.struct.field(pytree_node=False)  # that it plays

    def __post_init__(self):
        if not isinstance(self.game, Gomoku | Pente):  # whose states have `stones`
            raise ValueError(f"{type(self).__name__} plays Gomoku and Pente, not {self.game.title}")

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """See `core.Player`."""
        playable = self.game.empties(state)
        ends = [self._ends(stones) for stones in state.stones[1:]]
        threats = [bb.intersection(end[length], playable) for length in (4, 3) for end in ends]
        return bb.draw(bb.first_nonempty(*threats, playable), self.game.columns, bits), memory

    def _ends(self, stones: bb.Board) -> dict[int, bb.Board]:
        """Length → points beside which that number of adjacent stones begins."""
        found = {3: bb.empty(self.game.rows), 4: bb.empty(self.game.rows)}
        for down, right in AROUND:
            ahead = [bb.shifted(stones, i * down, i * right) for i in range(1, 5)]
            three = bb.intersection(bb.intersection(ahead[0], ahead[1]), ahead[2])
            found[3] = bb.union(found[3], three)
            found[4] = bb.union(found[4], bb.intersection(three, ahead[3]))
        return found
