"""Networks of one hidden layer whose genes go neuron by neuron, as Enforced Sub-Populations need them: feed-forward
(ff), with the layer's own last activations among its inputs (srn), and the same one watching all seats' plies (watch).
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

MEMORIES = "none", "own", "all"
Layers = dict[str, jax.Array]  # input[hidden, seats · inputs], output[hidden, points], and past[hidden, hidden] if any


class Neurons(nn.Module):
    """Every point has `inputs` inputs: one per seat, beginning with the player's own; where there are fewer seats the
    last one's stones are on in all that remain, where there are more these share the last input. No biases. `memory`:
    whose plies change the activations that a player remembers, its own, all seats', or none. With `captures` one more
    point, as it were, tells what share of the captures that win a seat has made.
    """

    hidden: int = 10
    memory: str = "none"
    inputs: int = 3
    captures: bool = False

    def __post_init__(self):
        if self.memory not in MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(MEMORIES)}, not {self.memory!r}")
        if self.hidden < 1 or self.inputs < 2:
            raise ValueError(f"hidden must be at least 1 and inputs at least 2, not {self.hidden} and {self.inputs}")
        super().__post_init__()  # flax registers the module here

    @property
    def recurrent(self) -> bool:
        return self.memory != "none"

    @nn.compact
    def __call__(self, planes: Float[Array, "seats rows columns"]) -> Float[Array, "points"]:
        """Preferences of a player without memory where nobody has captured, before the final logistic function."""
        seats, points = planes.shape[0], planes[0].size
        width = (points + self.captures) * self.inputs + self.recurrent * self.hidden + points
        neurons = self.param("neurons", nn.initializers.normal(1.0), (self.hidden, width))
        seen = jnp.pad(planes.reshape(seats, points), ((0, 0), (0, int(self.captures))))
        return think(self.layers(neurons, seats, points), seen.reshape(-1), jnp.zeros(self.hidden))[0]

    def layers(self, neurons: Float[Array, "hidden width"], seats: int, points: int) -> Layers:
        """The weights by layer: for each seat one input per point, and one for its captures if they are seen."""
        seen = (points + self.captures) * self.inputs
        board = neurons[:, :seen].reshape(self.hidden, -1, self.inputs)
        sharing = [min(seat, self.inputs - 1) for seat in range(seats)]  # the input of each seat
        weights = [board[..., i] for i in sharing[:-1]] + [board[..., sharing[-1] :].sum(-1)]
        layers = {"input": jnp.concatenate(weights, 1), "output": neurons[:, -points:]}
        return layers | {"past": neurons[:, seen:-points]} if self.recurrent else layers


def think(
    layers: Layers, seen: Float[Array, "inputs *batch"], past: Float[Array, "hidden *batch"]
) -> tuple[Float[Array, "points *batch"], Float[Array, "hidden *batch"]]:
    """(preferences before the final logistic function, activations)."""
    inputs_last = jnp.moveaxis(seen, 0, -1)  # the product takes half the time so, on a CPU
    net = jnp.einsum("hi,...i->h...", layers["input"], inputs_last)
    if "past" in layers:
        net = net + jnp.einsum("hp,p...->h...", layers["past"], past)
    hidden = 0.5 + 0.5 * jnp.tanh(net / 2)  # the logistic function
    return jnp.einsum("ho,h...->o...", layers["output"], hidden), hidden
