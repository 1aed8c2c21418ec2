"""Evolved networks that judge backgammon boards (Bibliowicz & Joshua 2005, section 3)."""

import functools
from collections.abc import Callable

import flax.struct
from jaxtyping import Array, Float, Int

from jaxgames.checkers import Board
from jaxgames.core import Context, Leaf, State
from neuroevo.encoders import BACKGAMMON_INPUTS, binary_counts
from neuroevo.genome import GenomeCodec
from neuroevo.networks import MLP
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.mlp import layers

JUDGE = MLP(hidden=20, activation="tanh")


@flax.struct.dataclass
class BoardNetwork:
    """A Value: the network's only output for the board as `encoders.binary_counts` shows it."""

    weights: Leaf  # the network's parameters
    network: MLP = flax.struct.field(pytree_node=False, default=JUDGE)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)

    @staticmethod
    def of(genome: Float[Array, "genes"], network: MLP = JUDGE, absolute: bool = False) -> "BoardNetwork":
        return BoardNetwork(board_codec(network).decode(genome), network, absolute)

    def prepare(self, root: State) -> Context:
        return ()

    def value(self, context: Context, afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        return _judged(self.network.activation, self.absolute)(self.weights, (afterstate, seat))


def board_codec(network: MLP = JUDGE) -> GenomeCodec:
    """Genomes of networks that judge boards: inputs as the planes of a board of one point."""
    return GenomeCodec(network, BACKGAMMON_INPUTS, 1, 1)


@functools.cache
def _judged(activation: str, absolute: bool) -> Callable:
    def judge(weights: dict, given: tuple[Board, Array]) -> Array:
        parts = binary_counts(*given, absolute)
        return layers(weights, [x.reshape(-1, *x.shape[2:]) for x in parts], activation)[0]

    return batch_last(judge)
