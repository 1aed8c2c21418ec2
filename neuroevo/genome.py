"""A genome is the flat vector of a network's parameters, in the alphabetical order of their names."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree


@dataclass(frozen=True)
class GenomeCodec:
    """Flat vector ↔ parameters of `network` for inputs of the given shape."""

    network: nn.Module
    inputs: int
    rows: int
    columns: int

    @property
    def genes(self) -> int:
        return _layout(self)[0]

    def decode(self, genome: Float[Array, "genes"]) -> PyTree:
        """The network's parameters. Raises ValueError if the length is wrong."""
        genes, unravel = _layout(self)
        if genome.shape != (genes,):
            raise ValueError(f"a genome of {self.network} has {genes} genes, not shape {genome.shape}")
        return unravel(genome)

    def encode(self, parameters: PyTree) -> Float[Array, "genes"]:
        return ravel_pytree(parameters)[0]


@functools.cache
def _layout(codec: GenomeCodec) -> tuple[int, Callable]:
    planes = jax.ShapeDtypeStruct((codec.inputs, codec.rows, codec.columns), jnp.float32)
    shapes = jax.eval_shape(codec.network.init, jax.random.key(0), planes)["params"]
    with jax.ensure_compile_time_eval():
        flat, unravel = ravel_pytree(jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes))
    return flat.size, unravel
