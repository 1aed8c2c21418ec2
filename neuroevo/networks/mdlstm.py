"""Multi-dimensional LSTM: the MDRNN's swiping units replaced by LSTM cells (Schaul & Schmidhuber 2008, section VI).

After Graves, Fernández & Schmidhuber (2007), a cell has one forget gate per dimension. With u and c the output and the
state of the cells, in the point's inputs, and d the two points that a swipe has just passed (above and on the left):

    i   = σ(W_i · in + V_i · Σ_d u_d + b_i)          input gate
    o   = σ(W_o · in + V_o · Σ_d u_d + b_o)          output gate
    g   = tanh(W_g · in + V_g · Σ_d u_d + b_g)       cell input
    f_d = σ(W_f · in + V_f · u_d + b_f)              forget gate of dimension d: it sees the neighbour that it is for
    c   = i · g + Σ_d f_d · c_d
    u   = o · tanh(c)
    out = sigmoid(sum over the four swipes of w_out · u)

Beyond the border u is w_border and c is 0. As in the MDRNN, all swipes and both dimensions share the weights, so that
the symmetries of the square are kept: 4k² + 14k genes for k cells and two inputs, for every board size.
Deviations from Graves: no peepholes (his gates see cell states too), and his forget gates see the outputs of both
neighbours. With weights shared by the dimensions these would be one gate for both; ours are the forget gates of the
Child-Sum Tree-LSTM (Tai, Socher & Manning 2015).
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from neuroevo.networks.base import PrefersPoints
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.wavefront import Wavefront

# The gates are i, o, g, f. The first three see the sum of both neighbours' outputs; each dimension has its own f.
SUMMED, FORGET = slice(0, 3), slice(3, 4)


class MDLSTM(PrefersPoints, nn.Module):
    """Maps planes[inputs, rows, columns] of one position to preferences[points], before the final sigmoid.

    `hidden` is the number k of cells, at least 1 (else ValueError). The first axis of the parameters `bias` (b),
    `hidden` (V) and `input` (W) is i, o, g, f.
    """

    hidden: int = 10

    def __post_init__(self):
        if self.hidden < 1:
            raise ValueError(f"hidden must be at least 1, not {self.hidden}")
        super().__post_init__()  # flax registers the module here

    @nn.compact
    def __call__(self, planes: Float[Array, "inputs rows columns"]) -> Float[Array, "points"]:
        shapes = {
            "bias": (4, self.hidden),
            "border": (self.hidden,),
            "hidden": (4, self.hidden, self.hidden),
            "input": (4, self.hidden, planes.shape[0]),
            "output": (self.hidden,),
        }
        weights = {name: self.param(name, nn.initializers.normal(1.0), shape) for name, shape in shapes.items()}
        return _lanes(weights, planes)


def _preferences(weights: dict, planes: Float[Array, "inputs rows columns ..."]) -> Float[Array, "points ..."]:
    """Further axes are further positions."""
    wave = Wavefront(*planes.shape[1:3])
    seen, cells = wave.enter(planes), len(weights["border"])
    stacked = jnp.concatenate([weights["input"], weights["hidden"]], 2)
    bias = weights["bias"].reshape(4, cells, *[1] * (seen.ndim - 1))
    border = jnp.concatenate([weights["border"], jnp.zeros_like(weights["border"])])
    edge = jnp.broadcast_to(border.reshape(-1, *[1] * (seen.ndim - 1)), (2 * cells, 1, *seen.shape[2:]))

    def net(gates: slice, seen: jax.Array, outputs: jax.Array) -> jax.Array:
        return jnp.einsum("gki,i...->gk...", stacked[gates], jnp.concatenate([seen, outputs])) + bias[gates]

    def step(seen: jax.Array, passed: jax.Array, missing: np.ndarray) -> tuple[jax.Array, jax.Array]:
        outputs, states = passed[:cells], passed[cells:]
        input_gate, output_gate, cell_input = net(SUMMED, seen, outputs[:, :-1] + outputs[:, 1:])
        above, left = net(FORGET, seen, outputs[:, :-1])[0], net(FORGET, seen, outputs[:, 1:])[0]
        kept = jax.nn.sigmoid(above) * states[:, :-1] + jax.nn.sigmoid(left) * states[:, 1:]
        state = jax.nn.sigmoid(input_gate) * jnp.tanh(cell_input) + kept
        units = jax.nn.sigmoid(output_gate) * jnp.tanh(state)
        return jnp.concatenate([units, state]), jnp.einsum("k,k...->...", weights["output"], units)

    return wave.leave(jnp.concatenate(wave.sweep(step, seen, edge)))


_lanes = batch_last(_preferences)
