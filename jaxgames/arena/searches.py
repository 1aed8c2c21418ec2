"""Plays many games between searching players in one flat loop (docs/decisions/007-flat-search.md).

Searches differ in length by orders of magnitude. In every iteration each lane does one step of its own search, that is,
visits one position. As soon as a few searches are done, their moves are played, and lanes whose game is over take the
next one of their block's queue.

Games, their streams of randomness and their results are those of `play_games` with the same players.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
from jax import lax

from jaxgames import core
from jaxgames.arena import openings
from jaxgames.arena.games import Results
from jaxgames.arena.lanes import by_player, lanewise_last, set_before, sitters
from jaxgames.arena.schedule import Schedule, Seating, rotations
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.players.search import Search, plays_anything
from jaxgames.randomness import random_bits
from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.state import Counts, Effort, Window, Windows, Work
from jaxgames.search.trees import Node
from jaxgames.xla import occasionally, pick, stage

SHARE_DONE, SHARE_WAITING = 4, 2  # moves are played, windows asked, once one lane in so many is ready


@flax.struct.dataclass
class SearchResults:
    games: Results
    counts: Counts  # Int[blocks games players] each
    windows: Windows | tuple  # the same; () where no player has windows


@flax.struct.dataclass
class Lanes:
    """The last axes of every leaf are [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    ply: Leaf
    state: Any
    work: Any  # a Work; () before the first search begins
    memory: tuple  # per player: its window's; () where that remembers nothing
    counts: tuple  # per player (Counts, Windows or ()), of the game so far


@flax.struct.dataclass
class Record:
    plies: Leaf  # Int[blocks games], negative where the ply cap broke the game off
    returns: Leaf  # Float[blocks games players]
    counts: tuple  # (Counts, Windows or ()), Int[blocks games players] each
    moves: Leaf  # Int16[blocks games plies], or None


def play_searches(
    players: Sequence[Search], streams: jax.Array, schedule: Schedule, batched: bool = True
) -> SearchResults:
    """As `arena.play_games`. The players must share their game and its tree, and their order by class."""
    rules = common_rules(players)
    schedule.check(rules.tree.game, len(players))
    for player in players:
        player.check_level()
    if not batched:
        players = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(streams), *jnp.shape(x))), tuple(players))
    return _play(rules, schedule, core.kind(tuple(players)), tuple(players), jnp.asarray(streams))


@partial(jax.jit, static_argnums=(0, 1, 2))
def _play(rules: AlphaBeta, schedule: Schedule, kind: str, players: tuple, streams: jax.Array) -> SearchResults:
    def play(players: tuple, streams: jax.Array) -> SearchResults:
        return SearchArena(rules, schedule, players, streams).play()

    return over_devices(play)(players, streams)


def common_rules(players: Sequence[Search]) -> AlphaBeta:
    """Rules under which all these players can search. Raises ValueError if there are none."""
    first, *others = [player.rules for player in players]
    for other in others:
        if (other.tree, other.by_class) != (first.tree, first.by_class):
            raise ValueError("players that search in one arena must share their game, its tree and by_class")
    every = [first, *others]
    return replace(
        first,
        max_level=max(rules.max_level for rules in every),
        max_ordered=max(rules.max_ordered for rules in every),
        max_breadth=max(rules.max_breadth for rules in every),
        windowed=any(rules.windowed for rules in every),
        bound=max(rules.bound for rules in every),
    )


@dataclass(frozen=True, eq=False)
class SearchArena:
    """The loop of one device over its share of the blocks."""

    rules: AlphaBeta
    schedule: Schedule
    players: tuple[Search, ...]
    streams: jax.Array  # UInt32[blocks]

    def play(self) -> SearchResults:
        blocks, lanes = len(self.streams), self.schedule.lanes
        first = openings.states_after(self.game, self.schedule.openings)
        game = jnp.broadcast_to(jnp.arange(lanes), (blocks, lanes))
        carry = self._take(first, game), jnp.full(blocks, lanes), self._blank_record()
        step = partial(self._step, first)
        clock, (_, _, record), used = lax.while_loop(
            lambda loop: jnp.any(self._live(loop[1][0])), step, (jnp.int32(0), carry, jnp.zeros(blocks, jnp.int32))
        )
        games = Results(
            record.returns,
            jnp.abs(record.plies),
            record.plies > 0,
            record.moves,
            used / jnp.maximum(clock * lanes, 1),
        )
        return SearchResults(games, *record.counts)

    # ---------------------------------------------------------------- static facts
    @property
    def game(self) -> core.Game:
        return self.rules.tree.game

    @property
    def seatings(self) -> tuple[Seating, ...]:
        return self.schedule.seatings or rotations(2)

    @property
    def ply_cap(self) -> int:
        return min(self.schedule.ply_cap or self.game.max_plies, self.game.max_plies)

    # ---------------------------------------------------------------- the loop
    def _step(self, first: Any, loop: tuple) -> tuple:
        clock, (lanes, taken, record), used = loop

        def run(function: Callable, *args: Any) -> Any:
            return stage(clock, lanewise_last(function), *args)

        used = used + self._active(lanes).sum(1)
        work = self.rules.visit(lanes.work, partial(self._value, clock, lanes), run)
        lanes = self._ask_windows(replace(lanes, work=work))
        ready = self._enough(lanes, self._live(lanes) & lanes.work.done, SHARE_DONE)
        return clock + 1, occasionally(ready, partial(self._move, first, clock), (lanes, taken, record)), used

    def _live(self, lanes: Lanes) -> jax.Array:
        return lanes.game < self.schedule.games

    def _active(self, lanes: Lanes) -> jax.Array:
        return self._live(lanes) & ~(lanes.work.done | lanes.work.waiting)

    def _enough(self, lanes: Lanes, ready: jax.Array, share: int) -> jax.Array:
        """Whether so many lanes are ready for what is done for all at once, or nothing else can be done."""
        return (ready.sum() * share >= self._live(lanes).sum()) | (jnp.any(ready) & ~jnp.any(self._active(lanes)))

    def _value(self, clock: jax.Array, lanes: Lanes, child: Node) -> jax.Array:
        """By the evaluation of the player whose search it is."""
        values = []
        for number, player in enumerate(self.players):
            same = [i for i in range(number) if _same(self.players[i].evaluation, player.evaluation)]
            ask = partial(self._ask, lambda evaluation, node: evaluation.value(node), player.evaluation)
            values.append(values[same[0]] if same else stage(clock, ask, child))
        return values[0] if all(value is values[0] for value in values) else pick(self._mover(lanes), values)

    def _ask(self, method: Callable, player: Any, *rows: Any) -> Any:
        """method(player, *row) in every lane; the leaves of `player` lead with blocks."""
        inner = jax.vmap(method, (None, *[-1] * len(rows)), -1)
        return jax.vmap(inner, (0, *[-2] * len(rows)), -2)(player, *rows)

    def _mover(self, lanes: Lanes) -> jax.Array:
        """The player whose search it is."""
        return pick(lanewise_last(self.game.to_move)(lanes.state), sitters(lanes.game, self.seatings))

    def _ask_windows(self, lanes: Lanes) -> Lanes:
        for number, player in enumerate(self.players):
            if player.window is not None:
                waiting = self._live(lanes) & lanes.work.waiting & (self._mover(lanes) == number)
                ask = partial(self._focus, player.window, waiting)
                asked = replace(lanes.work, memory=lanes.memory[number])
                work = occasionally(self._enough(lanes, waiting, SHARE_WAITING), ask, asked)
                memory = *lanes.memory[:number], work.memory, *lanes.memory[number + 1 :]
                lanes = replace(lanes, work=replace(work, memory=()), memory=memory)
        return lanes

    def _focus(self, window: Window, waiting: jax.Array, work: Work) -> Work:
        focused = self._ask(lambda window, work: self.rules.focus(work, window), window, work)
        return jax.tree.map(partial(jnp.where, waiting), focused, work)

    # ---------------------------------------------------------------- moves
    def _move(self, first: Any, clock: jax.Array, carry: tuple) -> tuple[Lanes, jax.Array, Record]:
        """Plays the moves of the searches that are done, records the games that are over, and begins the next searches;
        lanes whose game is over take the next one of their block's queue.
        """
        lanes, taken, record = carry
        due, mover = self._live(lanes) & lanes.work.done, self._mover(lanes)
        action = lanewise_last(self.rules.chosen)(lanes.work)
        after = stage(clock, lanewise_last(self.game.play), lanes.state, action)
        state = jax.tree.map(partial(jnp.where, due), after, lanes.state)
        ply = lanes.ply + due
        terminal, returns = lanewise_last(lambda s: (self.game.terminal(s), self.game.returns(s)))(state)
        over = due & (terminal | (ply >= self.ply_cap))
        new = lanes.work.counts, lanes.work.windows
        counts = tuple(
            jax.tree.map(lambda old, x, mine=due & (mover == i): old + jnp.where(mine, x, 0), total, new)
            for i, total in enumerate(lanes.counts)
        )
        record = self._record_move(record, lanes, due, action)
        lanes = replace(lanes, state=state, ply=ply, counts=counts)
        record = self._record_end(record, lanes, over, jnp.where(terminal, ply, -ply), returns)
        game = jnp.where(over, taken[:, None] + set_before(over), lanes.game)
        lanes = jax.tree.map(partial(jnp.where, over), self._start(first, game), replace(lanes, work=()))
        work = stage(clock, self._begin, lanes)
        work = jax.tree.map(partial(jnp.where, due), work, carry[0].work)
        return replace(lanes, work=work), taken + over.sum(1), record

    def _take(self, first: Any, game: jax.Array) -> Lanes:
        lanes = self._start(first, game)
        return replace(lanes, work=self._begin(lanes))

    def _start(self, first: Any, game: jax.Array) -> Lanes:
        """Lanes at the start of these games, without a search."""
        opening = openings.numbers(self.schedule, len(self.seatings), self.streams, game)
        state = jax.tree.map(lambda x: jnp.moveaxis(x, (0, 1), (-2, -1)), openings.starts(first, opening))
        ply = jnp.full_like(game, self.schedule.opening_plies)
        counts = (self._no_counts(jnp.zeros_like(game)),) * len(self.players)
        return Lanes(game, ply, state, (), tuple(self._memory(player, game) for player in self.players), counts)

    def _memory(self, player: Search, game: jax.Array) -> Any:
        """What a player's window remembers when a game begins."""
        if player.window is None:
            return ()
        memory = jax.vmap(lambda window: window.reset(), out_axes=-1)(player.window)
        return jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, game.shape[-1])), memory)

    def _no_counts(self, zero: jax.Array) -> tuple[Counts, Windows | tuple]:
        return Counts(zero, zero), Windows(*[zero] * 4) if self.rules.windowed else ()

    def _begin(self, lanes: Lanes) -> Work:
        """The search of the seat to move."""
        words = jax.vmap(jax.vmap(random_bits, (None, 0, 0)))(self.streams, lanes.game, lanes.ply)
        minds = [jax.vmap(lambda player: (player.effort, player.random))(player) for player in self.players]
        minds = [jax.tree.map(lambda x: jnp.broadcast_to(x[:, None], words.shape), mind) for mind in minds]

        def begin(state: core.State, effort: Effort, random: jax.Array, word: jax.Array) -> Work:
            node, moves = self.rules.tree.root(state)
            work = self.rules.begin(node, moves, effort, word)
            return self.rules.settled(work, moves, plays_anything(word, random))

        return lanewise_last(begin)(lanes.state, *pick(self._mover(lanes), minds), words)

    # ---------------------------------------------------------------- records
    def _blank_record(self) -> Record:
        shape = len(self.streams), self.schedule.games
        none = jnp.zeros((*shape, len(self.players)), jnp.int32)
        begun = partial(openings.begun_moves, self.schedule, len(self.seatings), self.streams)
        moves = begun(self.ply_cap) if self.schedule.record_moves else None
        return Record(jnp.zeros(shape, jnp.int32), none.astype(jnp.float32), self._no_counts(none), moves)

    def _record_move(self, record: Record, lanes: Lanes, due: jax.Array, action: jax.Array) -> Record:
        if record.moves is None:
            return record
        where = jnp.where(due, lanes.game, self.schedule.games)
        write = jax.vmap(lambda all_, at, ply, new: all_.at[at, ply].set(new, mode="drop"))
        return replace(record, moves=write(record.moves, where, lanes.ply, action.astype(record.moves.dtype)))

    def _record_end(
        self, record: Record, lanes: Lanes, over: jax.Array, plies: jax.Array, returns: jax.Array
    ) -> Record:
        """`returns`: by seat, which is their first axis."""
        where = jnp.where(over, lanes.game, self.schedule.games)
        write = jax.vmap(lambda all_, at, new: all_.at[at].set(new, mode="drop"))
        seated = sitters(lanes.game, self.seatings)
        of_players = by_player(seated, jnp.moveaxis(returns, 0, -1), len(self.players))
        counts = jax.tree.map(lambda *x: jnp.stack(x, -1), *lanes.counts)
        return Record(
            plies=write(record.plies, where, plies),
            returns=write(record.returns, where, of_players),
            counts=jax.tree.map(lambda all_, new: write(all_, where, new), record.counts, counts),
            moves=record.moves,
        )


def _same(evaluation: Any, other: Any) -> bool:
    """Whether nothing distinguishes two evaluations, at run time either."""
    return not jax.tree.leaves((evaluation, other)) and evaluation == other
