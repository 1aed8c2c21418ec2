"""The output of a random network for a position: figure 2 of Schaul & Schmidhuber (2008)."""

import jax
import jax.numpy as jnp
import numpy as np
from matplotlib.figure import Figure

from jaxgames.core import StoneGame
from neuroevo.networks import MDRNN
from neuroevo.papers.mdrnn import figures
from neuroevo.players.board_policy import NetworkPlayer

HIDDEN = 2  # hidden units, as in the paper's example
STONES = "C3", "D3", "C4", "E5", "D5"  # Black and White in turn, far from the upper right corner; chosen by judgement


def draw_activations(game: StoneGame, seed: int) -> Figure:
    """The board, and the output of a random network for White, who is to move."""
    state = game.start()
    for stone in STONES:
        state = game.play(state, jnp.int32(game.parse_action(stone)))
    network = MDRNN(HIDDEN)
    genes = HIDDEN * (HIDDEN + 4)
    player = NetworkPlayer(jax.random.normal(jax.random.key(seed), (genes,)), game, network)
    output = jax.nn.sigmoid(player.preferences(state)).reshape(game.rows, game.columns)
    white, black = np.asarray(game.planes(state)).astype(int)  # White is to move
    points = (black - white).reshape(game.rows, game.columns)
    return figures.activations(points, np.asarray(output), f"MDRNN, k = {HIDDEN}, weights from N(0, 1)")
