"""What the `play_…` functions of the arena return."""

from typing import Any

import flax.struct
import jax

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
    # Only from `play_searches`:
    counts: Any = None  # a `search.Counts` of Int[blocks games players]
    filter_counts: Any = None  # a `search.FilterCounts` of Int[blocks games players], if a player has a move filter

    @property
    def winner(self) -> jax.Array:
        """Int[blocks games]: the player with the largest return, −1 for none. Not after `play_crowd`."""
        return core.winner(self.returns)

    @property
    def winning_seat(self) -> jax.Array:
        """Int[blocks games]: the seat with the largest return, −1 for none. Only after `play_crowd`."""
        return core.winner(self.seat_returns)
