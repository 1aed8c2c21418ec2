"""Walks outside the loop: all afterstates of positions as a list, and what a player does in one position."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, UInt32

from jaxgames.core import AfterstatePlayer, State, WalkableGame
from jaxgames.core.faults import ranked, reports
from jaxgames.randomness import random_bits
from jaxgames.xla import jit_by_class, stage


@partial(jax.jit, static_argnums=(0, 2))
def afterstates(game: WalkableGame, states: State, limit: int) -> tuple[State, Int[Array, "positions"]]:
    """(afterstates of rolled states, number of them for each state). Leaves of `states` lead with [positions], those of
    the afterstates with [positions, limit]; afterstates beyond their number mean nothing, those beyond `limit` are left
    out but counted.
    """
    cursor = jax.vmap(game.first)(states)
    _, shown, _ = jax.eval_shape(jax.vmap(game.next), states, cursor)
    positions = len(jax.tree.leaves(shown)[0])
    blank = jax.tree.map(lambda x: jnp.zeros((positions, limit, *x.shape[1:]), x.dtype), shown)

    def step(carry: tuple) -> tuple:
        clock, cursor, number, found = carry
        cursor, afterstate, valid = stage(clock, jax.vmap(game.next), states, cursor)
        where = jnp.where(valid, number, limit)
        found = jax.tree.map(
            lambda all_, one: all_.at[jnp.arange(positions), where].set(one, mode="drop"), found, afterstate
        )
        return clock + 1, cursor, number + valid, found

    start = jnp.int32(0), cursor, jnp.zeros(positions, jnp.int32), blank
    _, _, number, found = jax.lax.while_loop(lambda carry: ~jax.vmap(game.done)(carry[1]).all(), step, start)
    return found, number


@jit_by_class(static_argnums=(0,))
def best_play(game: WalkableGame, player: AfterstatePlayer, state: State, bits: UInt32[Array, ""]) -> State:
    """The afterstate of a rolled state that the player rates highest. `bits`: random, for its choices by chance."""
    context = player.prepare(state)

    def step(carry: tuple) -> tuple:
        clock, cursor, best, value, priority, count = carry
        look = game.begin_step(state, cursor)
        for part in game.step_parts:
            look = replace(look, **stage(clock, part, state, look))
        drawn = random_bits(bits, count, jnp.int32(0))
        new, first = stage(clock, player.rate, drawn, game.to_move(state), look.afterstate, context)
        new = ranked(new)[0] if reports(player) else new
        better = look.valid & ((count == 0) | (new > value) | ((new == value) & (first > priority)))
        found, kept = (look.afterstate, new, first), (best, value, priority)
        best, value, priority = jax.tree.map(lambda a, b: jnp.where(better, a, b), found, kept)
        return clock + 1, look.cursor, best, value, priority, count + look.valid

    cursor = game.first(state)
    _, shown, _ = jax.eval_shape(game.next, state, cursor)
    blank = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shown)
    start = jnp.int32(0), cursor, blank, jnp.float32(0), jnp.uint32(0), jnp.int32(0)
    return jax.lax.while_loop(lambda carry: ~game.done(carry[1]), step, start)[2]
