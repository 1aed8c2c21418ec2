"""Plays many games at once. The arena owns the lane axis and the loop; rules and players see one position.

Lanes lie in *blocks*. All games of a block are played by the same players, so that a network's weights are shared by
the lanes of a block instead of being fetched for every lane. A block has a queue of games; a lane whose game is over
records it under its id and takes the next one. The loop is flat: in a *round* every player moves once in the lanes
where it is due, and each move is followed by the end test. Lanes whose game is over wait until there are enough of
them: recording and refilling cost the same however few lanes need it.

All randomness comes from (stream of the block, game id, ply): results do not depend on the number of lanes, blocks or
devices. Networks may break near ties differently when the number of lanes changes, because matrix products round
differently; this happens on large boards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
from jax import lax

from jaxgames import core
from jaxgames.arena.alike import answer_alike
from jaxgames.arena.lanes import by_player, is_in, lanewise, position
from jaxgames.arena.queue import RESET, Queue, in_every_block, plies_and_finished, signed_plies
from jaxgames.arena.results import Results
from jaxgames.arena.schedule import Schedule
from jaxgames.core import Leaf
from jaxgames.core.faults import reports
from jaxgames.devices import over_devices
from jaxgames.xla import choice, jit_by_class, occasionally, pick, stage

SHARE_OVER = 16  # games are recorded and lanes refilled once one lane in 16 waits for it (decision 002)


@flax.struct.dataclass
class Lanes:
    """Every leaf has leading axes [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    over: Leaf  # waits to be recorded and refilled
    ply: Leaf  # Int, number of plies played in the game
    seated: tuple  # per seat: the player who sits there
    state: Any  # of the game
    memory: tuple  # one per player
    faults: tuple  # per player: whether it made a fault in this game; () if it does not report them


def play_games(
    game: core.Game, players: Sequence[core.Player], streams: jax.Array, schedule: Schedule, batched: bool = True
) -> Results:
    """Plays `schedule` in every block, the blocks shared out over all devices.

    players: player i is number i of the schedule's seatings; with seatings there may be more players than seats.
    streams: UInt32[blocks].
    batched: whether every leaf of every player leads with [blocks]; otherwise the players are the same in all blocks.

    Players that answer alike are asked once for all of them (`alike.answer_alike`): one object that is given twice, and
    players without leaves whose classes differ in how they `reset` at most. Raises ValueError for a seat without a
    player, for a player with memory at two seats of a game, and for a schedule with `narrower`.
    """
    schedule.check(game, len(players))
    schedule.refuse("play_games", "narrower")
    distinct = list({id(player): player for player in players}.values())
    places = tuple(next(i for i, other in enumerate(distinct) if other is player) for player in players)
    if not batched:
        distinct = in_every_block(distinct, len(streams))
    return _play(game, schedule, places, distinct, jnp.asarray(streams))


@jit_by_class(static_argnums=(0, 1, 2))
def _play(game: core.Game, schedule: Schedule, places: tuple[int, ...], distinct: list, streams: jax.Array) -> Results:
    """jit rebuilds its arguments, so one object given twice would come out as two: `places` keeps it one."""

    def play(distinct: list, streams: jax.Array) -> Results:
        return Arena(game, schedule, tuple(distinct[i] for i in places), streams).play()

    return over_devices(play)(distinct, streams)


@dataclass(frozen=True, eq=False)
class Arena:
    """The loop of one device over its share of the blocks: `schedule` of `game` between `players` in each.

    streams: UInt32 in the shape in which the blocks are arranged.
    axes: per player, which of these axes its leaves lead with; by default all. In a grid of hosts × parasites the hosts
        have the first axis only and the parasites the second, so that each weight is used by a whole row or column.
    """

    game: core.Game
    schedule: Schedule
    players: tuple
    streams: jax.Array
    axes: tuple[tuple[int, ...], ...] | None = None

    def play(self) -> Results:
        """All games of the schedule in every block."""
        game, begun = self.queue.first(self.schedule.lanes)
        lanes = self._take(game)
        columns = 1 + len(self.players) + len(self.reporting)
        outcomes = jnp.zeros((self.blocks, self.schedule.games, columns), jnp.float32)
        start = jnp.int32(0), (lanes, begun, outcomes), self.queue.no_moves(), jnp.zeros(self.blocks, jnp.int32)
        clock, (_, _, outcomes), moves, played = lax.while_loop(
            lambda carry: jnp.any(self.queue.live(carry[1][0].game)), self._round, start
        )
        slots = jnp.maximum(clock, 1) * (len(self.steps) * self.schedule.lanes)
        returns, faults = outcomes[..., 1 : 1 + len(self.players)], self._faults(outcomes[..., 1 + len(self.players) :])
        return Results(returns, *plies_and_finished(outcomes[..., 0]), moves, busy=played / slots, faults=faults)

    # ---------------------------------------------------------------- static facts
    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return self.streams.size

    @property
    def everybody(self) -> range:
        """The players' numbers."""
        return range(len(self.players))

    @property
    def reporting(self) -> list[int]:
        """The players that report faults."""
        return [player for player in self.everybody if reports(self.players[player])]

    @cached_property
    def queue(self) -> Queue:
        """The games of every block."""
        longest = self.game.max_plies
        cap = min(self.schedule.ply_cap or longest, longest)
        return Queue(self.game, self.schedule, self.streams.reshape(-1), cap)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The players, those together that answer alike: they choose together."""
        groups: list[list[int]] = []
        for player in self.everybody:
            for group in groups:
                if answer_alike(self.players[group[0]], self.players[player]):
                    group.append(player)
                    break
            else:
                groups.append([player])
        return [tuple(group) for group in groups]

    @property
    def steps(self) -> list[list[tuple[int, ...]]]:
        """The groups that may move in each step of a round: one step per seat, or one in all if one group has all
        players. If there are more players than seats, all groups but the first share the remaining steps.
        """
        first, *others = self.groups
        if not others:
            return [[first]]
        if len(self.players) > self.game.num_seats:
            return [[first], *[others] * (self.game.num_seats - 1)]
        return [[group] for group in self.groups for _ in group]

    # ---------------------------------------------------------------- the loop
    def _round(self, carry: tuple) -> tuple:
        clock, (lanes, begun, outcomes), moves, played = carry
        for step in self.steps:
            lanes, due, action = self._choose(clock, lanes, step[0])
            for group in step[1:]:
                lanes, its_turn, its_action = self._choose(clock, lanes, group)
                due, action = due | its_turn, jnp.where(its_turn, its_action, action)
            lanes = self._move(clock, lanes, due, action)
            moves = self.queue.write(moves, due, action, lanes.game, lanes.ply - 1)
            played = played + due.sum(1)
        none_plays = ~jnp.any(self.queue.live(lanes.game) & ~lanes.over)
        enough = lanes.over.sum() * SHARE_OVER >= lanes.over.size
        settled = occasionally(enough | none_plays, partial(self._settle, clock), (lanes, begun, outcomes))
        return clock + 1, settled, moves, played

    def _choose(self, clock: jax.Array, lanes: Lanes, group: tuple[int, ...]) -> tuple[Lanes, jax.Array, jax.Array]:
        """The group's moves, and the lanes in which one of its players is due."""
        seat = lanewise(self.game.to_move)(lanes.state)
        mover = pick(seat, lanes.seated)
        due = self.queue.live(lanes.game) & ~lanes.over & is_in(mover, group)
        bits = self.queue.bits(lanes.game, lanes.ply)
        memory = pick(position(mover, group), [lanes.memory[player] for player in group])
        reporting = group[0] in self.reporting
        decide = (lambda player, *row: player.decide(*row)) if reporting else (lambda player, *row: player.act(*row))
        action, memory, *fault = stage(clock, partial(self._ask, group[0], decide), bits, seat, lanes.state, memory)
        memories, faults = list(lanes.memory), list(lanes.faults)
        for player in group:
            memories[player] = choice(due & (mover == player), memory, memories[player])
            if reporting:
                faults[player] = faults[player] | due & (mover == player) & fault[0]
        return replace(lanes, memory=tuple(memories), faults=tuple(faults)), due, action

    def _move(self, clock: jax.Array, lanes: Lanes, due: jax.Array, action: jax.Array) -> Lanes:
        """Plays in the lanes that are due, shows the new position to all players, and tests for the end."""

        def played(state: Any, action: jax.Array, due: jax.Array) -> Any:
            return choice(due, lanewise(self.game.play)(state, action), state)

        state = stage(clock, played, lanes.state, action, due)
        ply = lanes.ply + due
        ended = stage(clock, lanewise(self.game.terminal), state)
        over = lanes.over | due & (ended | (ply >= self.queue.ply_cap))
        memory = tuple(
            memory if not jax.tree.leaves(memory) else choice(due, self._watch(player, lanes, state), memory)
            for player, memory in enumerate(lanes.memory)
        )
        return replace(lanes, over=over, state=state, ply=ply, memory=memory)

    def _watch(self, player: int, lanes: Lanes, state: Any) -> Any:
        seat = position(player, lanes.seated)
        return self._ask(player, lambda who, *row: who.watch(*row), seat, state, lanes.memory[player])

    def _ask(self, player: int, method: Callable, *rows: Any) -> Any:
        """method(player, *row) in every lane; `rows` are arrays of lanes."""
        function = jax.vmap(method, (None, *[0] * len(rows)))
        shape, axes = self.streams.shape, self.axes[player] if self.axes else range(self.streams.ndim)
        for axis in reversed(range(len(shape))):
            function = jax.vmap(function, (0 if axis in axes else None, *[0] * len(rows)))
        arranged = jax.tree.map(lambda x: x.reshape(*shape, *x.shape[1:]), rows)
        results = function(self.players[player], *arranged)
        return jax.tree.map(lambda x: x.reshape(self.blocks, *x.shape[len(shape) :]), results)

    def _settle(self, clock: jax.Array, carry: tuple) -> tuple:
        """Records the games that are over: (signed plies, returns, faults of those who report them). Their lanes take
        the next games of their queue.
        """
        lanes, begun, outcomes = carry
        end = lanewise(lambda state: (self.game.terminal(state), self.game.returns(state)))
        ended, returns = stage(clock, end, lanes.state)
        signed = signed_plies(ended, lanes.ply)[..., None].astype(jnp.float32)
        faults = [lanes.faults[player][..., None].astype(jnp.float32) for player in self.reporting]
        row = jnp.concatenate([signed, by_player(lanes.seated, returns, len(self.players)), *faults], -1)
        outcomes = self.queue.write(outcomes, lanes.over, row, lanes.game)
        game, begun = self.queue.next(begun, lanes.over)
        return choice(lanes.over, self._take(game), lanes), begun, outcomes

    def _take(self, game: jax.Array) -> Lanes:
        """Lanes at the start of these games, Int[blocks lanes]."""
        seated = self.queue.seated(game)
        bits = self.queue.bits(game, jnp.full_like(game, RESET))
        memory = tuple(
            self._ask(player, lambda who, *row: who.reset(*row), bits, position(player, seated))
            for player in self.everybody
        )
        if jax.tree.leaves(memory) and any(len(set(seating)) < len(seating) for seating in self.queue.seatings):
            raise ValueError("where players remember, none can have two seats of a game")
        ply = jnp.full_like(game, self.schedule.opening_plies)
        none = jnp.zeros_like(game, bool)
        faults = tuple(none if player in self.reporting else () for player in self.everybody)
        return Lanes(game, none, ply, seated, self.queue.start(game), memory, faults)

    def _faults(self, columns: jax.Array) -> jax.Array | None:
        """`Results.faults` from the last columns of the outcomes, one for each player that reports faults."""
        if not self.reporting:
            return None
        none = jnp.zeros(columns.shape[:-1], bool)
        found = {player: columns[..., column] > 0 for column, player in enumerate(self.reporting)}
        return jnp.stack([found.get(player, none) for player in self.everybody], -1)
