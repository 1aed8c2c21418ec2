"""Atari-Go (the capture game) on a size × size board.

Seat 0 (black) starts; there is no pass, and every empty point may be played. Captures are tested first: the seat that
has captured `captures_to_win` stones in all wins. A stone that captures nothing and leaves its own chain without a
liberty is a suicide and loses at once. With `captures_to_win` > 1 captured stones leave the board; with 1 the game is
over by then, so nothing is ever removed. There is no draw.

Representation. One word per point of a board padded with walls, one wall column between rows:

    label of the chain | seat | pseudo-liberties of the chain          (a stone; `pad` of a point, see `_at`)

copied to every stone of the chain, so that equal words mean the same chain. A pseudo-liberty is a pair (stone, adjacent
empty point). A chain next to the point p is captured by a stone on p if and only if its count equals the number of its
stones beside p; so a ply needs four reads and no flood fill.
"""

from dataclasses import dataclass, replace

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Shaped

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns

NOBODY = -1


@flax.struct.dataclass
class AtariGoState:
    cells: Leaf  # UInt["padded"], see the module's text
    empties: tuple  # bitboard
    seat: Leaf  # Int[""], to move
    captures: tuple  # stones captured so far by seat 0 and by seat 1; () where the first capture wins
    winner: Leaf  # Int[""], NOBODY before the end


@dataclass(frozen=True)
class AtariGo:
    size: int = 9
    captures_to_win: int = 1

    num_seats = 2
    min_plies = 3  # two stones around a stone in the corner

    def __post_init__(self):
        if not 3 <= self.size <= 19:
            raise ValueError(f"an Atari-Go board has size 3 to 19, not {self.size}")
        if self.captures_to_win < 1:
            raise ValueError(f"captures_to_win must be at least 1, not {self.captures_to_win}")

    @property
    def title(self) -> str:
        goal = f", {self.captures_to_win} captures" if self._removes else ""
        return f"Atari-Go {self.size}×{self.size}{goal}"

    @property
    def rows(self) -> int:
        return self.size

    @property
    def columns(self) -> int:
        return self.size

    @property
    def num_actions(self) -> int:
        return self.size**2

    @property
    def max_plies(self) -> int:
        """Every ply leaves one stone more or a captured one; the last may capture or fill the board."""
        return self.size**2 + 2 * (self.captures_to_win - 1)

    def resized(self, size: int) -> "AtariGo":
        """The same rules on a board of `size` × `size`."""
        return replace(self, size=size)

    def start(self) -> AtariGoState:
        captures = (jnp.int32(0),) * 2 if self._removes else ()
        cells = np.full(self._padded, self._wall)
        cells[self._interior] = self._empty
        return AtariGoState(
            jnp.asarray(cells), bb.full(self.size, self.size), jnp.int32(0), captures, jnp.int32(NOBODY)
        )

    def to_move(self, state: AtariGoState) -> Int[Array, ""]:
        return state.seat

    def empties(self, state: AtariGoState) -> bb.Board:
        return state.empties

    def legal(self, state: AtariGoState) -> Bool[Array, "actions"]:
        return bb.to_mask(state.empties, self.size) & ~self.terminal(state)

    def terminal(self, state: AtariGoState) -> Bool[Array, ""]:
        return state.winner != NOBODY

    def returns(self, state: AtariGoState) -> Float[Array, "seats"]:
        return last_mover_returns(2, state.winner, jnp.where(self.terminal(state), 1.0, 0.0))

    def planes(self, state: AtariGoState) -> Bool[Array, "seats points"]:
        points = state.cells[self._interior]
        own = self._seat_of(points) == state.seat.astype(points.dtype)
        stone = points < self._wall
        return jnp.stack([stone & own, stone & ~own])

    def play(self, state: AtariGoState, action: Int[Array, ""]) -> AtariGoState:
        cells, seat = state.cells, state.seat.astype(state.cells.dtype)
        at = self._at(action)
        beside = [jax.lax.dynamic_index_in_dim(cells, at + step, keepdims=False) for step in self._steps]
        own = [self._is_stone(x) & (self._seat_of(x) == seat) for x in beside]
        other = [self._is_stone(x) & (self._seat_of(x) != seat) for x in beside]
        captured = [o & (self._count(x) == _multiplicity(x, beside)) for o, x in zip(other, beside, strict=True)]
        count = self._joined_count(beside, own)

        joined = (at.astype(cells.dtype) << self._label_shift) | (seat << self._count_bits) | count
        cells = _lose_liberties(state.cells, beside, other)
        cells = jnp.where(self._chains(state.cells, beside, own) | (self._indices == at), joined, cells)
        empties = bb.without(state.empties, bb.one_hot(action, self.size, self.size))
        after = replace(state, cells=cells, empties=empties, seat=1 - state.seat)
        captures = captured[0] | captured[1] | captured[2] | captured[3]
        if self._removes:
            after = self._remove(after, state.seat, self._chains(state.cells, beside, captured))
            wins = after.captures[0] >= self.captures_to_win, after.captures[1] >= self.captures_to_win
            won = jnp.where(state.seat == 0, *wins)
        else:
            won = captures
        suicide = ~captures & (count == 0)
        winner = jnp.where(won, state.seat, jnp.where(suicide, 1 - state.seat, NOBODY))
        return replace(after, winner=winner)

    def tactics(self, state: AtariGoState) -> tuple[bb.Board, bb.Board]:
        """(points that win at once, points that lose at once) for the seat to move."""
        cells, seat = state.cells, state.seat.astype(state.cells.dtype)
        beside = [self._neighbours(cells, step) for step in self._steps]
        captures = breathes = jnp.zeros(cells.shape, bool)
        taken, sizes = jnp.zeros(cells.shape, jnp.int32), self._chain_sizes(cells) if self._removes else None
        for i, x in enumerate(beside):
            stone, last = self._is_stone(x), self._count(x) == _multiplicity(x, beside)
            own = self._seat_of(x) == seat
            kills = stone & ~own & last
            captures = captures | kills
            breathes = breathes | (x == self._empty) | (stone & own & ~last)
            if sizes is not None:
                again = jnp.zeros(cells.shape, bool)
                for y in beside[:i]:
                    again = again | (y == x)
                taken = taken + jnp.where(kills & ~again, sizes[self._label_index(x)], 0)
        empty, wins = cells == self._empty, captures
        if self._removes:
            wins = taken + jnp.where(state.seat == 0, *state.captures) >= self.captures_to_win
        return self._board(empty & wins), self._board(empty & ~captures & ~breathes)

    # ---------------------------------------------------------------- chains
    def _joined_count(self, beside: list, own: list) -> Shaped[Array, ""]:
        """Pseudo-liberties of the chain that a new stone makes of its own neighbours."""
        count = jnp.zeros((), beside[0].dtype)
        for i, x in enumerate(beside):
            first = own[i]
            for y in beside[:i]:
                first = first & (x != y)
            count += jnp.where(first, self._count(x), 0) + (x == self._empty).astype(x.dtype) - own[i].astype(x.dtype)
        return count

    def _chains(self, cells: Shaped[Array, "padded"], beside: list, which: list) -> Bool[Array, "padded"]:
        """All stones of those chains beside the new stone that `which` names."""
        stones = jnp.zeros(cells.shape, bool)
        for x, chosen in zip(beside, which, strict=True):
            stones = stones | (cells == jnp.where(chosen, x, self._wall))
        return stones & (cells != self._wall)

    def _remove(self, state: AtariGoState, seat: Int[Array, ""], removed: Bool[Array, "padded"]) -> AtariGoState:
        """Takes captured stones off; every stone beside one of them gives its chain a pseudo-liberty."""
        cells = state.cells
        freed = sum(self._neighbours(removed, step).astype(cells.dtype) for step in self._steps)
        label = self._label_index(cells)
        gain = jnp.zeros(cells.shape, cells.dtype).at[label].add(jnp.where(self._is_stone(cells), freed, 0))[label]
        cells = jnp.where(removed, self._empty, jnp.where(self._is_stone(cells), cells + gain, cells))
        taken = removed.sum(dtype=jnp.int32)
        captures = tuple(c + jnp.where(seat == i, taken, 0) for i, c in enumerate(state.captures))
        return replace(state, cells=cells, empties=bb.union(state.empties, self._board(removed)), captures=captures)

    def _chain_sizes(self, cells: Shaped[Array, "padded"]) -> Int[Array, "padded"]:
        """Number of stones of the chain with each label."""
        return jnp.zeros(cells.shape, jnp.int32).at[self._label_index(cells)].add(self._is_stone(cells))

    # ---------------------------------------------------------------- words
    @property
    def _removes(self) -> bool:
        return self.captures_to_win > 1

    @property
    def _type(self) -> type:
        return np.uint32 if self.size > 10 else np.uint16

    @property
    def _count_bits(self) -> int:
        """Wide enough for one pseudo-liberty per edge of the board: 684 on 19×19, 180 on 10×10."""
        return 10 if self.size > 10 else 8

    @property
    def _label_shift(self) -> int:
        return self._count_bits + 1

    @property
    def _wall(self):
        return self._type(np.iinfo(self._type).max - 1)

    @property
    def _empty(self):
        return self._type(np.iinfo(self._type).max)

    def _is_stone(self, word: Shaped[Array, "*points"]) -> Bool[Array, "*points"]:
        return word < self._wall

    def _count(self, word: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        return word & self._type((1 << self._count_bits) - 1)

    def _seat_of(self, word: Shaped[Array, "*points"]) -> Shaped[Array, "*points"]:
        return (word >> self._count_bits) & self._type(1)

    def _label_index(self, word: Shaped[Array, "*points"]) -> Int[Array, "*points"]:
        return jnp.where(self._is_stone(word), word >> self._label_shift, 0).astype(jnp.int32)

    # ---------------------------------------------------------------- geometry
    @property
    def _stride(self) -> int:
        return self.size + 1

    @property
    def _padded(self) -> int:
        return (self.size + 2) * self._stride + 1

    @property
    def _steps(self) -> tuple[int, int, int, int]:
        return 1, -1, self._stride, -self._stride

    @property
    def _indices(self):
        return np.arange(self._padded, dtype=np.int32)

    @property
    def _interior(self):
        """Padded index of every point."""
        row, column = np.divmod(np.arange(self.size**2), self.size)
        return (row + 1) * self._stride + column + 1

    def _at(self, action: Int[Array, ""]) -> Int[Array, ""]:
        """Padded index of a point."""
        return action + action // self.size + self._stride + 1

    def _neighbours(self, cells: Shaped[Array, "padded"], step: int) -> Shaped[Array, "padded"]:
        """At every point the neighbour `step` further; what wraps around comes from a wall and stays in one."""
        return jnp.roll(cells, -step)

    def _board(self, mask: Bool[Array, "padded"]) -> bb.Board:
        grid = mask[: (self.size + 2) * self._stride].reshape(self.size + 2, self._stride)[1:-1, 1:]
        return bb.from_mask(grid.reshape(-1), self.size)


def _multiplicity(x: Shaped[Array, "*points"], beside: list) -> Shaped[Array, "*points"]:
    """How many of the four neighbours belong to the chain of `x`, itself included."""
    count = (x == beside[0]).astype(x.dtype)
    for y in beside[1:]:
        count += (x == y).astype(x.dtype)
    return count


def _lose_liberties(cells: Shaped[Array, "padded"], beside: list, other: list) -> Shaped[Array, "padded"]:
    """A stone beside a chain takes one pseudo-liberty for every stone of the chain that it touches."""
    lost = sum((cells == x).astype(cells.dtype) * o.astype(cells.dtype) for x, o in zip(beside, other, strict=True))
    return cells - lost
