"""The player that makes the play of the highest value."""

import flax.struct
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames.core import Context, Leaf, State
from jaxgames.core.faults import reports


@flax.struct.dataclass
class Greedy:
    """Plays by a value of afterstates. Of equal plays it makes the first, or with `random_ties` a drawn one."""

    value_function: Leaf  # core.Value
    random_ties: bool = flax.struct.field(pytree_node=False, default=False)

    @property
    def reports_faults(self) -> bool:
        """As the value does, see `core.faults`."""
        return reports(self.value_function)

    def prepare(self, root: State) -> Context:
        """See `core.AfterstatePlayer`."""
        return self.value_function.prepare(root)

    def rate(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """(the value, the random bits or 0)."""
        return self.value_function.value(context, afterstate, seat), bits if self.random_ties else jnp.uint32(0)
