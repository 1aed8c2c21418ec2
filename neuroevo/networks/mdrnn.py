"""Multi-dimensional recurrent network (Schaul & Schmidhuber 2008, section III).

Four units swipe over the board, one from each corner. At every point a unit sees the point's inputs and its own
output at the two points that it has just passed:

    u[i, j] = tanh(W_in · in[i, j] + W_h · (u[i-1, j] + u[i, j-1]))             equation (1)
    out[i, j] = sigmoid(sum over the four swipes of w_out · u[i, j])

All swipes and both dimensions share the weights: 4k + k² genes for k hidden units and two inputs, for every board size.
"""

from collections.abc import Callable

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from neuroevo.networks.base import PrefersPoints
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.wavefront import Wavefront

BORDERS = "recurrent", "added"


class MDRNN(PrefersPoints, nn.Module):
    """Maps planes[inputs, rows, columns] of one position to preferences[points], before the final sigmoid.

    hidden: number k of hidden units
    border: beyond the edge a unit's output is w_border (`recurrent`, as equation (1) reads), or w_border is added to
        the net input once per missing neighbour (`added`, as the 2008 program did)

    Raises ValueError for an unknown border and for no hidden unit.
    """

    hidden: int = 10
    border: str = "recurrent"

    def __post_init__(self):
        if self.border not in BORDERS:
            raise ValueError(f"border must be one of {', '.join(BORDERS)}, not {self.border!r}")
        if self.hidden < 1:
            raise ValueError(f"hidden must be at least 1, not {self.hidden}")
        super().__post_init__()  # flax registers the module here

    @nn.compact
    def __call__(self, planes: Float[Array, "inputs rows columns"]) -> Float[Array, "points"]:
        shapes = {
            "border": (self.hidden,),
            "hidden": (self.hidden, self.hidden),
            "input": (self.hidden, planes.shape[0]),
            "output": (self.hidden,),
        }  # in alphabetical order, which is the order of the genes, and of the 2008 files
        weights = {name: self.param(name, nn.initializers.normal(1.0), shape) for name, shape in shapes.items()}
        return (_recurrent if self.border == "recurrent" else _added)(weights, planes)


def _preferences(
    weights: dict, planes: Float[Array, "inputs rows columns ..."], recurrent_border: bool
) -> Float[Array, "points ..."]:
    """Further axes are further positions."""
    wave = Wavefront(*planes.shape[1:3])
    readings = swipe(wave, weights, wave.enter(planes), output_of(weights), recurrent_border)
    return wave.leave(jnp.concatenate(readings))


def output_of(weights: dict) -> Callable[[jax.Array], jax.Array]:
    """The function from units[k, ...] to their share of the network's output [...]."""
    return lambda units: jnp.einsum("k,k...->...", weights["output"], units)


def swipe(
    wave: Wavefront,
    weights: dict,
    seen: Float[Array, "inputs points 4 ..."],
    read: Callable[[jax.Array], jax.Array],
    recurrent_border: bool = True,
) -> list[jax.Array]:
    """`read(units[k, n, 4, ...])` of every diagonal of one layer.

    weights: the layer's; seen: its inputs, see `Wavefront.enter`; recurrent_border: see `MDRNN.border`.
    """
    stacked = jnp.concatenate([weights["input"], weights["hidden"]], 1)
    border = weights["border"].reshape(-1, *[1] * (seen.ndim - 1))
    edge = jnp.broadcast_to(border if recurrent_border else 0 * border, (len(border), 1, *seen.shape[2:]))

    def step(seen: jax.Array, passed: jax.Array, missing: np.ndarray) -> tuple[jax.Array, jax.Array]:
        both = jnp.concatenate([seen, passed[:, :-1] + passed[:, 1:]])
        net = jnp.einsum("ki,i...->k...", stacked, both)
        if not recurrent_border:
            net = net + border * (missing[:-1] + missing[1:]).reshape(-1, *[1] * (net.ndim - 2))
        units = jnp.tanh(net)
        return units, read(units)

    return wave.sweep(step, seen, edge)


_recurrent = batch_last(lambda weights, planes: _preferences(weights, planes, recurrent_border=True))
_added = batch_last(lambda weights, planes: _preferences(weights, planes, recurrent_border=False))
