"""How a network ranks the moves of games on record: what it would rather have played."""

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
from neuroevo.players.pente_value import Judge
from neuroevo.td.episodes import Games


def ranks(game: Pente, weights: Weights, games: Games) -> np.ndarray:
    """Float[networks moves]: the share of the other possible moves that each network, weights[networks], likes better
    than the one that was played. Of a network that knows nothing the mean is a half. First moves do not count.
    """
    found = np.asarray(_ranks(game, weights, games.moves))
    ply = np.arange(games.moves.shape[1])
    played = (ply > 0) & (ply < np.asarray(games.length)[:, None])
    return found[:, played]


@partial(jax.jit, static_argnums=0)
def _ranks(game: Pente, weights: Weights, moves: Array) -> Array:
    """Float[networks games plies]."""
    rules = PenteRows(game)

    def of_network(weights: Weights) -> Array:
        judge = Judge.of(weights, game)

        def ply(state: RowState, move: Array) -> tuple[RowState, Array]:
            action = jnp.maximum(move, 0).astype(jnp.int32)
            seen, possible = judge.values(state), rules.empties(state)
            better = (possible & (seen > seen[action])).sum() / jnp.maximum(possible.sum() - 1, 1)
            return stage(state.plies, rules.play, state, action), better

        return jax.lax.map(lambda of_game: jax.lax.scan(ply, rules.start(), of_game)[1], moves)

    return over_devices(partial(jax.lax.map, of_network))(weights)
