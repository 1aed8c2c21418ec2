"""A network that values a position: logistic hidden units, a linear output (Muijrers 2011, section 3.2).

There are no biases: one of the inputs is always 1.
"""

from typing import Any

import flax.linen as nn
import jax
import numpy as np
from jaxtyping import Array, Float

from jaxgames.core import Leaf
from jaxgames.games.any_game import title_of
from jaxgames.games.pente.rules import Pente
from neuroevo.encoders.pente import NUM_BESIDES_POINTS
from neuroevo.networks.base import BINARY, PENTE_VALUE

Weights = dict[str, Leaf]  # hidden[units, features], output[units]; further axes, such as networks, lead


class ValueNetwork(nn.Module):
    """Maps the features of one position to its value for the side that sees it.

    `hidden` is the number of hidden units; the first weights are uniform within ± `spread`. Raises ValueError for no
    hidden unit or no spread.
    """

    hidden: int = 80
    spread: float = 0.5

    gene_type = np.float32

    def __post_init__(self):
        if self.hidden < 1 or self.spread <= 0:
            raise ValueError(f"hidden must be at least 1 and spread above 0, not {self.hidden} and {self.spread}")
        super().__post_init__()  # flax registers the module here

    @nn.nowrap
    def input_shape(self, game: Any, encoding: str = BINARY) -> tuple[int, int, int]:
        """The features of `encoders.pente`, as a vector."""
        return game.num_actions + NUM_BESIDES_POINTS, 1, 1

    @nn.nowrap
    def player_kind(self, game: Any) -> str:
        """Raises ValueError for all but Pente of two seats with captures of two stones."""
        if not isinstance(game, Pente) or game.num_seats != 2 or game.lengths != (2,):
            raise ValueError(
                f"network=value plays Pente of two seats, with captures of two stones, not {title_of(game)}"
            )
        return PENTE_VALUE

    @nn.compact
    def __call__(self, features: Float[Array, "*features"]) -> Float[Array, ""]:
        shapes = {"hidden": (self.hidden, features.size), "output": (self.hidden,)}
        weights = {name: self.param(name, self._drawn, shape) for name, shape in shapes.items()}
        return values(weights, features.reshape(1, -1))[0]

    def _drawn(self, key: jax.Array, shape: tuple[int, ...]) -> jax.Array:
        return jax.random.uniform(key, shape, minval=-self.spread, maxval=self.spread)


def values(weights: Weights, features: Float[Array, "positions features"]) -> Float[Array, "positions"]:
    """The value of each position, for the side that sees it."""
    return jax.nn.sigmoid(features @ weights["hidden"].T) @ weights["output"]
