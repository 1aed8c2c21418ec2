"""Evolved networks that judge backgammon boards (Bibliowicz & Joshua 2005, section 3)."""

import functools
from collections.abc import Callable

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from jaxgames.core import Context, Leaf, State
from jaxgames.games.backgammon.board import POINTS, Board
from neuroevo.encoders.backgammon import BESIDE, binary_counts, board_inputs, place_codes, place_inputs
from neuroevo.networks import MLP
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.genome import GenomeCodec
from neuroevo.networks.mlp import layers

JUDGE = MLP(hidden=20, activation="tanh")


@flax.struct.dataclass
class BoardNetwork:
    """A Value: the network's only output for the board as `encoders.binary_counts` shows it, or in another of
    `encoders.ENCODINGS`.
    """

    weights: Leaf  # the network's parameters
    network: MLP = flax.struct.field(pytree_node=False, default=JUDGE)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)
    encoding: str = flax.struct.field(pytree_node=False, default="binary")

    @staticmethod
    def of(
        genome: Float[Array, "genes"], network: MLP = JUDGE, absolute: bool = False, encoding: str = "binary"
    ) -> "BoardNetwork":
        return BoardNetwork(board_codec(network, encoding).decode(genome), network, absolute, encoding)

    def prepare(self, root: State) -> Context:
        return ()

    def value(self, context: Context, afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        if self.encoding == "binary":
            return _judged(self.network.activation, self.absolute)(self.weights, (afterstate, seat))
        seen = inputs_of(jnp.stack(place_codes(afterstate, seat, self.absolute)), self.encoding)
        return layers(self.weights, [seen], self.network.activation)[0]


def board_codec(network: MLP = JUDGE, encoding: str = "binary") -> GenomeCodec:
    """Genomes of networks that judge boards: inputs as the planes of a board of one point."""
    return GenomeCodec(network, board_inputs(encoding), 1, 1)


def inputs_of(codes: Int[Array, "*batch places"], encoding: str) -> Float[Array, "*batch inputs"]:
    points, beside = map(jnp.asarray, place_inputs(encoding))
    on_points = points[codes[..., :POINTS]]
    besides = beside[jnp.arange(BESIDE), codes[..., POINTS:]]
    return jnp.concatenate([x.reshape(*codes.shape[:-1], -1) for x in (on_points, besides)], -1)


@functools.cache
def _judged(activation: str, absolute: bool) -> Callable:
    def judge(weights: dict, given: tuple[Board, Array]) -> Array:
        parts = binary_counts(*given, absolute)
        return layers(weights, [x.reshape(-1, *x.shape[2:]) for x in parts], activation)[0]

    return batch_last(judge)
