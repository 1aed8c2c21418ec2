"""Plays many games at once. The arena owns the lane axis and the loop; rules and players see one position.

Lanes lie in *blocks*. All games of a block are played by the same players, so that a network's weights are shared by
the lanes of a block instead of being fetched for every lane. A block has a queue of games; a lane whose game is over
records it under its id and takes the next one. The loop is flat: in a *round* every player moves once in the lanes
where it is due, and each move is followed by the end test. Lanes whose game is over wait until there are enough of
them: recording and refilling cost the same however few lanes need it.

All randomness comes from (stream of the block, game id, ply): results of players that decide exactly do not depend on
lanes, blocks or devices. A network's depend on them as far as its products round: on large boards another number of
lanes may decide a near tie otherwise.
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
from jaxgames.arena import openings
from jaxgames.arena.lanes import by_player, is_in, lanewise, position, set_before, sitters
from jaxgames.arena.schedule import Schedule, Seating, all_seatings, rotations
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.randomness import random_bits
from jaxgames.xla import choice, occasionally, pick, stage

__all__ = ["Arena", "Results", "Schedule", "Seating", "all_seatings", "play_games", "rotations"]

SHARE_OVER = 16  # games are recorded, and lanes refilled, once one lane in so many waits for it


@flax.struct.dataclass
class Results:
    """Arrays with leading axes [blocks, games]."""

    returns: Leaf  # Float[blocks games players], by player, whatever the seat
    plies: Leaf  # Int[blocks games]
    finished: Leaf  # Bool[blocks games], False where the ply cap broke the game off
    moves: Leaf  # Int16[blocks games plies], −1 after the end; None unless recorded
    busy: Leaf  # Float[blocks], share of a block's lane-moves that were played

    @property
    def winner(self) -> jax.Array:
        """Int[blocks games]: the player with the largest return, −1 for none."""
        return core.winner(self.returns)


@flax.struct.dataclass
class Lanes:
    """Every leaf has leading axes [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    over: Leaf  # waits to be recorded and refilled
    ply: Leaf
    sitters: tuple  # per seat: the player who sits there
    state: Any
    memory: tuple  # one per player


def play_games(
    game: core.Game, players: Sequence[core.Player], streams: jax.Array, schedule: Schedule, batched: bool = True
) -> Results:
    """Plays `schedule` in every block, the blocks shared out over all devices.

    streams: UInt32[blocks]. With `batched`, every leaf of every player has a leading axis of blocks; without, the
    players are the same in all blocks. There may be more players than seats if the schedule says who sits where in
    which game. Raises ValueError for a seat without a player.
    """
    schedule.check(game, len(players))
    distinct = list({id(player): player for player in players}.values())
    places = tuple(next(i for i, other in enumerate(distinct) if other is player) for player in players)
    if not batched:
        distinct = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(streams), *jnp.shape(x))), distinct)
    return _play(game, schedule, places, core.kind(distinct), distinct, jnp.asarray(streams))


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _play(
    game: core.Game, schedule: Schedule, places: tuple[int, ...], kind: str, distinct: list, streams: jax.Array
) -> Results:
    """jit rebuilds its arguments, so one object given twice would come out as two: `places` keeps it one."""

    def play(distinct: list, streams: jax.Array) -> Results:
        return Arena(game, schedule, tuple(distinct[i] for i in places), streams).play()

    return over_devices(play)(distinct, streams)


@dataclass(frozen=True, eq=False)
class Arena:
    """The loop of one device over its share of the blocks.

    `streams` has the shape in which the blocks are arranged, and `axes` says which of these axes the leaves of each
    player lead with: by default all. A grid of hosts × parasites is one where the hosts have only the first axis and
    the parasites only the second, so that each weight is used by a whole row or column.
    """

    game: core.Game
    schedule: Schedule
    players: tuple
    streams: jax.Array
    axes: tuple[tuple[int, ...], ...] | None = None

    def play(self) -> Results:
        lanes = self._take(jnp.broadcast_to(jnp.arange(self.schedule.lanes), (self.blocks, self.schedule.lanes)))
        taken = jnp.full(self.blocks, self.schedule.lanes)
        outcomes = jnp.zeros((self.blocks, self.schedule.games, 1 + len(self.players)), jnp.float32)
        start = jnp.int32(0), (lanes, taken, outcomes), self._first_moves(), jnp.zeros(self.blocks, jnp.int32)
        clock, (_, _, outcomes), moves, played = lax.while_loop(
            lambda carry: jnp.any(carry[1][0].game < self.schedule.games), self._round, start
        )
        slots = jnp.maximum(clock, 1) * (len(self.steps) * self.schedule.lanes)
        return Results(
            returns=outcomes[..., 1:],
            plies=jnp.abs(outcomes[..., 0]).astype(jnp.int32),
            finished=outcomes[..., 0] > 0,
            moves=moves,
            busy=played / slots,
        )

    # ---------------------------------------------------------------- static facts
    @property
    def blocks(self) -> int:
        return self.streams.size

    @property
    def everybody(self) -> range:
        return range(len(self.players))

    @property
    def seatings(self) -> tuple[Seating, ...]:
        return self.schedule.seatings or rotations(self.game.num_seats)

    @property
    def ply_cap(self) -> int:
        return min(self.schedule.ply_cap or self.game.max_plies, self.game.max_plies)

    @cached_property
    def first_states(self) -> Any:
        """The positions with which games begin. Found once, for the first lanes, outside the loop."""
        return openings.states_after(self.game, self.schedule.openings)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Players that are the same one choose together."""
        groups: list[list[int]] = []
        for player in self.everybody:
            for group in groups:
                if _same(self.players[group[0]], self.players[player]):
                    group.append(player)
                    break
            else:
                groups.append([player])
        return [tuple(group) for group in groups]

    @property
    def steps(self) -> list[list[tuple[int, ...]]]:
        """Who may move in each step of a round: every seat has one, unless all belong to one player. Where there are
        more players than seats, any of those after the first is rarely due: they share the steps.
        """
        first, *others = self.groups
        if not others:
            return [[first]]
        if len(self.players) > self.game.num_seats:
            return [[first], *[others] * (self.game.num_seats - 1)]
        return [[group] for group in self.groups for _ in group]

    # ---------------------------------------------------------------- the loop
    def _round(self, carry: tuple) -> tuple:
        clock, (lanes, taken, outcomes), moves, played = carry
        for step in self.steps:
            lanes, due, action = self._choose(clock, lanes, step[0])
            for group in step[1:]:
                lanes, its_turn, its_action = self._choose(clock, lanes, group)
                due, action = due | its_turn, jnp.where(its_turn, its_action, action)
            lanes = self._move(clock, lanes, due, action)
            moves = self._with_move(moves, lanes, due, action)
            played = played + due.sum(1)
        none_plays = ~jnp.any((lanes.game < self.schedule.games) & ~lanes.over)
        enough = lanes.over.sum() * SHARE_OVER >= lanes.over.size
        settled = occasionally(enough | none_plays, partial(self._settle, clock), (lanes, taken, outcomes))
        return clock + 1, settled, moves, played

    def _choose(self, clock: jax.Array, lanes: Lanes, group: tuple[int, ...]) -> tuple[Lanes, jax.Array, jax.Array]:
        """The group's moves, and the lanes in which one of its players is due."""
        seat = lanewise(self.game.to_move)(lanes.state)
        mover = pick(seat, lanes.sitters)
        due = (lanes.game < self.schedule.games) & ~lanes.over & is_in(mover, group)
        words = self._words(lanes.game, lanes.ply)
        memory = pick(position(mover, group), [lanes.memory[player] for player in group])
        act = partial(self._ask, group[0], lambda player, *row: player.act(*row))
        action, memory = stage(clock, act, words, seat, lanes.state, memory)
        memories = list(lanes.memory)
        for player in group:
            memories[player] = choice(due & (mover == player), memory, memories[player])
        return replace(lanes, memory=tuple(memories)), due, action

    def _move(self, clock: jax.Array, lanes: Lanes, due: jax.Array, action: jax.Array) -> Lanes:
        """Plays in the lanes that are due, shows the new position to all players, and tests for the end."""

        def played(state: Any, action: jax.Array, due: jax.Array) -> Any:
            return choice(due, lanewise(self.game.play)(state, action), state)

        state = stage(clock, played, lanes.state, action, due)
        ply = lanes.ply + due
        ended = stage(clock, lanewise(self.game.terminal), state)
        over = lanes.over | due & (ended | (ply >= self.ply_cap))
        memory = tuple(
            memory if not jax.tree.leaves(memory) else choice(due, self._watch(player, lanes, state), memory)
            for player, memory in enumerate(lanes.memory)
        )
        return replace(lanes, over=over, state=state, ply=ply, memory=memory)

    def _watch(self, player: int, lanes: Lanes, state: Any) -> Any:
        seat = position(player, lanes.sitters)
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
        """Records the games that are over as (signed plies, returns): negative plies say that the cap broke the game
        off. Their lanes take the next ones of their block's queue.
        """
        lanes, taken, outcomes = carry
        end = lanewise(lambda state: (self.game.terminal(state), self.game.returns(state)))
        ended, returns = stage(clock, end, lanes.state)
        plies = jnp.where(ended, lanes.ply, -lanes.ply)
        row = jnp.concatenate(
            [plies[..., None].astype(jnp.float32), by_player(lanes.sitters, returns, len(self.players))], -1
        )
        where = jnp.where(lanes.over, lanes.game, self.schedule.games)
        outcomes = jax.vmap(lambda all_, at, new: all_.at[at].set(new, mode="drop"))(outcomes, where, row)
        number = taken[:, None] + set_before(lanes.over)
        return choice(lanes.over, self._take(number), lanes), taken + lanes.over.sum(1), outcomes

    def _take(self, number: jax.Array) -> Lanes:
        """Lanes at the start of the games with these ids."""
        seated = sitters(number, self.seatings)
        words = self._words(number, jnp.full_like(number, -1))
        memory = tuple(
            self._ask(player, lambda who, *row: who.reset(*row), words, position(player, seated))
            for player in self.everybody
        )
        if jax.tree.leaves(memory) and any(len(set(seating)) < len(seating) for seating in self.seatings):
            raise ValueError("where players remember, none can have two seats of a game")
        if self.schedule.openings:
            opening = openings.numbers(self.schedule, len(self.seatings), self.streams.reshape(-1), number)
            state = openings.starts(self.first_states, opening)
        else:  # constants, which are cheaper than what a loop carries
            state = jax.tree.map(lambda x: jnp.broadcast_to(x, (*number.shape, *jnp.shape(x))), self.game.start())
        ply = jnp.full_like(number, self.schedule.opening_plies)
        return Lanes(number, jnp.zeros_like(number, bool), ply, seated, state, memory)

    def _words(self, number: jax.Array, ply: jax.Array) -> jax.Array:
        return jax.vmap(jax.vmap(random_bits, (None, 0, 0)))(self.streams.reshape(-1), number, ply)

    # ---------------------------------------------------------------- records
    def _first_moves(self) -> jax.Array | None:
        if not self.schedule.record_moves:
            return None
        begun = partial(openings.begun_moves, self.schedule, len(self.seatings), self.streams.reshape(-1))
        return begun(self.ply_cap)

    def _with_move(self, moves: Any, lanes: Lanes, due: jax.Array, action: jax.Array) -> Any:
        if moves is None:
            return None
        where = jnp.where(due, lanes.game, self.schedule.games)
        write = jax.vmap(lambda all_, at, ply, new: all_.at[at, ply].set(new, mode="drop"))
        return write(moves, where, lanes.ply - 1, action.astype(moves.dtype))


def _same(player: Any, other: Any) -> bool:
    """Whether two players choose alike: the same object, or ones that differ at most in how they `reset`."""
    if player is other or jax.tree.leaves((player, other)):
        return player is other
    return type(player).act is type(other).act and vars(player) == vars(other)
