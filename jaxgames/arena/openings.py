"""Openings: first plies that are given and not played by the players."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from jaxgames.core import Game, State

Opening = tuple[int, ...]  # actions


def all_openings(game: Game, plies: int) -> tuple[Opening, ...]:
    """Every sequence of `plies` legal actions. In Othello there are 244 of four. May be called during tracing."""
    with jax.ensure_compile_time_eval():
        play, legal = jax.jit(game.play), jax.jit(game.legal)
        found: list[tuple[Opening, State]] = [((), game.start())]
        for _ in range(plies):
            found = [
                ((*actions, action), play(state, jnp.int32(action)))
                for actions, state in found
                for action in np.flatnonzero(legal(state)).tolist()
            ]
    return tuple(actions for actions, _ in found)


def states_after(game: Game, openings: tuple[Opening, ...]) -> State:
    """The state after each opening, all of one length; leaves lead with [openings]."""

    def played(actions: Int[Array, "plies"]) -> State:
        return jax.lax.scan(lambda state, action: (game.play(state, action), None), game.start(), actions)[0]

    return jax.vmap(played)(jnp.array(openings, jnp.int32))
