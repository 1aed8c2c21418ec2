"""A genome is the flat vector of a network's parameters, in the alphabetical order of their names."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

from jaxgames.core import StoneGame
from neuroevo.encoders.pente import NUM_BESIDES_POINTS
from neuroevo.networks.value import ValueNetwork


@dataclass(frozen=True)
class GenomeCodec:
    """Flat vector ↔ parameters of `network` for inputs of the given shape."""

    network: nn.Module
    inputs: int
    rows: int
    columns: int

    @property
    def genes(self) -> int:
        """Counted without starting JAX, so that a config can be checked before the devices are set up."""
        return sum(math.prod(leaf.shape) for leaf in jax.tree.leaves(_shapes(self)))

    def decode(self, genome: Float[Array, "genes"]) -> PyTree:
        """The network's parameters. Raises ValueError if the length is wrong."""
        if genome.shape != (self.genes,):
            raise ValueError(f"a genome of {self.network} has {self.genes} genes, not shape {genome.shape}")
        return _unravel(self)(genome)

    def encode(self, parameters: PyTree) -> Float[Array, "genes"]:
        return ravel_pytree(parameters)[0]


@functools.cache
def _shapes(codec: GenomeCodec) -> PyTree:
    planes = jax.ShapeDtypeStruct((codec.inputs, codec.rows, codec.columns), jnp.float32)
    return jax.eval_shape(lambda x: codec.network.init(jax.random.key(0), x)["params"], planes)


@functools.cache
def _unravel(codec: GenomeCodec) -> Callable:
    with jax.ensure_compile_time_eval():
        return ravel_pytree(jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), _shapes(codec)))[1]


def codec(game: StoneGame, network: nn.Module) -> GenomeCodec:
    if isinstance(network, ValueNetwork):
        return GenomeCodec(network, game.num_actions + NUM_BESIDES_POINTS, 1, 1)
    return GenomeCodec(network, game.num_seats, game.rows, game.columns)
