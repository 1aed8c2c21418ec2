"""Walks outside the arena: all afterstates of positions as a list."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from jaxgames.core import State, WalkableGame
from jaxgames.staging import stage


@partial(jax.jit, static_argnums=(0, 2))
def afterstates(game: WalkableGame, states: State, limit: int) -> tuple[State, Int[Array, "positions"]]:
    """The afterstates of rolled positions, and how many each has. Leaves of `states` lead with [positions], those of
    the result with [positions, limit]; what is beyond the number or the limit means nothing.
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
