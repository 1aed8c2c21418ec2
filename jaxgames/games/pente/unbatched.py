"""Pente of two seats where ONE game is followed: the stones of a seat are one array of rows, not a scalar for each row.

`rules` keeps the rows apart, since under `vmap` each becomes a vector over the lanes. Where there are no lanes
each of its hundreds of scalars would be a step of the program, which takes longer than what it computes. Seats stay in
their places here, whoever is to move.
"""

from dataclasses import dataclass

import flax.struct
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Bool, Float, Int, Shaped, UInt32

from jaxgames.core import Leaf
from jaxgames.games.gomoku.rules import DIRECTIONS
from jaxgames.games.pente.rules import AROUND, IN_A_ROW, ZONES, Pente, PenteState

PAIR = 2  # stones captured in one direction
SEATS = 2
WON, DRAWN = 1, 2


@flax.struct.dataclass
class RowState:
    """A position; seats do not change places."""

    stones: Leaf  # UInt32[seats rows], bit `column`
    captured: Leaf  # Int32[seats], stones that a seat has captured
    plies: Leaf  # Int[""], so far
    over: Leaf  # Int32[""]: WON by the seat that moved last, DRAWN, or 0


@dataclass(frozen=True)
class PenteRows:
    """The rules of `game`."""

    game: Pente

    def __post_init__(self):
        if self.game.num_seats != SEATS or self.game.lengths != (PAIR,):
            raise ValueError(f"rows are for Pente of two seats with captures of two stones, not {self.game.title}")

    def start(self) -> RowState:
        """The empty board."""
        return RowState(
            jnp.zeros((SEATS, self.game.rows), jnp.uint32), jnp.zeros(SEATS, jnp.int32), *[jnp.int32(0)] * 2
        )

    def of(self, state: PenteState) -> RowState:
        """The same position; it must not be the end of a game."""
        stones, captured = jnp.stack([jnp.stack(of_seat) for of_seat in state.stones]), jnp.stack(state.captured)
        second = state.plies % SEATS == 1  # the seat to move comes first there
        return RowState(
            jnp.where(second, stones[::-1], stones),
            jnp.where(second, captured[::-1], captured),
            state.plies,
            jnp.int32(0),
        )

    def play(self, state: RowState, action: Int[Array, ""]) -> RowState:
        """`action` must be legal."""
        seat, size = state.plies % SEATS, self.game.size
        row, bit = action // size, jnp.uint32(1) << (action % size).astype(jnp.uint32)
        stone = jnp.where(jnp.arange(size) == row, bit, jnp.uint32(0))
        mover, other = state.stones[seat] | stone, state.stones[1 - seat]
        taken = self._taken(stone, mover, other)
        captured = state.captured + (jnp.arange(SEATS) == seat) * lax.population_count(taken).sum().astype(jnp.int32)
        stones = jnp.where((jnp.arange(SEATS) == seat)[:, None], mover, other & ~taken)
        won = self._has_five(mover) | (captured[seat] >= self.game.captures_to_win)
        full = jnp.all((stones[0] | stones[1]) == self._full)
        return RowState(stones, captured, state.plies + 1, jnp.where(won, WON, jnp.where(full, DRAWN, 0)))

    def result(self, state: RowState) -> Float[Array, ""]:
        """For seat 0."""
        return jnp.where(state.over == WON, jnp.where(state.plies % SEATS == 1, 1.0, -1.0), 0.0)

    def board(self, state: RowState) -> Shaped[Array, "points"]:
        """Int8: 1 for the stones of seat 0, −1 for those of seat 1."""
        first, second = (self.mask(stones).astype(jnp.int8) for stones in state.stones)
        return first - second

    def empties(self, state: RowState) -> Bool[Array, "points"]:
        """The points that may be played."""
        return self.mask(self._empties(state))

    def _empties(self, state: RowState) -> UInt32[Array, "rows"]:
        zone = jnp.where(state.plies == SEATS, self._zone(ZONES[self.game.tournament_rule] or -1), 0)
        free = self._full & ~(state.stones[0] | state.stones[1] | zone)
        return jnp.where(state.plies == 0, self._zone(0), free)

    def catching(self, state: RowState) -> UInt32[Array, "directions rows"]:
        """Where the seat to move captures, for each direction of AROUND; also on points that are closed to it."""
        return self._catching(state, state.plies % SEATS)

    def _catching(self, state: RowState, seat: Int[Array, ""]) -> UInt32[Array, "directions rows"]:
        mover, other = state.stones[seat], state.stones[1 - seat]
        free = self._full & ~(mover | other)
        found = []
        for down, right in AROUND:
            near, far = _shifted(other, down, right), _shifted(other, 2 * down, 2 * right)
            found.append(free & near & far & _shifted(mover, 3 * down, 3 * right))
        return jnp.stack(found)

    def wins(self, state: RowState, seat: Int[Array, ""]) -> Bool[Array, "points"]:
        """Playable points at which a seat wins at once, or would if it were to move."""
        free, stones = self._empties(state), state.stones[seat]
        fives = jnp.zeros_like(free)
        for down, right in DIRECTIONS:
            for before in range(IN_A_ROW):
                line = free
                for i in range(-before, IN_A_ROW - before):
                    line = line & _shifted(stones, i * down, i * right) if i else line
                fives = fives | line
        pairs = self.mask(self._catching(state, seat)).sum(0)
        missing = self.game.captures_to_win - state.captured[seat]
        return self.mask(fives) | ((PAIR * pairs >= missing) & self.mask(free))

    def mask(self, rows: UInt32[Array, "*sets rows"]) -> Bool[Array, "*sets points"]:
        """Sets of points as one Bool per point."""
        columns = jnp.arange(self.game.columns, dtype=jnp.uint32)
        return ((rows[..., None] >> columns & 1) != 0).reshape(*rows.shape[:-1], -1)

    @property
    def _full(self) -> np.uint32:
        return np.uint32((1 << self.game.columns) - 1)

    def _zone(self, reach: int) -> np.ndarray:
        """UInt32[rows]: the points at most `reach` rows and columns from the centre; none if it is negative."""
        far = np.abs(np.arange(self.game.size) - self.game.size // 2)
        near = sum(1 << int(column) for column in np.flatnonzero(far <= reach))
        return np.where(far <= reach, near, 0).astype(np.uint32)

    def _taken(self, stone: Array, mover: Array, other: Array) -> UInt32[Array, "rows"]:
        """The stones that the new one captures."""
        found = jnp.zeros_like(stone)
        for down, right in AROUND:
            near = _shifted(stone, -down, -right) & other
            far = _shifted(near, -down, -right) & other
            held = _shifted(far, -down, -right) & mover
            back = _shifted(held, down, right)
            found = found | back | _shifted(back, down, right)
        return found

    def _has_five(self, stones: UInt32[Array, "rows"]) -> Bool[Array, ""]:
        lines = jnp.zeros_like(stones)
        for down, right in DIRECTIONS:
            line = stones
            for i in range(1, IN_A_ROW):
                line = line & _shifted(stones, i * down, i * right)
            lines = lines | line
        return jnp.any(lines != 0)


def _shifted(rows: UInt32[Array, "rows"], down: int, right: int) -> UInt32[Array, "rows"]:
    """As `bitboard.shifted`: every point looks `down` rows and `right` columns further. The caller drops bits beyond
    the columns.
    """
    rows = lax.pad(rows, np.uint32(0), [(-down, down, 0)])
    return rows >> np.uint32(right) if right >= 0 else rows << np.uint32(-right)
