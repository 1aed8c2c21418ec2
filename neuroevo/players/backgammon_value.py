"""Evolved networks that value backgammon boards (Bibliowicz & Joshua 2005, section 3)."""

import functools
from collections.abc import Callable

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from jaxgames.core import Context, Leaf, State
from jaxgames.games.backgammon.board import POINTS, Board
from jaxgames.games.backgammon.rules import Backgammon
from neuroevo.encoders.backgammon import BESIDE, binary_counts, place_codes, place_inputs
from neuroevo.networks import MLP
from neuroevo.networks.base import BINARY
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.genome import GenomeCodec, codec
from neuroevo.networks.mlp import layers

VALUE_MLP = MLP(hidden=20, activation="tanh")  # the paper's network


@flax.struct.dataclass
class BackgammonValue:
    """A `core.Value`: the only output of a network for an afterstate, seen by the seat that has moved.

    weights: the parameters of an MLP, see `networks.mlp`
    absolute: whether colours are seat 1's instead of the other side's, see `encoders.backgammon.binary_counts`
    encoding: one of `encoders.backgammon.ENCODINGS`
    """

    weights: Leaf
    network: MLP = flax.struct.field(pytree_node=False, default=VALUE_MLP)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)
    encoding: str = flax.struct.field(pytree_node=False, default=BINARY)
    reports_faults = True

    @staticmethod
    def of(
        genome: Float[Array, "genes"], network: MLP = VALUE_MLP, absolute: bool = False, encoding: str = BINARY
    ) -> "BackgammonValue":
        """Raises ValueError for a genome of the wrong length."""
        return BackgammonValue(board_codec(network, encoding).decode(genome), network, absolute, encoding)

    def prepare(self, root: State) -> Context:
        """Nothing has to be known of the position before the play."""
        return ()

    def value(self, context: Context, afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        """The network's output; more is better for `seat`, which has moved."""
        if self.encoding == BINARY:
            return _value_of(self.network.activation, self.absolute)(self.weights, (afterstate, seat))
        seen = inputs_of(jnp.stack(place_codes(afterstate, seat, self.absolute)), self.encoding)
        return layers(self.weights, [seen], self.network.activation)[0]


def board_codec(network: MLP = VALUE_MLP, encoding: str = BINARY) -> GenomeCodec:
    """The codec of a network for the inputs that an encoding gives it in backgammon."""
    return codec(Backgammon(), network, encoding)


def inputs_of(codes: Int[Array, "*batch places"], encoding: str) -> Float[Array, "*batch inputs"]:
    """The network's inputs for the `place_codes` of a board."""
    points, beside = map(jnp.asarray, place_inputs(encoding))
    on_points = points[codes[..., :POINTS]]
    besides = beside[jnp.arange(BESIDE), codes[..., POINTS:]]
    return jnp.concatenate([x.reshape(*codes.shape[:-1], -1) for x in (on_points, besides)], -1)


@functools.cache
def _value_of(activation: str, absolute: bool) -> Callable:
    def value(weights: dict, given: tuple[Board, Array]) -> Array:
        parts = binary_counts(*given, absolute)
        return layers(weights, [x.reshape(-1, *x.shape[2:]) for x in parts], activation)[0]

    return batch_last(value)
