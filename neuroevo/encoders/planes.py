"""What a network sees of a position: planes[inputs, rows, columns] of a preference, features of a value, float32."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from jaxgames.core import BoardGame, State


def own_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """1 where the seat to move has a stone, then one plane per further seat in order of play (paper 001, III)."""
    planes = game.planes(state)
    return planes.reshape(planes.shape[0], game.rows, game.columns).astype(jnp.float32)


def opponent_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """The same planes in the opposite order: the inputs of the networks stored in 2008."""
    return own_first(game, state)[::-1]


ENCODERS = {"own_first": own_first, "opponent_first": opponent_first}
