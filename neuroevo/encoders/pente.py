"""Features of a position of Pente, for networks that give it a value."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Num

from jaxgames.games.pente.rules import Pente, PenteState

PER_CAPTURE = 10  # stones that count 1: so many win


NUM_BESIDES_POINTS = 4  # features


def pente_features(game: Pente, state: PenteState, seat: Int[Array, ""]) -> Float[Array, "features"]:
    """A position of Pente as a seat sees it, whoever is to move: 365 inputs on 19×19 (Muijrers 2011, section 4.3)."""
    mine = game.to_move(state) == seat
    planes, captured = game.planes(state).astype(jnp.float32), jnp.stack(state.captured)
    board = jnp.where(mine, 1, -1) * (planes[0] - planes[1])
    return side_features(board, jnp.where(mine, captured, captured[::-1]), jnp.where(mine, 1, -1))


def side_features(
    board: Num[Array, "*batch points"], captured: Num[Array, "*batch 2"], to_move: Num[Array, "*batch"]
) -> Float[Array, "*batch features"]:
    """1 for one's own stones and −1 for the opponent's, stones captured by oneself and by the opponent, divided by ten,
    whose move it is (1: one's own, −1: the opponent's), and 1.
    """
    turn = jnp.stack([to_move, jnp.ones_like(to_move)], -1)
    return jnp.concatenate([board, captured / PER_CAPTURE, turn], -1).astype(jnp.float32)
