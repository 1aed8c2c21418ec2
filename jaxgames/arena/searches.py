"""Plays many games between searching players in one flat loop (docs/decisions/007-flat-search.md).

Searches differ in length by orders of magnitude. In every iteration each lane does one step of its own search, that is,
visits one position. As soon as a quarter of the searches are done, their moves are played, and lanes whose game is over
take the next one of their block's queue.

Games, their streams of randomness and their results are those of `play_games` with the same players.
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
from jaxgames.arena.lanes import by_player, lanewise_last
from jaxgames.arena.queue import Queue, in_every_block, plies_and_finished, signed_plies
from jaxgames.arena.results import Results
from jaxgames.arena.schedule import Schedule
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.players.search import Search, plays_anything
from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.state import Counts, Effort, FilterCounts, MoveFilter, SearchState
from jaxgames.search.trees import Node
from jaxgames.xla import jit_by_class, occasionally, pick, stage

SHARE_DONE = 4  # moves are played once one search in 4 is done (decision 007)
SHARE_WAITING = 2  # move filters are asked once one search in 2 waits for that (decision 007)


@flax.struct.dataclass
class Lanes:
    """Blocks and lanes are the last axes of every leaf."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    ply: Leaf  # Int, number of plies played in the game
    state: Any  # of the game
    search: Any  # a SearchState; () before the first search begins
    memory: tuple  # per player: its move filter's; () where that remembers nothing
    counts: tuple  # per player (Counts, FilterCounts or ()), of the game so far


@flax.struct.dataclass
class Record:
    """What is known of the games that are over."""

    plies: Leaf  # Int[blocks games], signed
    returns: Leaf  # Float[blocks games players]
    counts: tuple  # (Counts, FilterCounts or ()), Int[blocks games players] each
    moves: Leaf  # Int16[blocks games plies], of all games, or None


def play_searches(players: Sequence[Search], streams: jax.Array, schedule: Schedule, batched: bool = True) -> Results:
    """As `play_games`, for players that search; results have `counts` and, if a player has a move filter,
    `filter_counts`. Players with equal evaluations ask them once (`alike.answer_alike`).

    Raises ValueError, also for players that do not share their game, its tree and `by_class`, and for a level out of
    range.
    """
    rules = common_rules(players)
    schedule.check(rules.tree.game, len(players))
    schedule.refuse("play_searches", "narrower")
    for player in players:
        player.check_level()
    if not batched:
        players = in_every_block(tuple(players), len(streams))
    return _play(rules, schedule, tuple(players), jnp.asarray(streams))


@jit_by_class(static_argnums=(0, 1))
def _play(rules: AlphaBeta, schedule: Schedule, players: tuple, streams: jax.Array) -> Results:
    def play(players: tuple, streams: jax.Array) -> Results:
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
        filtered=any(rules.filtered for rules in every),
        bound=max(rules.bound for rules in every),
    )


@dataclass(frozen=True, eq=False)
class SearchArena:
    """The loop of one device over its share of the blocks."""

    rules: AlphaBeta  # that all players share
    schedule: Schedule  # of every block
    players: tuple[Search, ...]  # leaves lead with [blocks]
    streams: jax.Array  # UInt32[blocks]

    def play(self) -> Results:
        """All games of the schedule in every block."""
        game, begun = self.queue.first(self.schedule.lanes)
        lanes, used = self._start(game), jnp.zeros(len(self.streams), jnp.int32)
        carry = replace(lanes, search=self._begin(lanes)), begun, self._blank_record()
        clock, (_, _, record), used = lax.while_loop(
            lambda loop: jnp.any(self.queue.live(loop[1][0].game)), self._step, (jnp.int32(0), carry, used)
        )
        counts, filter_counts = record.counts
        return Results(
            record.returns,
            *plies_and_finished(record.plies),
            record.moves,
            busy=used / jnp.maximum(clock * self.schedule.lanes, 1),
            counts=counts,
            filter_counts=filter_counts or None,
        )

    @property
    def game(self) -> core.Game:
        """The game that the rules search."""
        return self.rules.tree.game

    @cached_property
    def queue(self) -> Queue:
        """The games of every block."""
        longest = self.game.max_plies
        return Queue(self.game, self.schedule, self.streams, min(self.schedule.ply_cap or longest, longest))

    # ---------------------------------------------------------------- the loop
    def _step(self, loop: tuple) -> tuple:
        clock, (lanes, begun, record), used = loop

        def run(function: Callable, *args: Any) -> Any:
            return stage(clock, lanewise_last(function), *args)

        used = used + self._active(lanes).sum(1)
        search = self.rules.visit(lanes.search, partial(self._value, clock, lanes), run)
        lanes = self._ask_filters(replace(lanes, search=search))
        ready = self._enough(lanes, self._live(lanes) & lanes.search.done, SHARE_DONE)
        return clock + 1, occasionally(ready, partial(self._move, clock), (lanes, begun, record)), used

    def _live(self, lanes: Lanes) -> jax.Array:
        return self.queue.live(lanes.game)

    def _active(self, lanes: Lanes) -> jax.Array:
        return self._live(lanes) & ~(lanes.search.done | lanes.search.waiting)

    def _enough(self, lanes: Lanes, ready: jax.Array, share: int) -> jax.Array:
        """Whether one live lane in `share` is ready for what is done for all at once, or nothing else can be done."""
        return (ready.sum() * share >= self._live(lanes).sum()) | (jnp.any(ready) & ~jnp.any(self._active(lanes)))

    def _value(self, clock: jax.Array, lanes: Lanes, child: Node) -> jax.Array:
        """By the evaluation of the player whose search it is."""
        values = []
        for number, player in enumerate(self.players):
            same = [i for i in range(number) if answer_alike(self.players[i].evaluation, player.evaluation)]
            ask = partial(self._ask, lambda evaluation, node: evaluation.value(node), player.evaluation)
            values.append(values[same[0]] if same else stage(clock, ask, child))
        return values[0] if all(value is values[0] for value in values) else pick(self._mover(lanes), values)

    def _ask(self, method: Callable, player: Any, *rows: Any) -> Any:
        """method(player, *row) in every lane; the leaves of `player` lead with blocks."""
        inner = jax.vmap(method, (None, *[-1] * len(rows)), -1)
        return jax.vmap(inner, (0, *[-2] * len(rows)), -2)(player, *rows)

    def _mover(self, lanes: Lanes) -> jax.Array:
        """The player whose search it is."""
        return pick(lanewise_last(self.game.to_move)(lanes.state), self.queue.seated(lanes.game))

    def _ask_filters(self, lanes: Lanes) -> Lanes:
        for number, player in enumerate(self.players):
            if player.move_filter is not None:
                waiting = self._live(lanes) & lanes.search.waiting & (self._mover(lanes) == number)
                ask = partial(self._filter, player.move_filter, waiting)
                asked = replace(lanes.search, memory=lanes.memory[number])
                search = occasionally(self._enough(lanes, waiting, SHARE_WAITING), ask, asked)
                memory = *lanes.memory[:number], search.memory, *lanes.memory[number + 1 :]
                lanes = replace(lanes, search=replace(search, memory=()), memory=memory)
        return lanes

    def _filter(self, move_filter: MoveFilter, waiting: jax.Array, search: SearchState) -> SearchState:
        filtered = self._ask(lambda asked, search: self.rules.filter_moves(search, asked), move_filter, search)
        return jax.tree.map(partial(jnp.where, waiting), filtered, search)

    # ---------------------------------------------------------------- moves
    def _move(self, clock: jax.Array, carry: tuple) -> tuple[Lanes, jax.Array, Record]:
        """Plays the moves of the searches that are done, records the games that are over, and begins the next searches;
        lanes whose game is over take the next one of their block's queue.
        """
        lanes, begun, record = carry
        due, mover = self._live(lanes) & lanes.search.done, self._mover(lanes)
        action = lanewise_last(self.rules.chosen)(lanes.search)
        after = stage(clock, lanewise_last(self.game.play), lanes.state, action)
        state = jax.tree.map(partial(jnp.where, due), after, lanes.state)
        ply = lanes.ply + due
        terminal, returns = lanewise_last(lambda s: (self.game.terminal(s), self.game.returns(s)))(state)
        over = due & (terminal | (ply >= self.queue.ply_cap))
        new = lanes.search.counts, lanes.search.filter_counts
        counts = tuple(
            jax.tree.map(lambda old, x, mine=due & (mover == i): old + jnp.where(mine, x, 0), total, new)
            for i, total in enumerate(lanes.counts)
        )
        moves = self.queue.write(record.moves, due, action, lanes.game, lanes.ply)
        lanes = replace(lanes, state=state, ply=ply, counts=counts)
        record = self._record_end(replace(record, moves=moves), lanes, over, signed_plies(terminal, ply), returns)
        game, begun = self.queue.next(begun, over)
        lanes = jax.tree.map(partial(jnp.where, over), self._start(game), replace(lanes, search=()))
        search = stage(clock, self._begin, lanes)
        search = jax.tree.map(partial(jnp.where, due), search, carry[0].search)
        return replace(lanes, search=search), begun, record

    def _start(self, game: jax.Array) -> Lanes:
        """Lanes at the start of these games, Int[blocks lanes], without a search."""
        state = jax.tree.map(lambda x: jnp.moveaxis(x, (0, 1), (-2, -1)), self.queue.start(game))
        ply = jnp.full_like(game, self.schedule.opening_plies)
        counts = (self._no_counts(jnp.zeros_like(game)),) * len(self.players)
        return Lanes(game, ply, state, (), tuple(self._memory(player, game) for player in self.players), counts)

    def _memory(self, player: Search, game: jax.Array) -> Any:
        """What a player's move filter remembers when a game begins."""
        if player.move_filter is None:
            return ()
        memory = jax.vmap(lambda asked: asked.reset(), out_axes=-1)(player.move_filter)
        return jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, game.shape[-1])), memory)

    def _no_counts(self, zero: jax.Array) -> tuple[Counts, FilterCounts | tuple]:
        return Counts(zero, zero), FilterCounts(*[zero] * 4) if self.rules.filtered else ()

    def _begin(self, lanes: Lanes) -> SearchState:
        """The searches of the seats to move."""
        bits = self.queue.bits(lanes.game, lanes.ply)
        habits = [jax.vmap(lambda player: (player.effort, player.random))(player) for player in self.players]
        habits = [jax.tree.map(lambda x: jnp.broadcast_to(x[:, None], bits.shape), habit) for habit in habits]

        def begin(state: core.State, effort: Effort, random: jax.Array, bits: jax.Array) -> SearchState:
            node, moves = self.rules.tree.root(state)
            search = self.rules.begin(node, moves, effort, bits)
            return self.rules.decided(search, moves, plays_anything(bits, random))

        return lanewise_last(begin)(lanes.state, *pick(self._mover(lanes), habits), bits)

    # ---------------------------------------------------------------- records
    def _blank_record(self) -> Record:
        shape = len(self.streams), self.schedule.games
        none = jnp.zeros((*shape, len(self.players)), jnp.int32)
        blank = self._no_counts(none), self.queue.no_moves()
        return Record(jnp.zeros(shape, jnp.int32), none.astype(jnp.float32), *blank)

    def _record_end(
        self, record: Record, lanes: Lanes, over: jax.Array, plies: jax.Array, returns: jax.Array
    ) -> Record:
        """The record with the games that are over. `returns`: Float[seats blocks lanes]."""
        of_players = by_player(self.queue.seated(lanes.game), jnp.moveaxis(returns, 0, -1), len(self.players))
        counts = jax.tree.map(lambda *x: jnp.stack(x, -1), *lanes.counts)
        new = Record(plies, of_players, counts, None)
        return replace(self.queue.write(replace(record, moves=None), over, new, lanes.game), moves=record.moves)
