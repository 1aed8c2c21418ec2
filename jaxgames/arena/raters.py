"""How the players of the walk arena rate afterstates: kind by kind, or as a crowd of which any two meet in any lane."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from jaxgames import core
from jaxgames.xla import pick


@dataclass(frozen=True)
class Stacked:
    """Players that differ in nothing but their leaves' values are stacked, for they rate together: leaves lead with
    [blocks, players of the kind], and player i is number places[i] of all that are stacked.
    """

    places: tuple[int, ...]

    @property
    def players(self) -> int:
        return len(self.places)

    def taken_apart(self, kinds: Sequence) -> tuple:
        """Leaves of kinds lead with [blocks], also afterwards."""
        return tuple(kinds)

    def prepare(self, kinds: Sequence, state: Any) -> tuple:
        """Contexts per kind, [blocks, lanes, players of the kind]."""

        def prepare(players: Any, root: Any) -> Any:
            return jax.vmap(lambda player: player.prepare(root), axis_size=_number(players))(players)

        return tuple(jax.vmap(jax.vmap(prepare, (None, 0)))(players, state) for players in kinds)

    def rate(self, kinds: Sequence, mover: jax.Array, contexts: tuple, *rows: Any) -> tuple[jax.Array, jax.Array]:
        """How the players who move rate the afterstates in all lanes. All players rate all of them, and what they see
        of them is computed once.
        """
        return jax.vmap(self._rate)(kinds, mover, contexts, *rows)

    def _rate(self, kinds: Sequence, mover: jax.Array, contexts: tuple, *rows: Any) -> tuple[jax.Array, jax.Array]:
        def rate(player: Any, context: Any, *row: Any) -> tuple[jax.Array, jax.Array]:
            return player.rate(*row, context)

        rated = []
        for players, context in zip(kinds, contexts, strict=True):
            each_lane = jax.vmap(rate, (None, 0, *[0] * len(rows)))
            each_player = jax.vmap(each_lane, (0, 1, *[None] * len(rows)), axis_size=_number(players))
            value, priority = each_player(players, context, *rows)
            rated += zip(value, priority, strict=True)
        return pick(mover, [rated[place] for place in self.places])


@dataclass(frozen=True)
class Crowded:
    """The only kind is a `core.Crowd`, one in each block. Blocks are rated one after the other: a table that has no
    axis of blocks is read faster. They are taken apart before the loop, which would copy the tables in every round.
    """

    def taken_apart(self, kinds: Sequence) -> tuple:
        """One crowd for each block; leaves of kinds lead with [blocks]."""
        blocks = len(jax.tree.leaves(kinds)[0])
        return tuple(jax.tree.map(lambda x, block=block: x[block], kinds[0]) for block in range(blocks))

    def prepare(self, crowds: Sequence, state: Any) -> Any:
        """Contexts, [blocks, lanes]."""
        return self._each(crowds, lambda crowd, root: crowd.prepare(root), state)

    def rate(self, crowds: Sequence, mover: jax.Array, contexts: Any, *rows: Any) -> tuple[jax.Array, jax.Array]:
        return self._each(crowds, lambda crowd, *lane: crowd.rate(*lane), mover, *rows, contexts)

    def _each(self, crowds: Sequence, ask: Callable, *lanes: Any) -> Any:
        found = []
        for block, crowd in enumerate(crowds):
            here = jax.tree.map(lambda x, block=block: x[block], lanes)
            found.append(jax.vmap(partial(ask, crowd))(*here))
        return jax.tree.map(lambda *blocks: jnp.stack(blocks), *found)


def stacked(players: Sequence[core.AfterstatePlayer], axis: int) -> tuple[list, Stacked]:
    """The kinds of players, along an axis, and where each player is."""
    distinct: list = []
    for player in players:
        if not any(_same(player, other) for other in distinct):
            distinct.append(player)
    kinds: dict[Any, list] = {}
    for player in distinct:
        kinds.setdefault((core.kind(player), *map(jnp.shape, jax.tree.leaves(player))), []).append(player)
    listed = [player for alike in kinds.values() for player in alike]
    places = tuple(next(i for i, other in enumerate(listed) if _same(player, other)) for player in players)
    return [jax.tree.map(lambda *x: jnp.stack(x, axis), *alike) for alike in kinds.values()], Stacked(places)


def _same(player: Any, other: Any) -> bool:
    """Whether two players are one: the same object, or equal ones that nothing distinguishes at run time."""
    return player is other or (not jax.tree.leaves((player, other)) and player == other)


def _number(players: Any) -> int:
    """How many are stacked; those without leaves are all one."""
    return jax.tree.leaves(players)[0].shape[0] if jax.tree.leaves(players) else 1
