"""Players of stone games whose moves come from a network's preferences among the points."""

from collections.abc import Callable

import flax.linen as nn
import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, Memoryless, State, StoneGame
from jaxgames.core.faults import ranked
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
    reports_faults = True

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(the point, no memory)."""
        return self.decide(bits, seat, state, memory)[:2]

    def decide(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory, Bool[Array, ""]]:
        """See `core.faults`: as `act`, and whether a preference was no finite number."""
        empties, columns = self.game.empties(state), self.game.columns
        preferences, faults = ranked(self.preferences(state))
        preference = jnp.where(bb.to_mask(empties, columns), preferences, -jnp.inf)
        if self.temperature > 0:
            point = _gibbs(bits, jax.nn.sigmoid(preference) / self.temperature, preference > -jnp.inf)
        else:
            best = preference >= jnp.max(preference) - TIE_TOLERANCE
            point = bb.draw(bb.from_mask(best, columns), columns, bits)
        return point, memory, jnp.any(faults)

    def preferences(self, state: State) -> Float[Array, "points"]:
        """The network's output for every point, before the final sigmoid."""
        parameters = codec(self.game, self.network).decode(self.genome)
        return self.network.apply({"params": parameters}, self.encoder(self.game, state))  # type: ignore[return-value]


def _gibbs(bits: UInt32[Array, ""], logits: Float[Array, "points"], legal: Array) -> Int[Array, ""]:
    """A draw in proportion to exp(logits): the largest of the logits plus Gumbel noise."""
    uniform = (more_bits(bits, logits.size) >> 8).astype(jnp.float32) / 2**24 + 2.0**-25
    return jnp.argmax(jnp.where(legal, logits - jnp.log(-jnp.log(uniform)), -jnp.inf)).astype(jnp.int32)
