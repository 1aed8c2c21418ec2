"""A network that judges a position by one number: logistic hidden units, a linear output (Muijrers 2011, section 3.2).

There are no biases: one of the inputs is always 1.
"""

import flax.linen as nn
import jax
from jaxtyping import Array, Float

from jaxgames.core import Leaf

Weights = dict[str, Leaf]  # hidden[units, inputs], output[units]


class ValueNetwork(nn.Module):
    """Maps the features of one position to its value for the side that sees it. Weights start within ± `spread`."""

    hidden: int = 80
    spread: float = 0.5

    def __post_init__(self):
        if self.hidden < 1 or self.spread <= 0:
            raise ValueError(f"hidden must be at least 1 and spread above 0, not {self.hidden} and {self.spread}")
        super().__post_init__()  # flax registers the module here

    @nn.compact
    def __call__(self, features: Float[Array, "*features"]) -> Float[Array, ""]:
        shapes = {"hidden": (self.hidden, features.size), "output": (self.hidden,)}
        weights = {name: self.param(name, self._drawn, shape) for name, shape in shapes.items()}
        return values(weights, features.reshape(1, -1))[0]

    def _drawn(self, key: jax.Array, shape: tuple[int, ...]) -> jax.Array:
        return jax.random.uniform(key, shape, minval=-self.spread, maxval=self.spread)


def values(weights: Weights, features: Float[Array, "positions features"]) -> Float[Array, "positions"]:
    """The value of each position."""
    return jax.nn.sigmoid(features @ weights["hidden"].T) @ weights["output"]
