"""Evolved networks that judge backgammon boards (Bibliowicz & Joshua 2005, section 3)."""

import functools
from collections.abc import Callable

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, UInt32

from jaxgames.checkers import DIGITS, POINTS, Board
from jaxgames.core import Context, Leaf, State
from neuroevo.encoders import BACKGAMMON_INPUTS, CODES, binary_counts, place_codes
from neuroevo.genome import GenomeCodec
from neuroevo.networks import MLP
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.mlp import ACTIVATIONS, layers

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


@flax.struct.dataclass
class BoardCrowd:
    """A `core.Crowd` of networks that judge boards, with random ties: for every place and what stands there the hidden
    sums are looked up, which costs less than products where each lane has weights of its own.
    """

    hidden: Leaf  # Float[members * places * CODES, hidden]
    output: Leaf  # Float[members hidden]
    output_bias: Leaf  # Float[members]
    activation: str = flax.struct.field(pytree_node=False, default=JUDGE.activation)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)

    @staticmethod
    def of(genomes: Float[Array, "members genes"], network: MLP = JUDGE, absolute: bool = False) -> "BoardCrowd":
        weights = jax.vmap(board_codec(network).decode)(genomes)
        bits = np.arange(CODES)[:, None] >> np.arange(DIGITS + 1) & 1
        points, beside = jnp.split(weights["hidden"], [POINTS * (DIGITS + 1)], -1)
        points = points.reshape(*points.shape[:2], POINTS, -1)
        beside = jnp.pad(beside.reshape(*beside.shape[:2], -1, DIGITS), [(0, 0)] * 3 + [(0, 1)])
        sums = jnp.einsum("ck,mhpk->mpch", jnp.float32(bits), jnp.concatenate([points, beside], 2))
        sums = sums.at[:, 0].add(weights["hidden_bias"][:, None])  # the first place has it for all
        return BoardCrowd(
            sums.reshape(-1, sums.shape[-1]), weights["output"][:, 0], weights["output_bias"][:, 0],
            network.activation, absolute,
        )  # fmt: skip

    def rate(
        self, member: Int[Array, ""], word: UInt32[Array, ""], seat: Int[Array, ""], afterstate: Board
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        codes = place_codes(afterstate, seat, self.absolute)
        first, hidden = member * (len(codes) * CODES), 0
        for place, code in enumerate(codes):
            hidden += self.hidden.at[first + place * CODES + code].get(mode="promise_in_bounds")
        seen = ACTIVATIONS[self.activation](hidden) * self.output.at[member].get(mode="promise_in_bounds")
        return seen.sum() + self.output_bias.at[member].get(mode="promise_in_bounds"), word


def board_codec(network: MLP = JUDGE) -> GenomeCodec:
    """Genomes of networks that judge boards: inputs as the planes of a board of one point."""
    return GenomeCodec(network, BACKGAMMON_INPUTS, 1, 1)


@functools.cache
def _judged(activation: str, absolute: bool) -> Callable:
    def judge(weights: dict, given: tuple[Board, Array]) -> Array:
        parts = binary_counts(*given, absolute)
        return layers(weights, [x.reshape(-1, *x.shape[2:]) for x in parts], activation)[0]

    return batch_last(judge)
