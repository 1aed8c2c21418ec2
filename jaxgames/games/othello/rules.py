"""Othello on 8×8 squares: enclose the other seat's discs in a line between two of your own, and they are yours.

Seat 0 (dark) starts. A disc goes on an empty square from which, in at least one of the eight directions, a run of the
other seat's discs leads to one of the mover's; all such runs are turned over. A seat without such a square is skipped,
so there is no pass action and `to_move` may stay the same. The game ends when neither seat can move, which a full board
and the loss of all discs imply; the seat with more discs wins. These are the World Othello Federation's rules, but for
the clock.
"""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, last_mover_returns
from jaxgames.games.othello.squares import (
    SIZE,
    WIDTH,
    both_sides,
    parse_square,
    square_name,
    square_set,
    whole,
    whole_flips,
    words,
)
from jaxgames.games.othello.tree import OthelloTree

DARK, LIGHT = (28, 35), (27, 36)  # where the first four discs are
FIRST_MOVES = 19, 26, 37, 44


@flax.struct.dataclass
class OthelloState:
    """A position, seen by the seat to move."""

    own: tuple  # bitboard, discs of the seat to move
    other: tuple  # bitboard, discs of the other seat
    moves: tuple  # bitboard, where the seat to move can move; nowhere after the end
    seat: Leaf  # Int[""], to move


@dataclass(frozen=True)
class Othello:
    """Othello on 8×8 squares."""

    num_seats = 2
    num_actions = SIZE**2
    rows = columns = SIZE
    max_plies = SIZE**2 - len(DARK + LIGHT)
    min_plies = 9  # by exhaustion: dark can take all discs with its fifth move
    title = "Othello"
    in_squares = True

    def start(self) -> OthelloState:
        """Two discs of either seat in the centre; seat 0, dark, is to move."""
        dark, light, moves = (jax.tree.map(jnp.asarray, square_set(s)) for s in (DARK, LIGHT, FIRST_MOVES))
        return OthelloState(dark, light, moves, jnp.int32(0))

    def to_move(self, state: OthelloState) -> Int[Array, ""]:
        """The seat to move, which may be the one that moved last."""
        return state.seat

    def legal(self, state: OthelloState) -> Bool[Array, "actions"]:
        """The squares from which the mover turns discs over; none after the end."""
        return bb.to_mask(state.moves, WIDTH)

    def draw(self, state: OthelloState, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """See `core.draw_legal`."""
        return bb.draw(state.moves, WIDTH, bits)

    def play(self, state: OthelloState, action: Int[Array, ""]) -> OthelloState:
        """Finds the moves of both seats: the mover's count where the other seat has none and is skipped."""
        with jax.enable_x64(True):
            own, other = whole(state.own), whole(state.other)
            disc = np.uint64(1) << action.astype(jnp.uint64)
            mover = own | disc | whole_flips(own, other, disc)
            (opponent, mover), (replies, again) = both_sides(mover, own | other | disc)
            replied = replies != 0
            return OthelloState(
                own=words(jnp.where(replied, opponent, mover)),
                other=words(jnp.where(replied, mover, opponent)),
                moves=words(jnp.where(replied, replies, again)),
                seat=jnp.where(replied, 1 - state.seat, state.seat),
            )

    def terminal(self, state: OthelloState) -> Bool[Array, ""]:
        """Whether neither seat can move."""
        return ~bb.any_set(state.moves)

    def returns(self, state: OthelloState) -> Float[Array, "seats"]:
        """1 for the seat with more discs, −1 for the other; 0 for a draw."""
        lead = bb.count(state.own) - bb.count(state.other)
        return last_mover_returns(2, state.seat, jnp.where(self.terminal(state), jnp.sign(lead), 0))

    def planes(self, state: OthelloState) -> Bool[Array, "seats points"]:
        """The discs of the seat to move and of the other."""
        return jnp.stack([bb.to_mask(state.own, WIDTH), bb.to_mask(state.other, WIDTH)])

    def action_name(self, action: int) -> str:
        """The square's name, such as f5: a1 is at the top left. Raises ValueError for an action beyond the board."""
        return square_name(action)

    def parse_action(self, text: str) -> int:
        """The inverse of `action_name`, in capitals or not. Raises ValueError for text that names no square."""
        return parse_square(text)

    def tree(self) -> OthelloTree:
        """See `search.trees.SearchableGame`."""
        return OthelloTree(self)

    def discs(self, state: OthelloState) -> Int[Array, "seats"]:
        """The number of discs of each seat."""
        own, other = bb.count(state.own), bb.count(state.other)
        first = state.seat == 0
        return jnp.stack([jnp.where(first, own, other), jnp.where(first, other, own)])

    def final_scores(self, state: OthelloState) -> Int[Array, "seats"]:
        """Discs; the empty squares count for the winner."""
        discs = self.discs(state)
        empty = self.num_actions - discs.sum()
        return discs + jnp.where(discs > discs[::-1], empty, 0)
