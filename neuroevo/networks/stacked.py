"""MDRNNs on top of each other: "the outputs of the swiping units of one form the set of inputs to the (independently)
swiping units of the next one" (Schaul & Schmidhuber 2008, section VI).

The first layer is the MDRNN's. In a further one the swipe from corner s sees at every point, with u the units of the
layer below, o the opposite corner and a, b the two beside it,

    in_s = (u_s, u_o, u_a + u_b)

The board's reflection that keeps s and o exchanges a and b, so their units enter as a sum, by one weight matrix: of all
linear maps of the four outputs whose weights the swipes share, this is the most general that keeps the eight symmetries
of the square. The network's output is read from the last layer alone. Genes for k units a layer and two inputs:
4k + k² for the first layer (with `layers=1` they are the MDRNN's, in the same order) and 4k² + k for each further one.
"""

import flax.linen as nn
import jax.numpy as jnp
from jaxtyping import Array, Float

from neuroevo.networks.base import PrefersPoints
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.mdrnn import output_of, swipe
from neuroevo.networks.wavefront import Wavefront

BESIDE, OPPOSITE = (1, 2), 3  # the flips that lead from a corner to the others


class StackedMDRNN(PrefersPoints, nn.Module):
    """Maps planes[inputs, rows, columns] of one position to preferences[points], before the final sigmoid.

    `hidden` is the number k of units in every layer; beyond the border a layer's units are its own w_border. Raises
    ValueError for no layer and no unit.
    """

    hidden: int = 10
    layers: int = 2  # number of MDRNN layers

    def __post_init__(self):
        for name in ("hidden", "layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        super().__post_init__()  # flax registers the module here

    @nn.compact
    def __call__(self, planes: Float[Array, "inputs rows columns"]) -> Float[Array, "points"]:
        shapes = {
            "border": (self.layers, self.hidden),
            "hidden": (self.layers, self.hidden, self.hidden),
            "input": (self.hidden, planes.shape[0]),
            "output": (self.hidden,),
        }
        if self.layers > 1:
            shapes["units"] = (self.layers - 1, self.hidden, 3 * self.hidden)  # what layers 2, 3, … see
        weights = {name: self.param(name, nn.initializers.normal(1.0), shape) for name, shape in shapes.items()}
        return _lanes(weights, planes)


def _preferences(weights: dict, planes: Float[Array, "inputs rows columns ..."]) -> Float[Array, "points ..."]:
    """Further axes are further positions."""
    wave = Wavefront(*planes.shape[1:3])
    *lower, last = _layers(weights)
    seen = wave.enter(planes)
    for layer in lower:
        units = jnp.concatenate(swipe(wave, layer, seen, lambda units: units), 1)
        beside = wave.of_flipped(units, BESIDE[0]) + wave.of_flipped(units, BESIDE[1])
        seen = jnp.concatenate([units, wave.of_flipped(units, OPPOSITE), beside])
    return wave.leave(jnp.concatenate(swipe(wave, last, seen, output_of(weights))))


def _layers(weights: dict) -> list[dict]:
    """The weights of an MDRNN per layer, from the bottom."""
    inputs = [weights["input"], *weights.get("units", ())]
    return [
        {"border": border, "hidden": hidden, "input": seen}
        for border, hidden, seen in zip(weights["border"], weights["hidden"], inputs, strict=True)
    ]


_lanes = batch_last(_preferences)
