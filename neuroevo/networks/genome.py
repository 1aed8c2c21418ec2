"""A genome is the flat vector of a network's parameters, in the alphabetical order of their names."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

from neuroevo.networks.base import BINARY


@dataclass(frozen=True)
class GenomeCodec:
    """Converts between genomes and the parameters of `network`, which sees [inputs, rows, columns]."""

    network: nn.Module
    inputs: int
    rows: int
    columns: int

    @property
    def genes(self) -> int:
        """The length of a genome. Counted without starting JAX: a config is checked before the devices are set up."""
        return sum(math.prod(leaf.shape) for leaf in jax.tree.leaves(_shapes(self)))

    def decode(self, genome: Float[Array, "genes"]) -> PyTree:
        """The network's parameters, by name. Raises ValueError if the length is wrong."""
        if genome.shape != (self.genes,):
            raise ValueError(f"a genome of {self.network} has {self.genes} genes, not shape {genome.shape}")
        return _unravel(self)(genome)

    def encode(self, parameters: PyTree) -> Float[Array, "genes"]:
        """The inverse of `decode`."""
        return ravel_pytree(parameters)[0]


@functools.cache
def _shapes(codec: GenomeCodec) -> PyTree:
    planes = jax.ShapeDtypeStruct((codec.inputs, codec.rows, codec.columns), jnp.float32)
    return jax.eval_shape(lambda x: codec.network.init(jax.random.key(0), x)["params"], planes)


@functools.cache
def _unravel(codec: GenomeCodec) -> Callable:
    with jax.ensure_compile_time_eval():
        return ravel_pytree(jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), _shapes(codec)))[1]


def codec(game: Any, network: Any, encoding: str = BINARY) -> GenomeCodec:
    """The codec of a flax `network` (a `base.Network`) for the inputs that it has in this game."""
    return GenomeCodec(network, *network.input_shape(game, encoding))


def for_each(function: Callable[[Array], Any], genomes: Array) -> Any:
    """`function(genome)` of each of genomes[…, genes]; every leaf of the result leads with the genomes' other axes."""
    for _ in genomes.shape[:-1]:
        function = jax.vmap(function)
    return function(genomes)
