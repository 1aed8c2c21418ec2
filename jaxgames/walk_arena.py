"""Plays many games of a walkable game at once, such as backgammon, in one flat loop over afterstates.

In every iteration each lane looks at one more afterstate of the play it is about to make. A lane whose walk is done
plays the best one, the other seat rolls, and its walk begins, all in the same iteration, so that no lane waits for
another that has a hundred plays to choose from; a lane whose game is over takes the next one of its block. As in
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
from jaxgames.core import Leaf
from jaxgames.devices import over_devices
from jaxgames.lanes import by_player, choice, lanewise, pick, set_before, sitters
from jaxgames.randomness import mix, random_word
from jaxgames.schedule import Schedule, Seating, rotations
from jaxgames.staging import stage

PLY_CAP = 2000  # unless the schedule has one: two evolved players may never finish a game


@flax.struct.dataclass
class WalkResults:
    """Arrays with leading axes [blocks, games]."""

    returns: Leaf  # Float[blocks games players], by player, whatever the seat
    plies: Leaf  # Int[blocks games]
    finished: Leaf  # Bool[blocks games], False where the ply cap broke the game off
    considered: Leaf  # Int[blocks games], afterstates that the players looked at
    busy: Leaf  # Float[blocks], share of a block's lane-iterations in which a game went on

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
    contexts: tuple  # one per kind of player
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
    """
    schedule.check(game, len(players))
    if schedule.record_moves:
        raise ValueError("moves are not recorded in games that are walked")
    kinds, places = _kinds(players, 1 if batched else 0)
    if not batched:
        kinds = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(streams), *jnp.shape(x))), kinds)
    return _play(game, schedule, places, core.kind(kinds), kinds, jnp.asarray(streams))


def _kinds(players: Sequence[core.AfterstatePlayer], axis: int) -> tuple[list, tuple[int, ...]]:
    """Players that differ in nothing but their leaves' values are stacked, for they rate together; and the place of
    each player in the list of all that are stacked.
    """
    distinct: list = []
    for player in players:
        if not any(_same(player, other) for other in distinct):
            distinct.append(player)
    kinds: dict[Any, list] = {}
    for player in distinct:
        kinds.setdefault((core.kind(player), *map(jnp.shape, jax.tree.leaves(player))), []).append(player)
    listed = [player for alike in kinds.values() for player in alike]
    places = tuple(next(i for i, other in enumerate(listed) if _same(player, other)) for player in players)
    return [jax.tree.map(lambda *x: jnp.stack(x, axis), *alike) for alike in kinds.values()], places


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _play(
    game: core.WalkableGame, schedule: Schedule, places: tuple, kind: str, kinds: list, streams: jax.Array
) -> WalkResults:
    def play(kinds: list, streams: jax.Array) -> WalkResults:
        return WalkArena(game, schedule, tuple(kinds), places, streams).play()

    return over_devices(play)(kinds, streams)


@dataclass(frozen=True, eq=False)
class WalkArena:
    """The loop of one device over its share of the blocks.

    Leaves of `kinds` lead with [blocks, players of the kind]; player i is number places[i] of all of them.
    """

    game: core.WalkableGame
    schedule: Schedule
    kinds: tuple
    places: tuple[int, ...]
    streams: jax.Array

    def play(self) -> WalkResults:
        blocks, lanes = len(self.streams), self.schedule.lanes
        numbers = jnp.broadcast_to(jnp.arange(lanes), (blocks, lanes))
        clock = jnp.int32(0)
        record = jnp.zeros((blocks, self.schedule.games, 2 + len(self.places)))
        start = clock, self._begin(clock, numbers), jnp.full(blocks, lanes), record, jnp.zeros(blocks, jnp.int32)
        clock, _, _, record, played = lax.while_loop(
            lambda carry: jnp.any(carry[1].game < self.schedule.games), self._iteration, start
        )
        return WalkResults(
            returns=record[..., 2:],
            plies=jnp.abs(record[..., 0]).astype(jnp.int32),
            finished=record[..., 0] > 0,
            considered=record[..., 1].astype(jnp.int32),
            busy=played / (jnp.maximum(clock, 1) * lanes),
        )

    @property
    def seatings(self) -> tuple[Seating, ...]:
        return self.schedule.seatings or rotations(self.game.num_seats)

    # ---------------------------------------------------------------- the loop
    def _iteration(self, carry: tuple) -> tuple:
        clock, lanes, taken, record, played = carry
        live = lanes.game < self.schedule.games
        lanes = self._consider(clock, lanes)
        due = live & lanewise(self.game.done)(lanes.cursor)
        lanes, over, row = self._play(clock, lanes, due)
        record, lanes, taken = self._next_game(record, lanes, over, row, taken)
        return clock + 1, self._roll(clock, lanes, due), taken, record, played + live.sum(1)

    def _consider(self, clock: jax.Array, lanes: Lanes) -> Lanes:
        """Every lane looks at one more afterstate, if the walk comes to one."""
        look = lanewise(self.game.look)(lanes.state, lanes.cursor)
        for part in self.game.parts:
            look = replace(look, **stage(clock, lanewise(part), lanes.state, look))
        seat = lanewise(self.game.to_move)(lanes.state)
        mover = pick(seat, lanes.sitters)
        words = mix(lanes.word + lanes.thought.count.astype(jnp.uint32))
        rows = lanes.contexts, words, seat, look.afterstate
        value, priority = stage(clock, jax.vmap(self._rate), self.kinds, mover, *rows)
        return replace(lanes, cursor=look.cursor, thought=_better(lanes.thought, look, value, priority))

    def _rate(self, kinds: tuple, mover: jax.Array, contexts: tuple, *rows: Any) -> tuple[jax.Array, jax.Array]:
        """How the players who move rate the afterstates in a block's lanes. All players rate all of them, and what they
        see of them is computed once.
        """

        def rate(player: Any, context: Any, *row: Any) -> tuple[jax.Array, jax.Array]:
            return player.rate(*row, context)

        rated = []
        for players, context in zip(kinds, contexts, strict=True):
            each_lane = jax.vmap(rate, (None, 0, *[0] * len(rows)))
            each_player = jax.vmap(each_lane, (0, 1, *[None] * len(rows)), axis_size=_number(players))
            value, priority = each_player(players, context, *rows)
            rated += zip(value, priority, strict=True)
        return pick(mover, [rated[place] for place in self.places])

    def _play(self, clock: jax.Array, lanes: Lanes, due: jax.Array) -> tuple[Lanes, jax.Array, jax.Array]:
        """The lanes that are due make their plays. Also which games are over, and what is to be recorded of them."""

        def play(state: Any, afterstate: Any) -> tuple:
            after = self.game.play(state, afterstate)
            return after, self.game.terminal(after), self.game.returns(after)

        after, ends, returns = stage(clock, lanewise(play), lanes.state, lanes.thought.afterstate)
        ply, considered = lanes.ply + due, lanes.considered + jnp.where(due, lanes.thought.count, 0)
        over = due & (ends | (ply >= (self.schedule.ply_cap or PLY_CAP)))
        returns = by_player(lanes.sitters, jnp.where(ends[..., None], returns, self.game.unfinished), len(self.places))
        signed = jnp.where(ends, ply, -ply)
        row = jnp.concatenate([jnp.stack([signed, considered], -1).astype(jnp.float32), returns], -1)
        state = choice(due, after, lanes.state)
        return replace(lanes, state=state, ply=ply, considered=considered), over, row

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
        word = jax.vmap(jax.vmap(random_word, (None, 0, 0)))(self.streams, lanes.game, lanes.ply)

        def roll(state: Any, word: jax.Array) -> tuple:
            rolled = self.game.resolve(state, self.game.draw_outcome(state, mix(~word)))
            return rolled, self.game.first(rolled)

        state, cursor = stage(clock, lanewise(roll), lanes.state, word)
        thought = replace(lanes.thought, count=jnp.zeros_like(lanes.thought.count))
        contexts = stage(clock, self._contexts, state)
        begun = replace(lanes, state=state, word=word, cursor=cursor, contexts=contexts, thought=thought)
        return choice(due, begun, lanes)

    def _contexts(self, state: Any) -> tuple:
        """Per kind, [blocks, lanes, players of the kind]."""

        def prepare(players: Any, root: Any) -> Any:
            return jax.vmap(lambda player: player.prepare(root), axis_size=_number(players))(players)

        return tuple(jax.vmap(jax.vmap(prepare, (None, 0)))(players, state) for players in self.kinds)

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
            contexts=_blank(self._contexts, state),
            thought=Thought(afterstate, jnp.zeros(number.shape), word, zero),
            considered=zero,
        )
        return self._roll(clock, lanes, jnp.ones(number.shape, bool))

    def _start(self, number: jax.Array) -> Any:
        return jax.tree.map(lambda x: jnp.broadcast_to(x, (*number.shape, *jnp.shape(x))), self.game.start())


def _better(old: Thought, look: Any, value: jax.Array, priority: jax.Array) -> Thought:
    """The new afterstate where it is the first or its value is larger; of equal ones that with the larger priority."""
    larger = (value > old.value) | ((value == old.value) & (priority > old.priority))
    new = Thought(look.afterstate, value, priority, old.count)
    best = choice(look.valid & (larger | (old.count == 0)), new, old)
    return replace(best, count=old.count + look.valid)


def _same(player: Any, other: Any) -> bool:
    """Whether two players are one: the same object, or equal ones that nothing distinguishes at run time."""
    return player is other or (not jax.tree.leaves((player, other)) and player == other)


def _number(players: Any) -> int:
    """How many are stacked; those without leaves are all one."""
    return jax.tree.leaves(players)[0].shape[0] if jax.tree.leaves(players) else 1


def _blank(function: Callable, *args: Any) -> Any:
    """Zeros of the shape of function(*args)."""
    return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), jax.eval_shape(function, *args))
