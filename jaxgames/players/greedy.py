"""The player that makes the play with the highest value."""

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames.core import Context, Leaf, State


@flax.struct.dataclass
class Greedy:
    """`judge` is a `core.Value`. Of equal plays the first one met, or with `random_ties` any of them."""

    judge: Leaf
    random_ties: bool = flax.struct.field(pytree_node=False, default=False)

    def prepare(self, root: State) -> Context:
        return self.judge.prepare(root)

    def rate(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        return self.judge.value(context, afterstate, seat), bits if self.random_ties else jnp.uint32(0)
