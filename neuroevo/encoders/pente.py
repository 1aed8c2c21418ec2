"""Features of a position of Pente for networks that value it (Muijrers 2011, section 4.3): 365 on 19×19."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Num

from jaxgames.games.pente.rules import Pente, PenteState

PER_CAPTURE = 10  # captured stones that make the feature 1: this number wins
NUM_BESIDES_POINTS = 4  # number of features that are no points of the board


def pente_features(game: Pente, state: PenteState, seat: Int[Array, ""]) -> Float[Array, "features"]:
    """A position of two seats as one of them sees it, whoever is to move. See `side_features`."""
    mine = game.to_move(state) == seat
    planes, captured = game.planes(state).astype(jnp.float32), jnp.stack(state.captured)
    board = jnp.where(mine, 1, -1) * (planes[0] - planes[1])
    return side_features(board, jnp.where(mine, captured, captured[::-1]), jnp.where(mine, 1, -1))


def side_features(
    board: Num[Array, "*batch points"], captured: Num[Array, "*batch 2"], to_move: Num[Array, "*batch"]
) -> Float[Array, "*batch features"]:
    """The features of positions that a side sees.

    board: 1 for its own stones, −1 for the opponent's, 0 for empty points; these are the first features
    captured: number of stones captured by the side and by the opponent; features are these over PER_CAPTURE
    to_move: 1 if the side is to move, −1 if the opponent is; a feature as it is, before a last one that is always 1
    """
    turn = jnp.stack([to_move, jnp.ones_like(to_move)], -1)
    return jnp.concatenate([board, captured / PER_CAPTURE, turn], -1).astype(jnp.float32)
