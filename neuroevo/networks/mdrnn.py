"""Multi-dimensional recurrent network (Schaul & Schmidhuber 2008, section III).

Four units swipe over the board, one from each corner. At every point a unit sees the point's inputs and its own
output at the two points that it has just passed:

    u[i, j] = tanh(W_in · in[i, j] + W_h · (u[i-1, j] + u[i, j-1]))             equation (1)
    out[i, j] = sigmoid(sum over the four swipes of w_out · u[i, j])

All swipes and both dimensions share the weights: 4k + k² genes for k hidden units and two inputs, for every board size.
Computed by wavefront: all points of an anti-diagonal at once, the four swipes side by side.
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from neuroevo.networks.batch_last import batch_last

BORDERS = "recurrent", "added"


class MDRNN(nn.Module):
    """Maps planes[inputs, rows, columns] of one position to preferences[points], before the final sigmoid.

    `border`: beyond the edge a unit's output is w_border (`recurrent`, as equation (1) reads), or w_border is added
    to the net input once per missing neighbour (`added`, as the 2008 program did).
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


def _wavefront(weights: dict, planes: jax.Array, recurrent_border: bool) -> jax.Array:
    """planes[inputs, rows, columns, ...] → [points, ...]; further axes are further positions."""
    _, rows, columns, *batch = planes.shape
    diagonals = _diagonals(rows, columns)
    swipes, order = _swipes(rows, columns), np.concatenate([cells for _, _, cells in diagonals])
    seen = planes.reshape(-1, rows * columns, *batch)[:, swipes[:, order].T]  # [inputs, points, 4, ...]
    stacked = jnp.concatenate([weights["input"], weights["hidden"]], 1)
    border = weights["border"].reshape(-1, *[1] * (2 + len(batch)))
    edge = jnp.broadcast_to(border if recurrent_border else 0 * border, (len(border), 1, 4, *batch))
    units, at, previous = [], 0, edge[:, :0]
    for starts, ends, cells in diagonals:
        passed = jnp.concatenate([edge] * starts + [previous] + [edge] * ends, 1)
        both = jnp.concatenate([seen[:, at : at + len(cells)], passed[:, :-1] + passed[:, 1:]])
        net = jnp.einsum("ki,i...->k...", stacked, both)
        if not recurrent_border:
            missing = np.array([1] * starts + [0] * previous.shape[1] + [1] * ends, np.float32)
            net = net + border * (missing[:-1] + missing[1:]).reshape(-1, 1, *[1] * len(batch))
        previous = jnp.tanh(net)
        units.append(jnp.einsum("k,k...->...", weights["output"], previous))
        at += len(cells)
    swiped = jnp.concatenate(units)[np.argsort(order)]
    back = [swiped[swipes[s], s] for s in range(4)]  # every flip is its own inverse
    return (back[0] + back[3]) + (back[1] + back[2])  # opposite corners first: symmetric positions tie exactly


def _diagonals(rows: int, columns: int) -> list[tuple[bool, bool, np.ndarray]]:
    """Per anti-diagonal: whether it starts in the top row, whether it ends in the left column, its points downwards.

    With one point of the border before and one behind, where it starts or ends there, the previous diagonal holds the
    upper neighbour of each point and, one further, the left one.
    """
    result = []
    for d in range(rows + columns - 1):
        first, last = max(0, d - columns + 1), min(d, rows - 1)
        row = np.arange(first, last + 1)
        result.append((first == 0, last == d, row * columns + d - row))
    return result


def _swipes(rows: int, columns: int) -> np.ndarray:
    """Int[4, points]: the point that each swipe sees where the first sees point i."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    return np.stack([grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]).reshape(4, -1)


_recurrent = batch_last(lambda weights, planes: _wavefront(weights, planes, recurrent_border=True))
_added = batch_last(lambda weights, planes: _wavefront(weights, planes, recurrent_border=False))
