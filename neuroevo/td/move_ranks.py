"""How value networks rank the moves of recorded games of Pente (Muijrers 2011, section 5)."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from jaxgames.devices import over_devices
from jaxgames.games.pente.rules import Pente
from jaxgames.games.pente.unbatched import PenteRows, RowState
from jaxgames.xla import stage
from neuroevo.networks.value import Weights
from neuroevo.players.pente_value import ValueFunction
from neuroevo.td.episodes import Games


def ranks(game: Pente, weights: Weights, games: Games) -> np.ndarray:
    """Float[networks moves]: the share of the other legal moves that a network values higher than the move played.

    For networks that know nothing the mean is one half. The first move of a game is left out. Weights lead with
    [networks].
    """
    shares = np.asarray(_ranks(game, weights, games.moves))
    ply = np.arange(games.moves.shape[1])
    played = (ply > 0) & (ply < np.asarray(games.length)[:, None])
    return shares[:, played]


@partial(jax.jit, static_argnums=0)
def _ranks(game: Pente, weights: Weights, moves: Array) -> Array:
    """Float[networks games plies]."""
    rules = PenteRows(game)

    def of_network(weights: Weights) -> Array:
        value_function = ValueFunction.of(weights, game)

        def ply(state: RowState, move: Array) -> tuple[RowState, Array]:
            action = jnp.maximum(move, 0).astype(jnp.int32)
            seen, possible = value_function.values(state), rules.empties(state)
            better = (possible & (seen > seen[action])).sum() / jnp.maximum(possible.sum() - 1, 1)
            return stage(state.plies, rules.play, state, action), better

        return jax.lax.map(lambda of_game: jax.lax.scan(ply, rules.start(), of_game)[1], moves)

    return over_devices(partial(jax.lax.map, of_network))(weights)
