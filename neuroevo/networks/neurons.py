"""Networks of one hidden layer whose genes go neuron by neuron, as Enforced Sub-Populations need them (F. Gomez and
R. Miikkulainen 1997; Schrum's Pente experiments): feed-forward, or with the hidden activations of an earlier ply as
further inputs.
"""

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from jaxgames.games.pente.rules import Pente
from neuroevo.networks.base import BOARD_POLICY, NEURON_POLICY, SeesPlanes

MEMORIES = "none", "own", "all"
# input[hidden, seats · points], output[hidden, points], and past[hidden, hidden] if the network has a memory; with
# captures seen, the inputs of a seat are its points and one more.
Layers = dict[str, jax.Array]


class Neurons(SeesPlanes, nn.Module):
    """Maps planes[seats, rows, columns] to preferences[points]. There are no biases.

    hidden: number of hidden neurons
    memory: at whose plies a player stores the hidden activations that it sees next: `none` (feed-forward), `own`
        (simple recurrent network), `all` (the network also watches the other seats' plies)
    inputs: number of inputs per point. Input i is seat i, counted from the player. With fewer seats than inputs, the
        stones of the last seat are shown to all remaining inputs; with more, the further seats share the last input
    captures: adds one input per seat: its captured stones over the number that wins

    Raises ValueError for an unknown memory, and for fewer than 1 hidden neuron or 2 inputs.
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
        """Whether the player has a memory."""
        return self.memory != "none"

    @nn.nowrap
    def player_kind(self, game: Any) -> str:
        """In Pente a player that completes five and may remember and see captures; elsewhere a plain one."""
        return NEURON_POLICY if isinstance(game, Pente) else BOARD_POLICY

    @nn.compact
    def __call__(self, planes: Float[Array, "seats rows columns"]) -> Float[Array, "points"]:
        """Preferences without memory and before any capture, before the final logistic function."""
        seats, points = planes.shape[0], planes[0].size
        width = (points + self.captures) * self.inputs + self.recurrent * self.hidden + points
        neurons = self.param("neurons", nn.initializers.normal(1.0), (self.hidden, width))
        seen = jnp.pad(planes.reshape(seats, points), ((0, 0), (0, int(self.captures))))
        return think(self.layers(neurons, seats, points), seen.reshape(-1), jnp.zeros(self.hidden))[0]

    def layers(self, neurons: Float[Array, "hidden width"], seats: int, points: int) -> Layers:
        """The weights by layer. A neuron is its input weights point by point, `past` weights and output weights."""
        seen = (points + self.captures) * self.inputs
        board = neurons[:, :seen].reshape(self.hidden, -1, self.inputs)
        sharing = [min(seat, self.inputs - 1) for seat in range(seats)]  # the input of each seat
        weights = [board[..., i] for i in sharing[:-1]] + [board[..., sharing[-1] :].sum(-1)]
        layers = {"input": jnp.concatenate(weights, 1), "output": neurons[:, -points:]}
        return layers | {"past": neurons[:, seen:-points]} if self.recurrent else layers


def think(
    layers: Layers, seen: Float[Array, "inputs *batch"], past: Float[Array, "hidden *batch"]
) -> tuple[Float[Array, "points *batch"], Float[Array, "hidden *batch"]]:
    """(preferences before the final logistic function, hidden activations). Without memory `past` is not read."""
    inputs_last = jnp.moveaxis(seen, 0, -1)  # the product takes half the time so, on a CPU
    net = jnp.einsum("hi,...i->h...", layers["input"], inputs_last)
    if "past" in layers:
        net = net + jnp.einsum("hp,p...->h...", layers["past"], past)
    hidden = logistic(net)
    return jnp.einsum("ho,h...->o...", layers["output"], hidden), hidden


def logistic(x: Float[Array, "*shape"]) -> Float[Array, "*shape"]:
    """1 / (1 + exp(−x)), by tanh: the published results were played with its rounding, not jax.nn.sigmoid's."""
    return 0.5 + 0.5 * jnp.tanh(x / 2)
