"""What a network sees of a position: planes[inputs, rows, columns] of a preference, features of a value, float32."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Num

from jaxgames.core import BoardGame, State
from jaxgames.pente import Pente, PenteState

PER_CAPTURE = 10  # stones that count 1: so many win
NUM_BESIDES_POINTS = 4  # features


def own_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """1 where the seat to move has a stone, then one plane per further seat in order of play (paper 001, III)."""
    planes = game.planes(state)
    return planes.reshape(planes.shape[0], game.rows, game.columns).astype(jnp.float32)


def opponent_first(game: BoardGame, state: State) -> Float[Array, "inputs rows columns"]:
    """The same planes in the opposite order: the inputs of the networks stored in 2008."""
    return own_first(game, state)[::-1]


ENCODERS = {"own_first": own_first, "opponent_first": opponent_first}


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
