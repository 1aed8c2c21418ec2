"""The games of every block, of which the lanes of a loop take one after the other, and what is recorded of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import bitboard as bb
from jaxgames.arena.lanes import set_before
from jaxgames.arena.openings import states_after
from jaxgames.arena.schedule import Schedule, Seating, rotations
from jaxgames.randomness import random_bits
from jaxgames.xla import pick

HANDFUL = 32  # up to this number of seatings a selection is used, beyond it a look-up; no measurement is kept
RESET, OPENING = -1, -2  # in place of a ply, for the random bits of players' resets and of drawn openings


@dataclass(frozen=True, eq=False)
class Queue:
    """The games of one loop. Below, `game` is Int[blocks lanes]: the id of each lane's game, 0 … schedule.games − 1 in
    every block; a larger one means that the lane is idle.
    """

    rules: Any  # core.Rules; with openings, a core.Game
    schedule: Schedule
    streams: jax.Array  # UInt32[blocks]
    ply_cap: int  # a game that reaches this number of plies is truncated

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The schedule's, or by default all rotations."""
        return self.schedule.seatings or rotations(self.rules.num_seats)

    @cached_property
    def first_states(self) -> Any:
        """The state after each opening. To be found before the loop, by its first lanes, not in it."""
        return states_after(self.rules, self.schedule.openings)

    # ---------------------------------------------------------------- who plays what
    def first(self, lanes: int) -> tuple[jax.Array, jax.Array]:
        """(game of each lane, number of games that each block has begun: Int[blocks]) when a loop starts."""
        blocks = len(self.streams)
        return jnp.broadcast_to(jnp.arange(lanes), (blocks, lanes)), jnp.full(blocks, lanes)

    def next(self, begun: jax.Array, over: jax.Array) -> tuple[jax.Array, jax.Array]:
        """(game that each lane of `over` takes next; it means nothing in other lanes, `begun` afterwards).
        over: Bool[blocks lanes].
        """
        return begun[:, None] + set_before(over), begun + over.sum(1)

    def live(self, game: jax.Array) -> jax.Array:
        """Bool[blocks lanes]: whether a lane has a game."""
        return game < self.schedule.games

    def seated(self, game: jax.Array) -> tuple[jax.Array, ...]:
        """Per seat, the player who sits there, Int[blocks lanes]: game g uses seating g modulo their number."""
        turn, seats = game % len(self.seatings), range(self.rules.num_seats)
        if len(self.seatings) > HANDFUL:
            return tuple(jnp.asarray(np.array(self.seatings, np.int32)[:, seat])[turn] for seat in seats)
        found = [pick(turn, [jnp.int32(seating[seat]) for seating in self.seatings]) for seat in seats]
        return tuple(jnp.broadcast_to(player, game.shape) for player in found)

    def bits(self, game: jax.Array, ply: jax.Array) -> jax.Array:
        """UInt32[blocks lanes], random."""
        return jax.vmap(jax.vmap(random_bits, (None, 0, 0)))(self.streams, game, ply)

    def start(self, game: jax.Array) -> Any:
        """The states with which games begin; leaves lead with [blocks, lanes]."""
        if not self.schedule.openings:  # constants, which are cheaper than what a loop carries
            return jax.tree.map(lambda x: jnp.broadcast_to(x, (*game.shape, *jnp.shape(x))), self.rules.start())
        if len(self.schedule.openings) == 1:
            return jax.tree.map(lambda x: jnp.broadcast_to(x[0], (*game.shape, *x.shape[1:])), self.first_states)
        opening = self._opening(game)
        return jax.tree.map(lambda x: x[opening], self.first_states)

    def _opening(self, game: jax.Array) -> jax.Array:
        """Int[blocks lanes]: the number of the opening with which a game begins."""
        turns = game // len(self.seatings)
        if not self.schedule.drawn_openings:
            return turns % len(self.schedule.openings)

        def drawn(stream: jax.Array, turn: jax.Array) -> jax.Array:
            return bb.scaled(random_bits(stream, turn, jnp.int32(OPENING)), jnp.uint32(len(self.schedule.openings)))

        return jax.vmap(jax.vmap(drawn, (None, 0)))(self.streams, turns).astype(jnp.int32)

    # ---------------------------------------------------------------- records
    def no_moves(self) -> jax.Array | None:
        """Int16[blocks games plies], before any game: the openings, then −1. None if moves are not recorded."""
        if not self.schedule.record_moves:
            return None
        game, length = self.first(self.schedule.games)[0], self.schedule.opening_plies
        moves = jnp.full((*game.shape, self.ply_cap), -1, jnp.int16)
        if not length:
            return moves
        return moves.at[..., :length].set(jnp.array(self.schedule.openings, jnp.int16)[self._opening(game)])

    def write(self, record: Any, which: jax.Array, new: Any, game: jax.Array, *ply: jax.Array) -> Any:
        """`record`, leaves [blocks, games, …] or with a `ply` [blocks, games, plies, …], with the leaves of `new`,
        [blocks, lanes, …], at the games and plies of the lanes that are set in which: Bool[blocks lanes]. Nothing is
        written to a record that is None.
        """
        if record is None:
            return None
        where = jnp.where(which, game, self.schedule.games)  # no such game: nothing is written
        put = jax.vmap(lambda all_, at, new: all_.at[at].set(new.astype(all_.dtype), mode="drop"))
        return jax.tree.map(lambda all_, new: put(all_, (where, *ply), new), record, new)


def signed_plies(ends: jax.Array, ply: jax.Array) -> jax.Array:
    """Number of plies and whether the game came to its end, in one number: negative if the ply cap truncated it."""
    return jnp.where(ends, ply, -ply)


def plies_and_finished(signed: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The inverse of `signed_plies`: (number of plies, whether the game came to its end)."""
    return jnp.abs(signed).astype(jnp.int32), signed > 0


def in_every_block(players: Any, blocks: int) -> Any:
    """The same players for all blocks: their leaves lead with [blocks] afterwards."""
    return jax.tree.map(lambda x: jnp.broadcast_to(x, (blocks, *jnp.shape(x))), players)
