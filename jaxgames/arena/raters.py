"""How the walk arena's players rate afterstates: structure by structure, or as a crowd of which any two may meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from jaxgames import core
from jaxgames.arena.alike import answer_alike, stackable
from jaxgames.xla import pick


@dataclass(frozen=True)
class Stacked:
    """Players of one pytree structure are stacked into one batched player with leading axes [blocks, players].
    `places[i]` is the index of player i among the players of all stacks, one stack after the other.
    """

    places: tuple[int, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.places)

    def taken_apart(self, stacks: Sequence) -> tuple:
        """`stacks`, for the loop."""
        return tuple(stacks)

    def prepare(self, stacks: Sequence, state: Any) -> tuple:
        """Per stack, contexts [blocks, lanes, players of the stack]."""

        def prepare(players: Any, root: Any) -> Any:
            return jax.vmap(lambda player: player.prepare(root), axis_size=_number(players))(players)

        return tuple(jax.vmap(jax.vmap(prepare, (None, 0)))(players, state) for players in stacks)

    def rate(self, stacks: Sequence, mover: jax.Array, contexts: tuple, *rows: Any) -> tuple[jax.Array, jax.Array]:
        """(value, priority), [blocks, lanes], by the players who move. All players rate all afterstates, so that what
        they see of them is computed once.

        mover: Int[blocks lanes]. rows: bits, seats and afterstates, [blocks, lanes, …].
        """
        return jax.vmap(self._rate)(stacks, mover, contexts, *rows)

    def _rate(self, stacks: Sequence, mover: jax.Array, contexts: tuple, *rows: Any) -> tuple[jax.Array, jax.Array]:
        def rate(player: Any, context: Any, *row: Any) -> tuple[jax.Array, jax.Array]:
            return player.rate(*row, context)

        rated = []
        for players, context in zip(stacks, contexts, strict=True):
            each_lane = jax.vmap(rate, (None, 0, *[0] * len(rows)))
            each_player = jax.vmap(each_lane, (0, 1, *[None] * len(rows)), axis_size=_number(players))
            value, priority = each_player(players, context, *rows)
            rated += zip(value, priority, strict=True)
        return pick(mover, [rated[place] for place in self.places])


@dataclass(frozen=True)
class Crowded:
    """The only stack is a `core.Crowd`, one in each block. Blocks are rated one after the other, as a table that has no
    axis of blocks is read faster, and they are taken apart before the loop, which would copy the tables in every
    iteration (docs/decisions/008-walks.md).
    """

    def taken_apart(self, stacks: Sequence) -> tuple:
        """One crowd for each block; leaves of `stacks` lead with [blocks]."""
        blocks = len(jax.tree.leaves(stacks)[0])
        return tuple(jax.tree.map(lambda x, block=block: x[block], stacks[0]) for block in range(blocks))

    def prepare(self, crowds: Sequence, state: Any) -> Any:
        """Contexts, [blocks, lanes]."""
        return self._each(crowds, lambda crowd, root: crowd.prepare(root), state)

    def rate(self, crowds: Sequence, mover: jax.Array, contexts: Any, *rows: Any) -> tuple[jax.Array, jax.Array]:
        """As `Stacked.rate`; `mover`: the member who moves."""
        return self._each(crowds, lambda crowd, *lane: crowd.rate(*lane), mover, *rows, contexts)

    def _each(self, crowds: Sequence, ask: Callable, *lanes: Any) -> Any:
        results = []
        for block, crowd in enumerate(crowds):
            here = jax.tree.map(lambda x, block=block: x[block], lanes)
            results.append(jax.vmap(partial(ask, crowd))(*here))
        return jax.tree.map(lambda *blocks: jnp.stack(blocks), *results)


def stacked(players: Sequence[core.AfterstatePlayer], axis: int) -> tuple[list, Stacked]:
    """(stacks, where each player is in them). The players of a stack are along `axis` of its leaves; players that
    answer alike are stacked once.
    """
    distinct: list = []
    for player in players:
        if not any(answer_alike(player, other) for other in distinct):
            distinct.append(player)
    groups = [[distinct[i] for i in group] for group in stackable(distinct)]
    ordered = [player for group in groups for player in group]
    places = tuple(next(i for i, other in enumerate(ordered) if answer_alike(player, other)) for player in players)
    return [jax.tree.map(lambda *x: jnp.stack(x, axis), *group) for group in groups], Stacked(places)


def _number(players: Any) -> int:
    """Number of players of a stack; without leaves, one."""
    return jax.tree.leaves(players)[0].shape[0] if jax.tree.leaves(players) else 1
