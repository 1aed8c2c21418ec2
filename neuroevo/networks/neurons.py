"""Networks of one hidden layer whose genes go neuron by neuron, as Enforced Sub-Populations need them: feed-forward
(ff), with the layer's own last activations among its inputs (srn), and the same one watching all seats' plies (watch).
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from neuroevo.networks.batch_last import batch_last

MEMORIES = "none", "own", "all"


class Neurons(nn.Module):
    """Every point has `inputs` inputs: one per seat, beginning with the player's own; where there are fewer seats the
    last one's stones are on in all that remain, where there are more these share the last input. No biases. `memory`:
    whose plies change the activations that a player remembers, its own, all seats', or none.
    """

    hidden: int = 10
    memory: str = "none"
    inputs: int = 3

    def __post_init__(self):
        if self.memory not in MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(MEMORIES)}, not {self.memory!r}")
        if self.hidden < 1 or self.inputs < 2:
            raise ValueError(f"hidden must be at least 1 and inputs at least 2, not {self.hidden} and {self.inputs}")
        super().__post_init__()  # flax registers the module here

    @property
    def recurrent(self) -> bool:
        return self.memory != "none"

    def __call__(self, planes: Float[Array, "seats rows columns"]) -> Float[Array, "points"]:
        """Preferences of a player without memory."""
        return self.think(planes, jnp.zeros(self.hidden))[0]

    @nn.compact
    def think(
        self, planes: Float[Array, "seats rows columns"], past: Float[Array, "hidden"]
    ) -> tuple[Float[Array, "points"], Float[Array, "hidden"]]:
        """(preferences before the final logistic function, activations)."""
        seats, points = planes.shape[0], planes[0].size
        width = points * (self.inputs + 1) + self.recurrent * self.hidden
        neurons = self.param("neurons", nn.initializers.normal(1.0), (self.hidden, width))
        board = neurons[:, : points * self.inputs].reshape(self.hidden, points, self.inputs)
        sharing = [min(seat, self.inputs - 1) for seat in range(seats)]  # the input of each seat
        weights = [board[..., i] for i in sharing[:-1]] + [board[..., sharing[-1] :].sum(-1)]
        seen = planes.reshape(-1)
        if self.recurrent:
            weights.append(neurons[:, points * self.inputs : -points])
            seen = jnp.concatenate([seen, past])
        both = _layers({"input": jnp.concatenate(weights, 1), "output": neurons[:, -points:]}, seen)
        return both[:points], both[points:]


@batch_last
def _layers(weights: dict, x: jax.Array) -> jax.Array:
    """x[inputs, ...] → [points + hidden, ...]."""
    net = jnp.einsum("hi,i...->h...", weights["input"], x)
    hidden = 0.5 + 0.5 * jnp.tanh(net / 2)  # the logistic function
    return jnp.concatenate([jnp.einsum("ho,h...->o...", weights["output"], hidden), hidden])
