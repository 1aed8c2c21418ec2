"""Atari-Go (the capture game) on a size × size board.

Seat 0 (black) starts; there is no pass, and every empty point may be played. Captures are tested first: the seat that
has captured `captures_to_win` stones in all wins. A stone that captures nothing and leaves its own chain without a
liberty is a suicide and loses at once. With `captures_to_win` > 1 captured stones leave the board; with 1 the game is
over by then, so nothing is ever removed. There is no draw.

Representation. Every point has a cell, which tells its chain's label, seat and number of pseudo-liberties (see
`chains`). A stone on the point p captures a chain beside p if and only if the chain's count equals the number of its
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
from jaxgames.games.atari_go import priorities
from jaxgames.games.atari_go.chains import Packing, multiplicity
from jaxgames.games.points import SquareBoard

NOBODY = -1


@flax.struct.dataclass
class AtariGoState:
    """A position; the module's text explains `cells`."""

    cells: Leaf  # UInt["padded"], see the module's text
    empties: tuple  # bitboard
    seat: Leaf  # Int[""], to move
    captures: tuple  # stones captured so far by seat 0 and by seat 1; () where the first capture wins
    winner: Leaf  # Int[""], NOBODY before the end


@dataclass(frozen=True)
class AtariGo(SquareBoard):
    """Atari-Go on 3×3 to 19×19 points. `captures_to_win`: number of stones that a seat must capture."""

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
        """Such as Atari-Go 9×9, 3 captures."""
        goal = f", {self.captures_to_win} captures" if self._removes else ""
        return f"Atari-Go {self.size}×{self.size}{goal}"

    @property
    def max_plies(self) -> int:
        """Every ply leaves one stone more or a captured one; the last may capture or fill the board."""
        return self.size**2 + 2 * (self.captures_to_win - 1)

    def start(self) -> AtariGoState:
        """The empty board; seat 0 is to move."""
        pack = self._packing
        captures = (jnp.int32(0),) * 2 if self._removes else ()
        cells = np.full(pack.padded, pack.wall)
        cells[pack.interior] = pack.empty
        return AtariGoState(
            jnp.asarray(cells), bb.full(self.size, self.size), jnp.int32(0), captures, jnp.int32(NOBODY)
        )

    def to_move(self, state: AtariGoState) -> Int[Array, ""]:
        """The seats alternate."""
        return state.seat

    def empties(self, state: AtariGoState) -> bb.Board:
        """The points without a stone; all of them may be played."""
        return state.empties

    def legal(self, state: AtariGoState) -> Bool[Array, "actions"]:
        """The points without a stone; none after the end."""
        return bb.to_mask(state.empties, self.size) & ~self.terminal(state)

    def terminal(self, state: AtariGoState) -> Bool[Array, ""]:
        """Whether a seat has captured enough or played a suicide."""
        return state.winner != NOBODY

    def returns(self, state: AtariGoState) -> Float[Array, "seats"]:
        """1 for the winner, −1 for the other seat; there is no draw."""
        return last_mover_returns(2, state.winner, jnp.where(self.terminal(state), 1.0, 0.0))

    def planes(self, state: AtariGoState) -> Bool[Array, "seats points"]:
        """The stones of the seat to move and of the other."""
        pack = self._packing
        points = state.cells[pack.interior]
        own = pack.seat_of(points) == state.seat.astype(points.dtype)
        stone = points < pack.wall
        return jnp.stack([stone & own, stone & ~own])

    def play(self, state: AtariGoState, action: Int[Array, ""]) -> AtariGoState:
        """Places a stone, which may capture chains and joins its neighbours' chains."""
        pack, cells, seat = self._packing, state.cells, state.seat.astype(state.cells.dtype)
        at = pack.at(action)
        beside = [jax.lax.dynamic_index_in_dim(cells, at + step, keepdims=False) for step in pack.steps]
        own = [pack.is_stone(x) & (pack.seat_of(x) == seat) for x in beside]
        other = [pack.is_stone(x) & (pack.seat_of(x) != seat) for x in beside]
        captured = [o & (pack.count(x) == multiplicity(x, beside)) for o, x in zip(other, beside, strict=True)]
        count = self._joined_count(beside, own)

        joined = (at.astype(cells.dtype) << pack.label_shift) | (seat << pack.count_bits) | count
        cells = _lose_liberties(state.cells, beside, other)
        cells = jnp.where(self._chains(state.cells, beside, own) | (pack.indices == at), joined, cells)
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
        pack, cells, seat = self._packing, state.cells, state.seat.astype(state.cells.dtype)
        beside = [pack.neighbours(cells, step) for step in pack.steps]
        captures = breathes = jnp.zeros(cells.shape, bool)
        taken, sizes = jnp.zeros(cells.shape, jnp.int32), self._chain_sizes(cells) if self._removes else None
        for i, x in enumerate(beside):
            stone, last = pack.is_stone(x), pack.count(x) == multiplicity(x, beside)
            own = pack.seat_of(x) == seat
            kills = stone & ~own & last
            captures = captures | kills
            breathes = breathes | (x == pack.empty) | (stone & own & ~last)
            if sizes is not None:
                again = jnp.zeros(cells.shape, bool)
                for y in beside[:i]:
                    again = again | (y == x)
                taken = taken + jnp.where(kills & ~again, sizes[pack.label_index(x)], 0)
        empty, wins = cells == pack.empty, captures
        if self._removes:
            wins = taken + jnp.where(state.seat == 0, *state.captures) >= self.captures_to_win
        return pack.board(empty & wins), pack.board(empty & ~captures & ~breathes)

    def priorities(self, state: AtariGoState) -> tuple[bb.Board, ...]:
        """Points that win at once, then the sets of `priorities.priorities`, then points that do not lose at once."""
        winning, losing = self.tactics(state)
        more = priorities.priorities(self._packing, state.cells, state.seat)
        return winning, *more, bb.without(state.empties, losing)

    @property
    def _removes(self) -> bool:
        return self.captures_to_win > 1

    @property
    def _packing(self) -> Packing:
        return Packing(self.size)

    # ---------------------------------------------------------------- chains
    def _joined_count(self, beside: list, own: list) -> Shaped[Array, ""]:
        """Pseudo-liberties of the chain that a new stone and its own neighbours make."""
        pack = self._packing
        count = jnp.zeros((), beside[0].dtype)
        for i, x in enumerate(beside):
            first = own[i]
            for y in beside[:i]:
                first = first & (x != y)
            count += jnp.where(first, pack.count(x), 0) + (x == pack.empty).astype(x.dtype) - own[i].astype(x.dtype)
        return count

    def _chains(self, cells: Shaped[Array, "padded"], beside: list, which: list) -> Bool[Array, "padded"]:
        """All stones of the chains beside the new stone for which `which` is set."""
        pack = self._packing
        stones = jnp.zeros(cells.shape, bool)
        for x, chosen in zip(beside, which, strict=True):
            stones = stones | (cells == jnp.where(chosen, x, pack.wall))
        return stones & (cells != pack.wall)

    def _remove(self, state: AtariGoState, seat: Int[Array, ""], removed: Bool[Array, "padded"]) -> AtariGoState:
        """Takes captured stones off; every stone beside one of them gives its chain a pseudo-liberty."""
        pack, cells = self._packing, state.cells
        freed = sum(pack.neighbours(removed, step).astype(cells.dtype) for step in pack.steps)
        label = pack.label_index(cells)
        gain = jnp.zeros(cells.shape, cells.dtype).at[label].add(jnp.where(pack.is_stone(cells), freed, 0))[label]
        cells = jnp.where(removed, pack.empty, jnp.where(pack.is_stone(cells), cells + gain, cells))
        taken = removed.sum(dtype=jnp.int32)
        captures = tuple(c + jnp.where(seat == i, taken, 0) for i, c in enumerate(state.captures))
        return replace(state, cells=cells, empties=bb.union(state.empties, pack.board(removed)), captures=captures)

    def _chain_sizes(self, cells: Shaped[Array, "padded"]) -> Int[Array, "padded"]:
        """Number of stones of the chain with each label."""
        pack = self._packing
        return jnp.zeros(cells.shape, jnp.int32).at[pack.label_index(cells)].add(pack.is_stone(cells))


def _lose_liberties(cells: Shaped[Array, "padded"], beside: list, other: list) -> Shaped[Array, "padded"]:
    """A stone beside a chain takes one pseudo-liberty for every stone of the chain that it touches."""
    lost = sum((cells == x).astype(cells.dtype) * o.astype(cells.dtype) for x, o in zip(beside, other, strict=True))
    return cells - lost
