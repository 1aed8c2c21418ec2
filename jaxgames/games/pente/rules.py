"""Pente for two to four seats on a size × size board: five in a row, or five captured pairs.

Seats move in rotation; seat 0 starts on the centre. A stone captures: wherever, in one of the eight directions, exactly
two adjacent stones of one opponent lie between it and another stone of its seat, the two leave the board. Their points
may be played again. Moving between two opposing stones is safe. The seat that completes a line of five or more, or has
captured ten stones of all opponents together, wins; a full board is a draw.

Options: `tournament_rule` keeps the second stone of seat 0 out of the 3×3 or 5×5 points around the centre; with `keryo`
three stones are captured as well as two, and fifteen win; without `captures` this is Gomoku from the centre.
"""

from dataclasses import dataclass
from functools import cached_property

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns
from jaxgames.games.gomoku.rules import DIRECTIONS, Gomoku
from jaxgames.games.points import SquareBoard

IN_A_ROW = 5
AROUND = *DIRECTIONS, *((-down, -right) for down, right in DIRECTIONS)
ZONES = {"none": 0, "3x3": 1, "5x5": 2}  # tournament rule → how far the closed zone reaches from the centre


@flax.struct.dataclass
class PenteState:
    """A position."""

    stones: tuple  # one bitboard per seat; the seat to move first, then the others in order of play
    captured: tuple  # Int[""] per seat in the same order: stones that it has captured
    plies: Leaf  # Int[""]


@dataclass(frozen=True)
class Pente(SquareBoard):
    """Pente on 5×5 to 19×19 points; the module's text explains the fields."""

    size: int = 19
    num_seats: int = 2
    captures: bool = True  # without: Gomoku from the centre
    keryo: bool = False  # whether three stones are captured as well as two
    tournament_rule: str = "none"  # one of ZONES

    def __post_init__(self):
        if not 5 <= self.size <= 19:
            raise ValueError(f"a Pente board has size 5 to 19, not {self.size}")
        if not 2 <= self.num_seats <= 4:
            raise ValueError(f"Pente has 2 to 4 seats, not {self.num_seats}")
        if self.tournament_rule not in ZONES:
            raise ValueError(f"tournament_rule must be one of {', '.join(ZONES)}, not {self.tournament_rule!r}")
        if self.size <= 2 * ZONES[self.tournament_rule] + 1:
            raise ValueError(f"tournament_rule={self.tournament_rule} closes the whole board of size {self.size}")
        if self.keryo and not self.captures:
            raise ValueError("keryo is a rule of capturing; it needs captures")

    @property
    def title(self) -> str:
        """Such as Keryo-Pente 19×19, 3x3 tournament rule."""
        name = ("Keryo-Pente" if self.keryo else "Pente") if self.captures else "Gomoku from the centre"
        seats = f", {self.num_seats} seats" if self.num_seats > 2 else ""
        rule = f", {self.tournament_rule} tournament rule" if ZONES[self.tournament_rule] else ""
        return f"{name} {self.size}×{self.size}{seats}{rule}"

    @property
    def lengths(self) -> tuple[int, ...]:
        """The numbers of stones in a row that can be captured."""
        return ((2, 3) if self.keryo else (2,)) if self.captures else ()

    @property
    def captures_to_win(self) -> int:
        """The number of stones, of all opponents together, that a seat must capture to win."""
        return 15 if self.keryo else 10

    @property
    def max_plies(self) -> int:
        """Every ply adds a stone to the board or to those that a seat has captured without winning by it."""
        return self.size**2 + (self.num_seats * (self.captures_to_win - 1) if self.captures else 0)

    @property
    def min_plies(self) -> int:
        """Seat 0 completes a line with its fifth stone."""
        return self.num_seats * (IN_A_ROW - 1) + 1

    def start(self) -> PenteState:
        """The empty board; seat 0 is to move."""
        seats = range(self.num_seats)
        return PenteState(tuple(bb.empty(self.size) for _ in seats), tuple(jnp.int32(0) for _ in seats), jnp.int32(0))

    def to_move(self, state: PenteState) -> Int[Array, ""]:
        """The seats move in rotation."""
        return state.plies % self.num_seats

    def empties(self, state: PenteState) -> bb.Board:
        """The points that may be played: at first the centre alone, later the empty ones but for a closed zone."""
        free = bb.without(bb.full(self.size, self.size), bb.union(*state.stones))
        if reach := ZONES[self.tournament_rule]:
            free = bb.select(state.plies == self.num_seats, bb.without(free, self._zone(reach)), free)
        return bb.select(state.plies == 0, self._zone(0), free)

    def legal(self, state: PenteState) -> Bool[Array, "actions"]:
        """As `empties`; none after the end."""
        return bb.to_mask(self.empties(state), self.size) & ~self.terminal(state)

    def play(self, state: PenteState, action: Int[Array, ""]) -> PenteState:
        """Places a stone, which may capture others."""
        stone = bb.one_hot(action, self.size, self.size)
        mover, others = bb.union(state.stones[0], stone), list(state.stones[1:])
        count = state.captured[0]
        for i, other in enumerate(others):
            taken = self._captured(stone, mover, other)
            others[i], count = bb.without(other, taken), count + bb.count(taken)
        return PenteState((*others, mover), (*state.captured[1:], count), state.plies + 1)

    def terminal(self, state: PenteState) -> Bool[Array, ""]:
        """Whether the last mover has five in a row or captured enough, or the board is full."""
        free = bb.without(bb.full(self.size, self.size), bb.union(*state.stones))
        return self._last_mover_won(state) | ~bb.any_set(free)

    def returns(self, state: PenteState) -> Float[Array, "seats"]:
        """1 for the winner, and the other seats share −1 equally; a full board is a draw."""
        last = (state.plies + self.num_seats - 1) % self.num_seats
        return last_mover_returns(self.num_seats, last, jnp.where(self._last_mover_won(state), 1.0, 0.0))

    def planes(self, state: PenteState) -> Bool[Array, "seats points"]:
        """The stones of the seat to move, of the next seat, and so on."""
        return jnp.stack([bb.to_mask(stones, self.size) for stones in state.stones])

    # ---------------------------------------------------------------- for players
    def fives(self, state: PenteState, seat: int) -> bb.Board:
        """Playable points at which a seat, 0 being the one to move, completes a line of five."""
        return self._gomoku.completions(state.stones[seat], self.empties(state))

    def tactics(self, state: PenteState) -> tuple[bb.Board, bb.Board]:
        """(points that win at once, none: no move loses at once) for the seat to move."""
        wins = self.fives(state, 0)
        if self.captures:
            missing = self.captures_to_win - state.captured[0]
            enough = bb.at_least(self._catches(state), missing, self.size, self.size)
            wins = bb.union(wins, bb.intersection(enough, self.empties(state)))
        return wins, bb.empty(self.size)

    def priorities(self, state: PenteState) -> tuple[bb.Board, ...]:
        """Points that win at once, that keep an opponent from five, the most captures; then as in Gomoku."""
        winning, _ = self.tactics(state)
        blocks = [self.fives(state, seat) for seat in range(1, self.num_seats)]
        captures = [self.best_captures(state)] if self.captures else []
        return winning, *blocks, *captures, *self._gomoku.lines.priorities(state.stones, self.empties(state))

    def best_captures(self, state: PenteState) -> bb.Board:
        """Playable points at which the seat to move captures the most stones; none where it cannot capture."""
        return bb.largest(self._catches(state), self.empties(state))

    def catching(self, state: PenteState, direction: tuple[int, int]) -> bb.Board:
        """Playable points at which the seat to move captures two stones in this direction of AROUND."""
        mover, *others = state.stones
        points = bb.union(*(self._bracketing(mover, other, direction, 2) for other in others))
        return bb.intersection(points, self.empties(state))

    def _catches(self, state: PenteState) -> list[bb.Board]:
        """The number of stones that the seat to move captures at each point, as a count of `bitboard`."""
        mover, *others = state.stones
        count = bb.zero_count(self.size, 5)  # at most three in each of eight directions
        for direction in AROUND:
            for length in self.lengths:
                points = bb.union(*(self._bracketing(mover, other, direction, length) for other in others))
                count = bb.add_points(count, points, digit=1)
                if length == 3:
                    count = bb.add_points(count, points)
        return count

    # ---------------------------------------------------------------- rules
    @cached_property
    def _gomoku(self) -> Gomoku:
        return Gomoku(self.size, self.size, IN_A_ROW, num_seats=self.num_seats)

    def _zone(self, reach: int) -> bb.Board:
        """The points at most `reach` rows and columns from the centre."""
        centre = self.size // 2
        near = sum(1 << column for column in range(centre - reach, centre + reach + 1))
        return tuple(jnp.uint32(near if abs(row - centre) <= reach else 0) for row in range(self.size))

    def _captured(self, stone: bb.Board, mover: bb.Board, other: bb.Board) -> bb.Board:
        """The stones of `other` that the new stone captures."""
        taken = bb.empty(self.size)
        for down, right in AROUND if self.captures else ():
            ray = [stone]
            for _ in range(max(self.lengths)):
                ray.append(bb.intersection(bb.shifted(ray[-1], -down, -right), other))
            for length in self.lengths:
                back = bb.intersection(bb.shifted(ray[length], -down, -right), mover)
                for _ in range(length):  # from the mover's other stone back to the new one
                    back = bb.shifted(back, down, right)
                    taken = bb.union(taken, back)
        return taken

    def _bracketing(self, mover: bb.Board, other: bb.Board, direction: tuple[int, int], length: int) -> bb.Board:
        """Points beside which `length` stones of `other` and then one of the mover's lie in this direction."""
        down, right = direction
        seen = bb.shifted(mover, (length + 1) * down, (length + 1) * right)
        for i in range(1, length + 1):
            seen = bb.intersection(seen, bb.shifted(other, i * down, i * right))
        return seen

    def _last_mover_won(self, state: PenteState) -> Bool[Array, ""]:
        five = self._gomoku.has_line(state.stones[-1])
        return five | (state.captured[-1] >= self.captures_to_win) if self.captures else five
