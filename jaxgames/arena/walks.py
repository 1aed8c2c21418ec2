"""Plays many games of a walkable game at once, such as backgammon, in one flat loop over afterstates.

In every iteration each lane rates one more afterstate of the play it is about to make. As soon as a few walks are done,
these lanes make the best play, the next seat rolls, and the next walks begin: no lane waits for another that has a
hundred plays to choose from. A lane whose game is over takes the next one of its block. As in `games`, all games of a
block are between the same players, and all randomness comes from (stream of the block, game id, ply): the dice are the
same whatever the players do.
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
from jaxgames.arena.lanes import by_player, lanewise
from jaxgames.arena.queue import Queue, in_every_block, plies_and_finished, signed_plies
from jaxgames.arena.raters import Crowded, Stacked, stacked
from jaxgames.arena.results import Results
from jaxgames.arena.schedule import Schedule
from jaxgames.core import Leaf
from jaxgames.core.faults import ranked, reports
from jaxgames.devices import over_devices
from jaxgames.randomness import mix
from jaxgames.xla import choice, jit_by_class, occasionally, pick, stage

SHARE_DONE = 8  # plays are made once one walk in 8 is done (decision 008)
PLY_CAP = 2000  # unless the schedule has one: two evolved players may never finish a game


@flax.struct.dataclass
class Best:
    """The best afterstate so far of the play to be made."""

    afterstate: Any
    value: Leaf  # Float
    priority: Leaf  # decides between equal values
    count: Leaf  # number of afterstates so far
    fault: Leaf  # Bool, whether a value was a fault; () if none of the players reports faults


@flax.struct.dataclass
class Lanes:
    """Every leaf has leading axes [blocks, lanes]."""

    game: Leaf  # id in the block's queue; beyond the last: idle
    ply: Leaf  # Int, number of plies played in the game
    seated: tuple  # per seat: the player who sits there
    state: Any  # rolled
    bits: Leaf  # random, of this ply
    cursor: Any  # of the walk of its plays
    contexts: Any  # what the raters have prepared
    best: Best  # of the afterstates so far
    considered: Leaf  # number of afterstates in this game before this ply
    faults: tuple  # by player, or of a crowd by seat: whether it made a fault in this game; () if nobody reports them


def play_walks(
    game: core.WalkableGame,
    players: Sequence[core.AfterstatePlayer],
    streams: jax.Array,
    schedule: Schedule,
    batched: bool = True,
) -> Results:
    """As `play_games`, for players that rate afterstates. Results say how many were `considered`, and if the schedule
    records moves, which `afterstates` were played.

    A game that reaches the ply cap, by default PLY_CAP, is truncated: `game.truncation_return` for every player.
    Players that answer alike (`alike.answer_alike`) rate once for all of them. Raises ValueError for a seat without a
    player and for a schedule with openings.
    """
    schedule.check(game, len(players))
    schedule.refuse("play_walks", "openings")
    stacks, raters = stacked(players, 1 if batched else 0)
    if not batched:
        stacks = in_every_block(stacks, len(streams))
    return _play(game, schedule, raters, stacks, jnp.asarray(streams))


def play_crowd(game: core.WalkableGame, crowd: core.Crowd, streams: jax.Array, schedule: Schedule) -> Results:
    """As `play_walks`, between the members of a crowd: the schedule's seatings say which of them meet.

    crowd: every leaf leads with [blocks].

    Results have `seat_returns`, Float[blocks games seats], and no `returns`, as few of a crowd's members are in a game:
    seat s of game g is member seatings[g modulo their number][s]. Raises ValueError for a schedule without seatings or
    with openings.
    """
    if schedule.seatings is None:
        raise ValueError("a crowd needs seatings, which say who of it meets")
    schedule.refuse("play_crowd", "openings")
    return _play(game, schedule, Crowded(), [crowd], jnp.asarray(streams))


@jit_by_class(static_argnums=(0, 1, 2))
def _play(
    game: core.WalkableGame, schedule: Schedule, raters: Stacked | Crowded, stacks: list, streams: jax.Array
) -> Results:
    def play(stacks: list, streams: jax.Array) -> Results:
        return WalkArena(game, schedule, raters.taken_apart(stacks), raters, streams).play()

    return over_devices(play)(stacks, streams)


@dataclass(frozen=True, eq=False)
class WalkArena:
    """The loop of one device over its share of the blocks; `stacks`: what the raters take."""

    game: core.WalkableGame  # that is played
    schedule: Schedule  # of every block
    stacks: tuple
    raters: Stacked | Crowded
    streams: jax.Array  # UInt32[blocks]

    def play(self) -> Results:
        """One loop after the other, each with fewer lanes than the one before, as `schedule.narrower` says."""
        blocks, widths = len(self.streams), (self.schedule.lanes, *self.schedule.narrower)
        clock, nothing, (game, begun) = jnp.int32(0), jnp.zeros(blocks, jnp.int32), self.queue.first(widths[0])
        record = jnp.zeros((blocks, self.schedule.games, 2 + self.columns * (1 + self.reporting)))
        lanes, offered = self._begin(clock, game), jnp.float32(0)
        carry: Any = (clock, lanes, begun, record, nothing, self._no_afterstates(lanes))
        for width, fewer in zip(widths, (*widths[1:], 0), strict=True):
            before, lanes, *rest = carry
            carry = before, self._narrowed(lanes, width), *rest
            carry = lax.while_loop(
                lambda c, fewer=fewer: self.queue.live(c[1].game).sum(1).max() > fewer, self._iteration, carry
            )
            offered += (carry[0] - before) * width
        *_, record, played, afterstates = carry
        signed, considered, returns = (
            record[..., 0],
            record[..., 1].astype(jnp.int32),
            record[..., 2 : 2 + self.columns],
        )
        of_players, of_seats = (returns, None) if isinstance(self.raters, Stacked) else (None, returns)
        ends, busy = plies_and_finished(signed), played / jnp.maximum(offered, 1)
        faults = record[..., 2 + self.columns :] > 0 if self.reporting else None
        about = {"seat_returns": of_seats, "considered": considered, "afterstates": afterstates, "faults": faults}
        return Results(of_players, *ends, None, busy, **about)

    @property
    def columns(self) -> int:
        """Number of returns that are recorded of a game: by player, or of a crowd by seat."""
        return self.raters.players if isinstance(self.raters, Stacked) else self.game.num_seats

    @property
    def reporting(self) -> bool:
        """Whether any of the players reports faults."""
        return any(reports(stack) for stack in self.stacks)

    @cached_property
    def queue(self) -> Queue:
        """The games of every block."""
        return Queue(self.game, self.schedule, self.streams, self.schedule.ply_cap or PLY_CAP)

    # ---------------------------------------------------------------- the loop
    def _iteration(self, carry: tuple) -> tuple:
        clock, lanes, begun, record, played, kept = carry
        live = self.queue.live(lanes.game)
        played = played + (live & ~self._done(lanes)).sum(1)
        lanes = self._consider(clock, lanes)
        done, games = (live & self._done(lanes)).sum(), live.sum()
        ready = (done * SHARE_DONE >= games) | (done == games)
        lanes, begun, record, kept = occasionally(ready, partial(self._move, clock), (lanes, begun, record, kept))
        return clock + 1, lanes, begun, record, played, kept

    def _done(self, lanes: Lanes) -> jax.Array:
        return lanewise(self.game.done)(lanes.cursor)

    def _consider(self, clock: jax.Array, lanes: Lanes) -> Lanes:
        """Every lane rates one more afterstate, if its walk has come to one."""
        step = lanewise(self.game.begin_step)(lanes.state, lanes.cursor)
        for part in self.game.step_parts:
            step = replace(step, **stage(clock, lanewise(part), lanes.state, step))
        seat = lanewise(self.game.to_move)(lanes.state)
        mover = pick(seat, lanes.seated)
        bits = mix(lanes.bits + lanes.best.count.astype(jnp.uint32))
        rows = lanes.contexts, bits, seat, step.afterstate
        value, priority = stage(clock, self.raters.rate, self.stacks, mover, *rows)
        if not self.reporting:
            return replace(lanes, cursor=step.cursor, best=_better(lanes.best, step, value, priority))
        value, fault = ranked(value)
        best = _better(lanes.best, step, value, priority)
        return replace(lanes, cursor=step.cursor, best=replace(best, fault=best.fault | step.valid & fault))

    def _move(self, clock: jax.Array, carry: tuple) -> tuple:
        """Makes the plays of all walks that are done and records the games that are over; lanes whose game is over take
        the next one of their block's queue.
        """
        lanes, begun, record, kept = carry
        due = self.queue.live(lanes.game) & self._done(lanes)
        kept = self.queue.write(kept, due, lanes.best.afterstate, lanes.game, lanes.ply)
        lanes, over, row = self._play(clock, lanes, due)
        record = self.queue.write(record, over, row, lanes.game)
        following, begun = self.queue.next(begun, over)
        game = jnp.where(over, following, lanes.game)
        lanes = replace(
            lanes,
            game=game,
            ply=jnp.where(over, 0, lanes.ply),
            considered=jnp.where(over, 0, lanes.considered),
            faults=tuple(fault & ~over for fault in lanes.faults),
            seated=self.queue.seated(game),
            state=choice(over, self.queue.start(game), lanes.state),
        )
        return self._roll(clock, lanes, due), begun, record, kept

    def _play(self, clock: jax.Array, lanes: Lanes, due: jax.Array) -> tuple[Lanes, jax.Array, jax.Array]:
        """(lanes after the plays of those that are due, which games are over, what is to be recorded of them)."""

        def play(state: Any, afterstate: Any) -> tuple:
            after = self.game.play(state, afterstate)
            return after, self.game.terminal(after), self.game.returns(after)

        after, ends, returns = stage(clock, lanewise(play), lanes.state, lanes.best.afterstate)
        ply, considered = lanes.ply + due, lanes.considered + jnp.where(due, lanes.best.count, 0)
        over = due & (ends | (ply >= self.queue.ply_cap))
        returns = jnp.where(ends[..., None], returns, self.game.truncation_return)
        if isinstance(self.raters, Stacked):
            returns = by_player(lanes.seated, returns, self.columns)
        faults = self._faults(lanes, due)
        columns = jnp.stack([signed_plies(ends, ply), considered], -1), returns, *(x[..., None] for x in faults)
        row = jnp.concatenate([x.astype(jnp.float32) for x in columns], -1)
        state = choice(due, after, lanes.state)
        return replace(lanes, state=state, ply=ply, considered=considered, faults=faults), over, row

    def _faults(self, lanes: Lanes, due: jax.Array) -> tuple[jax.Array, ...]:
        """`lanes.faults` after the plays of the lanes that are due."""
        if not self.reporting:
            return ()
        seat = lanewise(self.game.to_move)(lanes.state)
        who = pick(seat, lanes.seated) if isinstance(self.raters, Stacked) else seat
        return tuple(fault | due & lanes.best.fault & (who == column) for column, fault in enumerate(lanes.faults))

    def _roll(self, clock: jax.Array, lanes: Lanes, due: jax.Array) -> Lanes:
        """The lanes that are due roll, and their walks begin."""
        bits = self.queue.bits(lanes.game, lanes.ply)

        def roll(state: Any, bits: jax.Array) -> tuple:
            rolled = self.game.resolve(state, self.game.draw_outcome(state, mix(~bits)))
            return rolled, self.game.first(rolled)

        state, cursor = stage(clock, lanewise(roll), lanes.state, bits)
        fault = jnp.zeros_like(lanes.best.fault) if self.reporting else ()
        best = replace(lanes.best, count=jnp.zeros_like(lanes.best.count), fault=fault)
        contexts = stage(clock, self.raters.prepare, self.stacks, state)
        rolled = replace(lanes, state=state, bits=bits, cursor=cursor, contexts=contexts, best=best)
        return choice(due, rolled, lanes)

    # ---------------------------------------------------------------- lanes
    def _begin(self, clock: jax.Array, game: jax.Array) -> Lanes:
        """Lanes at the first plies of these games, Int[blocks lanes]."""
        state, zero, bits = self.queue.start(game), jnp.zeros_like(game), jnp.zeros(game.shape, jnp.uint32)
        none = jnp.zeros(game.shape, bool)
        afterstate = _blank(lambda state: lanewise(self.game.next)(state, lanewise(self.game.first)(state))[1], state)
        lanes = Lanes(
            game=game,
            ply=zero,
            seated=self.queue.seated(game),
            state=state,
            bits=bits,
            cursor=_blank(lanewise(self.game.first), state),
            contexts=_blank(self.raters.prepare, self.stacks, state),
            best=Best(afterstate, jnp.zeros(game.shape), bits, zero, none if self.reporting else ()),
            considered=zero,
            faults=(none,) * self.columns if self.reporting else (),
        )
        return self._roll(clock, lanes, jnp.ones(game.shape, bool))

    def _no_afterstates(self, lanes: Lanes) -> Any:
        """The blank record of the plays of all games; None if they are not recorded."""
        if not self.schedule.record_moves:
            return None
        shape = len(self.streams), self.schedule.games, self.queue.ply_cap
        return jax.tree.map(lambda x: jnp.zeros((*shape, *x.shape[2:]), x.dtype), lanes.best.afterstate)

    def _narrowed(self, lanes: Lanes, width: int) -> Lanes:
        """`width` of the lanes, first of all those that have a game."""
        if width == lanes.game.shape[1]:
            return lanes
        order = jnp.argsort(~self.queue.live(lanes.game), axis=1, stable=True)[:, :width]
        return jax.tree.map(lambda x: jax.vmap(lambda row, at: row[at])(x, order), lanes)


def _better(old: Best, step: Any, value: jax.Array, priority: jax.Array) -> Best:
    """The new afterstate where it is the first or its value is larger; of equal ones that with the larger priority."""
    larger = (value > old.value) | ((value == old.value) & (priority > old.priority))
    new = Best(step.afterstate, value, priority, old.count, old.fault)
    best = choice(step.valid & (larger | (old.count == 0)), new, old)
    return replace(best, count=old.count + step.valid)


def _blank(function: Callable, *args: Any) -> Any:
    """Zeros of the shape of function(*args)."""
    return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), jax.eval_shape(function, *args))
