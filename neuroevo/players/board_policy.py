"""Players of stone games whose moves come from a network's preferences among the points."""

from collections.abc import Callable

import flax.linen as nn
import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, Memoryless, State, StoneGame
from jaxgames.randomness import more_bits
from neuroevo.encoders.planes import own_first
from neuroevo.networks.genome import codec

TIE_TOLERANCE = 1e-3  # above the rounding of a 5×5 MDRNN (2e-4): the shape of a matrix product must not break ties


@flax.struct.dataclass
class NetworkPlayer(Memoryless):
    """Plays where its network prefers to (Schaul & Schmidhuber 2008).

    At temperature 0 it is greedy: uniform among the empty points whose preference is within TIE_TOLERANCE of the
    largest. Above it draws from the Gibbs distribution of the outputs: softmax(sigmoid(preference) / temperature).

    genome: Float[… genes]
    encoder: (game, state) → planes[inputs, rows, columns], one of `encoders.ENCODERS`
    """

    genome: Leaf
    game: StoneGame = flax.struct.field(pytree_node=False)
    network: nn.Module = flax.struct.field(pytree_node=False)
    encoder: Callable = flax.struct.field(pytree_node=False, default=own_first)
    temperature: float = flax.struct.field(pytree_node=False, default=0.0)

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(the point, no memory)."""
        empties, columns = self.game.empties(state), self.game.columns
        preference = jnp.where(bb.to_mask(empties, columns), self.preferences(state), -jnp.inf)
        if self.temperature > 0:
            return _gibbs(bits, jax.nn.sigmoid(preference) / self.temperature, preference > -jnp.inf), memory
        best = preference >= jnp.max(preference) - TIE_TOLERANCE
        return bb.draw(bb.from_mask(best, columns), columns, bits), memory

    def preferences(self, state: State) -> Float[Array, "points"]:
        """The network's output for every point, before the final sigmoid."""
        parameters = codec(self.game, self.network).decode(self.genome)
        return self.network.apply({"params": parameters}, self.encoder(self.game, state))  # type: ignore[return-value]


def _gibbs(bits: UInt32[Array, ""], logits: Float[Array, "points"], legal: Array) -> Int[Array, ""]:
    """A draw in proportion to exp(logits): the largest of the logits plus Gumbel noise."""
    uniform = (more_bits(bits, logits.size) >> 8).astype(jnp.float32) / 2**24 + 2.0**-25
    return jnp.argmax(jnp.where(legal, logits - jnp.log(-jnp.log(uniform)), -jnp.inf)).astype(jnp.int32)
