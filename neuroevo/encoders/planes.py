"""Planes of a position for networks that prefer points: one plane per seat, 1 where the seat has a stone, else 0."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from jaxgames.core import BoardGame, State


def own_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """The seat to move first, then the others in order of play (Schaul & Schmidhuber 2008, section III)."""
    planes = game.planes(state)
    return planes.reshape(planes.shape[0], game.rows, game.columns).astype(jnp.float32)


def opponent_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """The planes of `own_first` in the opposite order: the inputs of the networks stored in 2008."""
    return own_first(game, state)[::-1]


ENCODERS = {"own_first": own_first, "opponent_first": opponent_first}
