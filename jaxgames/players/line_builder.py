"""Players of the Pente experiments that build one row at a time: Simple and Better.

They remember a stone, the anchor, and the direction in which they extend the adjacent stones around it.
"""

from typing import ClassVar

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, State, StoneGame
from jaxgames.games.gomoku.rules import DIRECTIONS, Gomoku
from jaxgames.games.pente.rules import Pente

REACH = 4  # a row of five reaches so far from each of its stones
STRAIGHT = 0, 1  # of DIRECTIONS, those of Simple


@flax.struct.dataclass
class Line:
    """What a line builder remembers."""

    anchor: Leaf  # Int[""], the point of a stone of one's own; −1 for none yet
    direction: Leaf  # Int[""], in DIRECTIONS
    careful: Leaf  # Bool[""], whether Better remembers it


@flax.struct.dataclass
class LineBuilder:
    """Puts a stone at an end of its row. Where the row cannot grow in this direction it takes the anchor's next one;
    after the last one, or when the anchor was captured, it plays anywhere and starts again from there.

    All line builders choose by one program, which an arena with several of them runs once (`arena.alike`): what
    distinguishes them, `careful`, is read by `reset` alone and is in their memory from then on.
    """

    game: StoneGame = flax.struct.field(pytree_node=False)  # that it plays

    def __post_init__(self):
        if not isinstance(self.game, Gomoku | Pente):  # whose states have `stones`
            raise ValueError(f"{type(self).__name__} plays Gomoku and Pente, not {self.game.title}")

    careful: ClassVar[bool]

    def reset(self, bits: UInt32[Array, ""], seat: Int[Array, ""]) -> Line:
        """No anchor yet."""
        return Line(jnp.int32(-1), jnp.int32(0), jnp.asarray(self.careful))

    def watch(self, seat: Int[Array, ""], state: State, memory: Line) -> Line:
        """Nothing changes."""
        return memory

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Line
    ) -> tuple[Int[Array, ""], Line]:
        """See `core.Player`."""
        playable = self.game.empties(state)
        row, column = memory.anchor // self.game.columns, memory.anchor % self.game.columns
        own = _nearby(state.stones[0], row)
        free = _nearby(bb.union(state.stones[0], playable), row)
        stands = (memory.anchor >= 0) & ((own[REACH] >> column.astype(jnp.uint32)) & 1 != 0)
        action, direction = bb.draw(playable, self.game.columns, bits), jnp.int32(len(DIRECTIONS))
        for number, way in reversed(list(enumerate(DIRECTIONS))):
            open_end, room, step = self._extension(own, free, column, way, bits)
            grows = open_end & (~memory.careful | room) & (memory.careful | (number in STRAIGHT))
            taken = stands & grows & (number >= memory.direction)
            action = jnp.where(taken, memory.anchor + step, action)
            direction = jnp.where(taken, number, direction)
        restarts = direction == len(DIRECTIONS)
        return action, Line(
            jnp.where(restarts, action, memory.anchor), jnp.where(restarts, 0, direction), memory.careful
        )

    def _extension(
        self, own: list, free: list, column: Int[Array, ""], way: tuple[int, int], bits: UInt32[Array, ""]
    ) -> tuple[Bool[Array, ""], Bool[Array, ""], Int[Array, ""]]:
        """(whether the row is open at an end, whether this way has room for five stones of its own, from the anchor to
        one of the open ends in actions).
        """
        ends, room = [], jnp.int32(0)
        for sign in (1, -1):
            mine, empty_or_mine = (_ray(words, column, sign * way[0], sign * way[1]) for words in (own, free))
            length = _leading(mine)
            room = room + _leading(empty_or_mine)
            ends.append(((empty_or_mine >> length.astype(jnp.uint32)) & 1 != 0, sign * (length + 1)))
        (ahead, forwards), (behind, backwards) = ends
        steps = jnp.where(ahead & (~behind | (bits & 1 != 0)), forwards, backwards)
        return ahead | behind, room >= REACH, steps * (way[0] * self.game.columns + way[1])


@flax.struct.dataclass
class Simple(LineBuilder):
    """Extends a horizontal row until it is boxed in at both ends, then a vertical one."""

    careful = False


@flax.struct.dataclass
class Better(LineBuilder):
    """Extends a row in any of the four directions as long as there is room for five."""

    careful = True


def _nearby(board: bb.Board, row: Int[Array, ""]) -> list[UInt32[Array, ""]]:
    """The rows from `row` − REACH to `row` + REACH; 0 beyond the edge."""
    beyond, found = jnp.uint32(0), []
    for offset in range(-REACH, REACH + 1):
        near = beyond
        for number, there in enumerate(board):
            near = jnp.where(row + offset == number, there, near)
        found.append(near)
    return found


def _ray(words: list, column: Int[Array, ""], down: int, right: int) -> UInt32[Array, ""]:
    """The REACH points from the column of the middle row outwards, the nearest in the lowest bit."""
    ray = jnp.uint32(0)
    for i in range(1, REACH + 1):
        shift = (column + REACH + i * right).astype(jnp.uint32)  # never negative
        ray = ray | ((words[REACH + i * down] << REACH) >> shift & 1) << (i - 1)
    return ray


def _leading(ray: UInt32[Array, ""]) -> Int[Array, ""]:
    """The number of nearest points that are set without a gap: at most REACH."""
    lowest_clear = ~ray & (ray + 1)
    return jnp.minimum(bb.population_count(lowest_clear - 1).astype(jnp.int32), REACH)
