"""Faults: outputs that are NaN or infinite, of players whose networks may make such outputs.

A fault counts as the worst output there is: the move that it rates is chosen only if no legal move has a better one, so
that a move is always legal. The arena says in which games a player made one (`arena.Results.faults`). It asks only the
players that report faults; the loops of all others carry nothing for it.
"""

from typing import Any, Protocol, runtime_checkable

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames.core.games import State
from jaxgames.core.players import Memory


@runtime_checkable
class ReportsFaults(Protocol):
    """A player, a value of afterstates, an afterstate player or a crowd whose outputs may be faults.

    `reports_faults` is True. A `Player` offers `decide` as `ReportingPlayer` does; of the others the arena sees the
    values themselves.
    """

    @property
    def reports_faults(self) -> bool:
        """Whether its outputs may be faults, which the arena then looks for."""
        ...


@runtime_checkable
class ReportingPlayer(ReportsFaults, Protocol):
    """A `core.Player` that reports faults."""

    def decide(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory, Bool[Array, ""]]:
        """(action and memory as of `act`, whether an output of this decision was a fault)."""
        ...


def reports(who: Any) -> bool:
    """Whether the arena asks `who` for its faults."""
    return isinstance(who, ReportsFaults) and who.reports_faults


def ranked(outputs: Float[Array, "*shape"]) -> tuple[Float[Array, "*shape"], Bool[Array, "*shape"]]:
    """(the outputs, the lowest finite number in place of each fault; which are faults).

    So a fault ranks behind all other outputs and before what is illegal, −inf.
    """
    faults = ~jnp.isfinite(outputs)
    return jnp.where(faults, jnp.finfo(outputs.dtype).min, outputs), faults
