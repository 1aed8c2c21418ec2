"""Plays many games between searching players in one flat loop (docs/decisions/007-flat-search.md).

Searches differ in length by orders of magnitude. In every iteration each lane does one step of its own search, that is,
visits one position. A lane whose search is done visits the position after the move it has chosen, and that is how the
move is played; a lane whose game is over takes the next one of its block's queue.

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

from jaxgames import bitboard as bb
from jaxgames import core, openings
from jaxgames.arena import Results
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.lanes import choice, lanewise, pick, set_before
from jaxgames.players.searcher import Search, plays_anything
from jaxgames.randomness import random_word
from jaxgames.schedule import Schedule, Seating, rotations
from jaxgames.search import AlphaBeta
from jaxgames.staging import stage
from jaxgames.trees import Node
from jaxgames.work import Counts, Effort, Look, Work

ENOUGH = 4  # a window is asked when it is awaited by one lane in so many, or when nothing else is left to do


@flax.struct.dataclass
class SearchResults:
    games: Results
    counts: Counts  # Int[blocks games players] each


@flax.struct.dataclass
class Lanes:
    """Every leaf has leading axes [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    ply: Leaf
    seat: Leaf  # of the side to move in the tree
    work: Work
    counts: tuple  # one per player, of the game so far


@flax.struct.dataclass
class End:
    """How a lane's move left its game."""

    over: Leaf  # also if the ply cap broke it off
    finished: Leaf
    lead: Leaf  # Int[""], of seat 0: only its sign is meant


def play_searches(
    players: Sequence[Search], streams: jax.Array, schedule: Schedule, batched: bool = True
) -> SearchResults:
    """As `arena.play_games`. The players must share their game and its tree, and their order by class."""
    rules = common_rules(players)
    schedule.check(rules.tree.game, len(players))
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
        states = openings.states_after(self.game, self.schedule.openings)
        number = jnp.broadcast_to(jnp.arange(lanes), (blocks, lanes))
        start = (
            jnp.int32(0), self._take(states, number), jnp.full(blocks, lanes), self._blank_record(),
            jnp.zeros(blocks, jnp.int32),
        )  # fmt: skip
        clock, _, _, record, used = lax.while_loop(
            lambda carry: jnp.any(carry[1].game < self.schedule.games), partial(self._step, states), start
        )
        return self._results(record, used / (jnp.maximum(clock, 1) * lanes))

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
    def _step(self, states: Any, carry: tuple) -> tuple:
        clock, lanes, taken, record, used = carry
        live = lanes.game < self.schedule.games
        run = partial(self._run, clock)
        look = run(self._look, lanes.work)
        child = run(self.rules.tree.play, look.level.node, look.move)
        moves = run(self.rules.tree.moves, child)
        value = self._value(clock, lanes, child)
        end = stage(clock, self._end, lanes, look, child, moves)
        work = self.rules.update(lanes.work, look, (child, moves, value), run)
        after = stage(clock, self._go_on, lanes, work, look, child, moves)
        record = self._record_moves(record, lanes, live, look.move)
        used = used + (live & ~lanes.work.waiting).sum(1)
        over = live & end.over
        after, taken, record = lax.cond(
            jnp.any(over), partial(self._finish, states), lambda *carry: carry[:3], after, taken, record, over, end
        )
        return clock + 1, self._ask_windows(after), taken, record, used

    def _look(self, work: Work) -> Look:
        """What is visited next; once the search is done, the position after the move, which is how it is played."""
        look, (chosen, _) = self.rules.look(work), self.rules.chosen(work)
        return replace(look, move=bb.select(work.done, chosen, look.move))

    def _value(self, clock: jax.Array, lanes: Lanes, child: Node) -> jax.Array:
        """By the evaluation of the player whose search it is."""
        values = []
        for number, player in enumerate(self.players):
            same = [i for i in range(number) if _same(self.players[i].evaluation, player.evaluation)]
            ask = partial(self._ask, lambda evaluation, node: evaluation.value(node), player.evaluation)
            values.append(values[same[0]] if same else stage(clock, ask, child))
        return pick(self._mover(lanes), values)

    def _ask(self, method: Callable, player: Any, *rows: Any) -> Any:
        """method(player, *row) in every lane."""
        return jax.vmap(jax.vmap(method, (None, *[0] * len(rows))))(player, *rows)

    def _run(self, clock: jax.Array, function: Callable, *args: Any) -> Any:
        return stage(clock, lanewise(function), *args)

    def _end(self, lanes: Lanes, look: Look, child: Node, moves: bb.Board) -> End:
        """Whether a move that was played ends the game."""
        passed = ~lanewise(bb.any_set)(look.move)
        finished = lanewise(self.rules.tree.over)(child, moves, passed)
        lead = lanewise(self.rules.tree.lead)(child)
        over = lanes.work.done & (finished | (lanes.ply + ~passed >= self.ply_cap))
        return End(over, finished, jnp.where(lanes.seat == 1, lead, -lead))

    def _go_on(self, lanes: Lanes, work: Work, look: Look, child: Node, moves: bb.Board) -> Lanes:
        """The searches go on; moves that were chosen have been played, and the next player's search begins."""
        playing, mover = lanes.work.done, self._mover(lanes)
        counts = tuple(
            jax.tree.map(
                lambda total, new, mine=playing & (mover == player): total + jnp.where(mine, new, 0),
                lanes.counts[player],
                lanes.work.counts,
            )
            for player in range(len(self.players))
        )
        ply = lanes.ply + lanewise(bb.any_set)(look.move)
        began = self._begin(replace(lanes, ply=ply, seat=1 - lanes.seat, work=work), child, moves)
        return replace(choice(playing, began, replace(lanes, work=work)), counts=counts)

    def _begin(self, lanes: Lanes, node: Node, moves: bb.Board) -> Lanes:
        """The search of the seat to move begins, on the stack of the one before."""
        words = jax.vmap(jax.vmap(random_word, (None, 0, 0)))(self.streams, lanes.game, lanes.ply)
        mover, shape = self._mover(lanes), lanes.game.shape
        minds = [jax.vmap(lambda player: (player.effort, player.random))(player) for player in self.players]
        effort, random = pick(mover, jax.tree.map(lambda x: jnp.broadcast_to(x[:, None], shape), minds))

        def begin(work: Work, node: Node, moves: bb.Board, effort: Effort, word: jax.Array, random: jax.Array) -> Work:
            work = self.rules.restart(work, node, moves, effort, word)
            return self.rules.settled(work, moves, plays_anything(word, random))

        return replace(lanes, work=lanewise(begin)(lanes.work, node, moves, effort, words, random))

    def _ask_windows(self, lanes: Lanes) -> Lanes:
        """The windows that are awaited, a whole batch at a time."""
        for number, player in enumerate(self.players):
            if player.window is None:
                continue
            waiting = lanes.work.waiting & (lanes.game < self.schedule.games)
            asking = waiting & (self._mover(lanes) == number)
            idle = ~jnp.any((lanes.game < self.schedule.games) & ~waiting)
            focus = partial(self._ask, lambda window, work: self.rules.focus(work, window), player.window)
            work = lax.cond(
                jnp.any(asking) & (idle | (asking.sum() * ENOUGH >= asking.size)),
                lambda work, focus=focus, asking=asking: choice(asking, focus(work), work),
                lambda work: work,
                lanes.work,
            )
            lanes = replace(lanes, work=work)
        return lanes

    def _mover(self, lanes: Lanes) -> jax.Array:
        """The player whose search it is."""
        by_seat = [
            pick(lanes.game % len(self.seatings), [jnp.int32(seating[seat]) for seating in self.seatings])
            for seat in (0, 1)
        ]
        return pick(lanes.seat, by_seat)

    def _take(self, states: Any, number: jax.Array) -> Lanes:
        """Lanes at the start of the games with these ids."""
        opening = openings.numbers(self.schedule, len(self.seatings), self.streams, number)
        state = openings.starts(states, opening)
        node, moves = lanewise(self.rules.tree.root)(state)
        zero = jnp.zeros_like(number)
        effort = Effort(zero, zero, zero, zero > 0)
        blank = lanewise(self.rules.begin)(node, moves, effort, number.astype(jnp.uint32))
        ply = jnp.full_like(number, self.schedule.opening_plies)
        counts = tuple(jax.tree.map(jnp.zeros_like, blank.counts) for _ in self.players)
        seat = lanewise(self.game.to_move)(state)
        return self._begin(Lanes(number, ply, seat, blank, counts), node, moves)

    # ---------------------------------------------------------------- records
    def _blank_record(self) -> tuple[jax.Array, Any, jax.Array | None]:
        """(signed plies and lead of seat 0, counts, moves)."""
        shape, players = (len(self.streams), self.schedule.games), len(self.players)
        counts = Counts(*[jnp.zeros((*shape, players), jnp.int32)] * 6)
        moves = openings.begun_moves(self.schedule, len(self.seatings), self.streams, self.ply_cap)
        return jnp.zeros((*shape, 2), jnp.int32), counts, moves if self.schedule.record_moves else None

    def _record_moves(self, record: tuple, lanes: Lanes, live: jax.Array, move: bb.Board) -> tuple:
        outcomes, counts, moves = record
        if moves is None:
            return record
        played = live & lanes.work.done & lanewise(bb.any_set)(move)
        where = jnp.where(played, lanes.game, self.schedule.games)
        action = lanewise(partial(bb.index, columns=self.rules.tree.width))(move).astype(moves.dtype)
        write = jax.vmap(lambda all_, at, ply, new: all_.at[at, ply].set(new, mode="drop"))
        return outcomes, counts, write(moves, where, lanes.ply, action)

    def _finish(
        self, states: Any, lanes: Lanes, taken: jax.Array, record: tuple, over: jax.Array, end: End
    ) -> tuple[Lanes, jax.Array, tuple]:
        """Records the games that are over; their lanes take the next ones of their block's queue."""
        outcomes, counts, moves = record
        where = jnp.where(over, lanes.game, self.schedule.games)
        write = jax.vmap(lambda all_, at, new: all_.at[at].set(new, mode="drop"))
        signed = jnp.where(end.finished, lanes.ply, -lanes.ply)
        outcomes = write(outcomes, where, jnp.stack([signed, end.lead], -1))
        by_player = jax.tree.map(lambda *x: jnp.stack(x, -1), *lanes.counts)
        counts = jax.tree.map(lambda all_, new: write(all_, where, new), counts, by_player)
        number = taken[:, None] + set_before(over)
        lanes = choice(over, self._take(states, number), lanes)
        return lanes, taken + over.sum(1), (outcomes, counts, moves)

    def _results(self, record: tuple, busy: jax.Array) -> SearchResults:
        outcomes, counts, moves = record
        plies, finished = jnp.abs(outcomes[..., 0]), outcomes[..., 0] > 0
        lead = jnp.where(finished, jnp.sign(outcomes[..., 1]), 0).astype(jnp.float32)
        seating = jnp.arange(self.schedule.games) % len(self.seatings)
        sits = [[jnp.array([s[seat] == player for s in self.seatings])[seating] for seat in (0, 1)]
                for player in range(len(self.players))]  # fmt: skip
        returns = jnp.stack([lead * first - lead * second for first, second in sits], -1)
        return SearchResults(Results(returns, plies, finished, moves, busy), counts)


def _same(evaluation: Any, other: Any) -> bool:
    """Whether nothing distinguishes two evaluations, at run time either."""
    return not jax.tree.leaves((evaluation, other)) and evaluation == other
