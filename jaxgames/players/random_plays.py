"""The player that draws among the plays of a walkable game: each afterstate is equally likely."""

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames.core import Context, State


@flax.struct.dataclass
class RandomPlays:
    """All plays are equal to it, so that the largest random bits decides; within a walk no two are alike."""

    def prepare(self, root: State) -> Context:
        return ()

    def rate(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        return jnp.float32(0), bits
