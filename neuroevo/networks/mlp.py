"""Multi-layer perceptron: the paper's baseline (Schaul & Schmidhuber 2008, section V-A).

One fully connected hidden layer, biases, one output per point. Its genes fit one board size only.
"""

from collections.abc import Sequence
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from jaxgames.games.backgammon.rules import Backgammon
from neuroevo.encoders.backgammon import board_inputs
from neuroevo.networks.base import BACKGAMMON_VALUE, BINARY, BOARD_POLICY
from neuroevo.networks.batch_last import batch_last

ACTIVATIONS = {"sigmoid": jax.nn.sigmoid, "tanh": jnp.tanh, "relu": jax.nn.relu}


class MLP(nn.Module):
    """Maps planes[inputs, rows, columns] of one position to preferences[points], before the final sigmoid; in
    backgammon a vector of inputs to one value.

    `hidden` is the number of hidden units, `activation` one of ACTIVATIONS. Raises ValueError for any other.
    """

    hidden: int = 100
    activation: str = "sigmoid"

    gene_type = np.float32

    def __post_init__(self):
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {', '.join(ACTIVATIONS)}, not {self.activation!r}")
        if self.hidden < 1:
            raise ValueError(f"hidden must be at least 1, not {self.hidden}")
        super().__post_init__()  # flax registers the module here

    @nn.nowrap
    def input_shape(self, game: Any, encoding: str = BINARY) -> tuple[int, int, int]:
        """One plane per seat; in backgammon the inputs of `encoders.backgammon` as planes of a board of one point."""
        if isinstance(game, Backgammon):
            return board_inputs(encoding), 1, 1
        return game.num_seats, game.rows, game.columns

    @nn.nowrap
    def player_kind(self, game: Any) -> str:
        """In backgammon a player that values boards, elsewhere one that prefers points."""
        return BACKGAMMON_VALUE if isinstance(game, Backgammon) else BOARD_POLICY

    @nn.compact
    def __call__(self, planes: Float[Array, "inputs rows columns"]) -> Float[Array, "points"]:
        inputs, points = planes.size, planes.shape[1] * planes.shape[2]
        shapes = {
            "hidden": (self.hidden, inputs),
            "hidden_bias": (self.hidden,),
            "output": (points, self.hidden),
            "output_bias": (points,),
        }
        weights = {name: self.param(name, nn.initializers.normal(1.0), shape) for name, shape in shapes.items()}
        return _LAYERS[self.activation](weights, planes.reshape(inputs))


def layers(weights: dict, parts: Sequence[jax.Array], activation: str) -> jax.Array:
    """[points, ...] of inputs in parts, each [inputs of the part, ...]: the parts need not be joined."""
    extra, hidden, start = [1] * (parts[0].ndim - 1), 0, 0
    for x in parts:
        hidden += jnp.einsum("hi,i...->h...", weights["hidden"][:, start : start + len(x)], x)
        start += len(x)
    hidden = ACTIVATIONS[activation](hidden + weights["hidden_bias"].reshape(-1, *extra))
    return jnp.einsum("oh,h...->o...", weights["output"], hidden) + weights["output_bias"].reshape(-1, *extra)


def _with(activation: str):
    return batch_last(lambda weights, x: layers(weights, [x], activation))


_LAYERS = {activation: _with(activation) for activation in ACTIVATIONS}
