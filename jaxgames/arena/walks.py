"""Plays many games of a walkable game at once, such as backgammon, in one flat loop over afterstates.

In every iteration each lane looks at one more afterstate of the play it is about to make. As soon as a few walks are
done, these lanes play the best one, the other seat rolls, and the next walks begin, so that no lane waits for another
that has a hundred plays to choose from; a lane whose game is over takes the next one of its block. As in
`arena`, all games of a block are between the same players, and all randomness comes from (stream of the block, game id,
ply): the dice are the same whatever the players do.
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
from jaxgames.arena.lanes import by_player, lanewise, set_before, sitters
from jaxgames.arena.raters import Crowded, Stacked, stacked
from jaxgames.arena.schedule import Schedule, Seating, rotations
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.randomness import mix, random_bits
from jaxgames.xla import choice, occasionally, pick, stage

SHARE_DONE = 8  # plays are made once one lane in so many is done
PLY_CAP = 2000  # unless the schedule has one: two evolved players may never finish a game


@flax.struct.dataclass
class WalkResults:
    """Arrays with leading axes [blocks, games]."""

    returns: Leaf  # Float[blocks games players], by player, whatever the seat
    plies: Leaf  # Int[blocks games]
    finished: Leaf  # Bool[blocks games], False where the ply cap broke the game off
    considered: Leaf  # Int[blocks games], afterstates that the players looked at
    busy: Leaf  # Float[blocks], share of a block's lane-iterations in which a walk went on
    afterstates: Any = None  # [blocks games plies ...], if the schedule records moves; zeros beyond the end

    @property
    def winner(self) -> jax.Array:
        """Int[blocks games]: the player with the largest return, −1 for none."""
        return core.winner(self.returns)


@flax.struct.dataclass
class Thought:
    """The best afterstate so far of a play to be made, and how many there have been."""

    afterstate: Any
    value: Leaf
    priority: Leaf  # decides between equal values
    count: Leaf


@flax.struct.dataclass
class Lanes:
    """Every leaf has leading axes [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    ply: Leaf
    sitters: tuple  # per seat: the player who sits there
    state: Any
    word: Leaf  # of this ply
    cursor: Any
    contexts: Any  # what the raters have prepared
    thought: Thought
    considered: Leaf  # in this game, before this ply


def play_walks(
    game: core.WalkableGame,
    players: Sequence[core.AfterstatePlayer],
    streams: jax.Array,
    schedule: Schedule,
    batched: bool = True,
) -> WalkResults:
    """Plays `schedule` in every block, the blocks shared out over all devices; see `arena.play_games`.

    A game that reaches the ply cap, PLY_CAP by default, is broken off: it counts `game.unfinished` for every player.
    Of recorded moves the afterstates are kept.
    """
    schedule.check(game, len(players))
    kinds, raters = stacked(players, 1 if batched else 0)
    if not batched:
        kinds = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(streams), *jnp.shape(x))), kinds)
    return _play(game, schedule, raters, core.kind(kinds), kinds, jnp.asarray(streams))


def play_crowd(game: core.WalkableGame, crowd: core.Crowd, streams: jax.Array, schedule: Schedule) -> WalkResults:
    """Plays `schedule` in every block, whose seatings say which members of the crowd meet; every leaf of `crowd` leads
    with [blocks]. Returns are by seat, not by player.
    """
    if schedule.seatings is None:
        raise ValueError("a crowd needs seatings, which say who of it meets")
    return _play(game, schedule, Crowded(), core.kind([crowd]), [crowd], jnp.asarray(streams))


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _play(
    game: core.WalkableGame, schedule: Schedule, raters: Stacked | Crowded, kind: str, kinds: list, streams: jax.Array
) -> WalkResults:
    def play(kinds: list, streams: jax.Array) -> WalkResults:
        return WalkArena(game, schedule, raters.taken_apart(kinds), raters, streams).play()

    return over_devices(play)(kinds, streams)


@dataclass(frozen=True, eq=False)
class WalkArena:
    """The loop of one device over its share of the blocks; `kinds`: what the raters take."""

    game: core.WalkableGame
    schedule: Schedule
    kinds: tuple
    raters: Stacked | Crowded
    streams: jax.Array

    def play(self) -> WalkResults:
        """One loop after the other, each with fewer lanes, once no more games than that go on."""
        blocks, widths = len(self.streams), (self.schedule.lanes, *self.schedule.narrower)
        numbers = jnp.broadcast_to(jnp.arange(widths[0]), (blocks, widths[0]))
        clock, nothing = jnp.int32(0), jnp.zeros(blocks, jnp.int32)
        record = jnp.zeros((blocks, self.schedule.games, 2 + self.players))
        lanes, offered = self._begin(clock, numbers), jnp.float32(0)
        carry: Any = (clock, lanes, nothing + widths[0], record, nothing, self._nothing_kept(lanes))
        for width, fewer in zip(widths, (*widths[1:], 0), strict=True):
            before, lanes, *rest = carry
            carry = before, self._narrowed(lanes, width), *rest
            carry = lax.while_loop(lambda c, fewer=fewer: self._live(c[1]).sum(1).max() > fewer, self._iteration, carry)
            offered += (carry[0] - before) * width
        *_, record, played, kept = carry
        return WalkResults(
            returns=record[..., 2:],
            plies=jnp.abs(record[..., 0]).astype(jnp.int32),
            finished=record[..., 0] > 0,
            considered=record[..., 1].astype(jnp.int32),
            busy=played / jnp.maximum(offered, 1),
            afterstates=kept,
        )

    @property
    def players(self) -> int:
        """Whose returns are kept."""
        return self.raters.players if isinstance(self.raters, Stacked) else self.game.num_seats

    @property
    def seatings(self) -> tuple[Seating, ...]:
        return self.schedule.seatings or rotations(self.game.num_seats)

    # ---------------------------------------------------------------- the loop
    def _iteration(self, carry: tuple) -> tuple:
        clock, lanes, taken, record, played, kept = carry
        live = self._live(lanes)
        played = played + (live & ~self._done(lanes)).sum(1)
        lanes = self._consider(clock, lanes)
        done, games = (live & self._done(lanes)).sum(), live.sum()
        ready = (done * SHARE_DONE >= games) | (done == games)
        lanes, taken, record, kept = occasionally(ready, partial(self._move, clock), (lanes, taken, record, kept))
        return clock + 1, lanes, taken, record, played, kept

    def _done(self, lanes: Lanes) -> jax.Array:
        return lanewise(self.game.done)(lanes.cursor)

    def _consider(self, clock: jax.Array, lanes: Lanes) -> Lanes:
        """Every lane looks at one more afterstate, if the walk comes to one."""
        look = lanewise(self.game.look)(lanes.state, lanes.cursor)
        for part in self.game.parts:
            look = replace(look, **stage(clock, lanewise(part), lanes.state, look))
        seat = lanewise(self.game.to_move)(lanes.state)
        mover = pick(seat, lanes.sitters)
        words = mix(lanes.word + lanes.thought.count.astype(jnp.uint32))
        rows = lanes.contexts, words, seat, look.afterstate
        value, priority = stage(clock, self.raters.rate, self.kinds, mover, *rows)
        return replace(lanes, cursor=look.cursor, thought=_better(lanes.thought, look, value, priority))

    def _move(self, clock: jax.Array, carry: tuple) -> tuple:
        """The plays of all walks that are done."""
        lanes, taken, record, kept = carry
        due = self._live(lanes) & self._done(lanes)
        kept = self._keep(kept, lanes, due)
        lanes, over, row = self._play(clock, lanes, due)
        record, lanes, taken = self._next_game(record, lanes, over, row, taken)
        return self._roll(clock, lanes, due), taken, record, kept

    def _play(self, clock: jax.Array, lanes: Lanes, due: jax.Array) -> tuple[Lanes, jax.Array, jax.Array]:
        """The lanes that are due make their plays. Also which games are over, and what is to be recorded of them."""

        def play(state: Any, afterstate: Any) -> tuple:
            after = self.game.play(state, afterstate)
            return after, self.game.terminal(after), self.game.returns(after)

        after, ends, returns = stage(clock, lanewise(play), lanes.state, lanes.thought.afterstate)
        ply, considered = lanes.ply + due, lanes.considered + jnp.where(due, lanes.thought.count, 0)
        over = due & (ends | (ply >= self._cap))
        returns = jnp.where(ends[..., None], returns, self.game.unfinished)
        if isinstance(self.raters, Stacked):
            returns = by_player(lanes.sitters, returns, self.players)
        signed = jnp.where(ends, ply, -ply)
        row = jnp.concatenate([jnp.stack([signed, considered], -1).astype(jnp.float32), returns], -1)
        state = choice(due, after, lanes.state)
        return replace(lanes, state=state, ply=ply, considered=considered), over, row

    @property
    def _cap(self) -> int:
        return self.schedule.ply_cap or PLY_CAP

    def _nothing_kept(self, lanes: Lanes) -> Any:
        if not self.schedule.record_moves:
            return None
        shape = len(self.streams), self.schedule.games, self._cap
        return jax.tree.map(lambda x: jnp.zeros((*shape, *x.shape[2:]), x.dtype), lanes.thought.afterstate)

    def _keep(self, kept: Any, lanes: Lanes, due: jax.Array) -> Any:
        """Writes down the plays of the lanes that are due."""
        if kept is None:
            return None
        where = jnp.where(due, lanes.game, self.schedule.games)
        put = jax.vmap(lambda all_, game, ply, new: all_.at[game, ply].set(new, mode="drop"))
        return jax.tree.map(lambda all_, new: put(all_, where, lanes.ply, new), kept, lanes.thought.afterstate)

    def _next_game(
        self, record: jax.Array, lanes: Lanes, over: jax.Array, row: jax.Array, taken: jax.Array
    ) -> tuple[jax.Array, Lanes, jax.Array]:
        """Writes down what is over, and its lanes take the next games of their blocks' queues."""
        where = jnp.where(over, lanes.game, self.schedule.games)
        record = jax.vmap(lambda all_, at, new: all_.at[at].set(new, mode="drop"))(record, where, row)
        number = jnp.where(over, taken[:, None] + set_before(over), lanes.game)
        lanes = replace(
            lanes,
            game=number,
            ply=jnp.where(over, 0, lanes.ply),
            considered=jnp.where(over, 0, lanes.considered),
            sitters=sitters(number, self.seatings),
            state=choice(over, self._start(number), lanes.state),
        )
        return record, lanes, taken + over.sum(1)

    def _roll(self, clock: jax.Array, lanes: Lanes, due: jax.Array) -> Lanes:
        """The lanes that are due roll, and their walks begin."""
        word = jax.vmap(jax.vmap(random_bits, (None, 0, 0)))(self.streams, lanes.game, lanes.ply)

        def roll(state: Any, word: jax.Array) -> tuple:
            rolled = self.game.resolve(state, self.game.draw_outcome(state, mix(~word)))
            return rolled, self.game.first(rolled)

        state, cursor = stage(clock, lanewise(roll), lanes.state, word)
        thought = replace(lanes.thought, count=jnp.zeros_like(lanes.thought.count))
        contexts = stage(clock, self.raters.prepare, self.kinds, state)
        begun = replace(lanes, state=state, word=word, cursor=cursor, contexts=contexts, thought=thought)
        return choice(due, begun, lanes)

    # ---------------------------------------------------------------- lanes
    def _begin(self, clock: jax.Array, number: jax.Array) -> Lanes:
        """Lanes at the first plies of the games with these ids."""
        state, zero, word = self._start(number), jnp.zeros_like(number), jnp.zeros(number.shape, jnp.uint32)
        afterstate = _blank(lambda state: lanewise(self.game.next)(state, lanewise(self.game.first)(state))[1], state)
        lanes = Lanes(
            game=number,
            ply=zero,
            sitters=sitters(number, self.seatings),
            state=state,
            word=word,
            cursor=_blank(lanewise(self.game.first), state),
            contexts=_blank(self.raters.prepare, self.kinds, state),
            thought=Thought(afterstate, jnp.zeros(number.shape), word, zero),
            considered=zero,
        )
        return self._roll(clock, lanes, jnp.ones(number.shape, bool))

    def _live(self, lanes: Lanes) -> jax.Array:
        return lanes.game < self.schedule.games

    def _narrowed(self, lanes: Lanes, width: int) -> Lanes:
        """As many lanes, those in which games go on before all others."""
        if width == lanes.game.shape[1]:
            return lanes
        order = jnp.argsort(~self._live(lanes), axis=1, stable=True)[:, :width]
        return jax.tree.map(lambda x: jax.vmap(lambda row, at: row[at])(x, order), lanes)

    def _start(self, number: jax.Array) -> Any:
        return jax.tree.map(lambda x: jnp.broadcast_to(x, (*number.shape, *jnp.shape(x))), self.game.start())


def _better(old: Thought, look: Any, value: jax.Array, priority: jax.Array) -> Thought:
    """The new afterstate where it is the first or its value is larger; of equal ones that with the larger priority."""
    larger = (value > old.value) | ((value == old.value) & (priority > old.priority))
    new = Thought(look.afterstate, value, priority, old.count)
    best = choice(look.valid & (larger | (old.count == 0)), new, old)
    return replace(best, count=old.count + look.valid)


def _blank(function: Callable, *args: Any) -> Any:
    """Zeros of the shape of function(*args)."""
    return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), jax.eval_shape(function, *args))
