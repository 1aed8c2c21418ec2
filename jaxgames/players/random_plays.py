"""The player that draws among the plays of a WalkableGame: each afterstate is equally likely."""

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames.core import Context, State


@flax.struct.dataclass
class RandomPlays:
    """All plays have the same value, so that the random bits decide; those of a position's plays all differ."""

    def prepare(self, root: State) -> Context:
        """Nothing."""
        return ()

    def rate(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """(0, the random bits)."""
        return jnp.float32(0), bits
