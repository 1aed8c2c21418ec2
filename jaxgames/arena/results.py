"""What the `play_…` functions of the arena return."""

from typing import Any

import flax.struct
import jax
import jax.numpy as jnp

from jaxgames import core
from jaxgames.core import Leaf


@flax.struct.dataclass
class Results:
    """Arrays with leading axes [blocks, games]; from `play_pairs`, with [groups, players, others, games].

    A *player* is an index into the players that were given, whatever the seat; a *seat* is the place at the table.
    Fields that a function does not record are None.
    """

    returns: Leaf  # Float[blocks games players], 0 for a player that sat out; None from `play_crowd`
    plies: Leaf  # Int[blocks games]
    finished: Leaf  # Bool[blocks games], False where the ply cap truncated the game
    moves: Leaf  # Int16[blocks games plies], actions, −1 after the end; if the schedule records moves
    busy: Leaf  # Float[blocks], share of the loop's iterations in which a lane had something to do
    seat_returns: Leaf = None  # Float[blocks games seats], by seat and not by player; only from `play_crowd`
    # Only from `play_walks` and `play_crowd`:
    considered: Leaf = None  # Int[blocks games], number of afterstates that were rated
    afterstates: Any = None  # [blocks games plies ...], zeros after the end; if the schedule records moves
    faults: Leaf = None  # Bool[blocks games players], who made an output that is no finite number; after `play_crowd`
    # Bool[blocks games seats]; None if no player reports it, see `core.faults`
    # Only from `play_searches`:
    counts: Any = None  # a `search.Counts` of Int[blocks games players]
    filter_counts: Any = None  # a `search.FilterCounts` of Int[blocks games players], if a player has a move filter

    @property
    def winner(self) -> jax.Array:
        """Int[blocks games]: the player with the largest return, −1 for none. Not after `play_crowd`.

        Who made a fault has not won: of two players the other has, of more nobody.
        """
        if self.faults is None:
            return core.winner(self.returns)
        if self.returns.shape[-1] == 2:
            return core.winner(jnp.where(self.faults, -jnp.inf, self.returns))
        found = core.winner(self.returns)
        faulty = jnp.take_along_axis(self.faults, jnp.maximum(found, 0)[..., None], -1)[..., 0]
        return jnp.where(faulty, -1, found)

    @property
    def winning_seat(self) -> jax.Array:
        """Int[blocks games]: the seat with the largest return of those that made no fault, −1 for none. Only after
        `play_crowd`.
        """
        if self.faults is None:
            return core.winner(self.seat_returns)
        return core.winner(jnp.where(self.faults, -jnp.inf, self.seat_returns))
