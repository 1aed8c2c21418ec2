"""Players whose moves come from a network of evolved neurons."""

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, State
from jaxgames.games.pente.rules import Pente
from jaxgames.xla import pick
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.genome import codec
from neuroevo.networks.neurons import Layers, Neurons, think


@flax.struct.dataclass
class NeuronPlayer:
    """Plays the point with the largest output of a `Neurons` network, of equals the first; if it can complete five, it
    does. It sees the board from its own side, also while others are to move.
    """

    layers: Leaf  # see `neurons.Layers`
    game: Pente = flax.struct.field(pytree_node=False)
    network: Neurons = flax.struct.field(pytree_node=False)

    @staticmethod
    def of(genomes: Float[Array, "*population genes"], game: Pente, network: Neurons) -> "NeuronPlayer":
        def layers(genome: Float[Array, "genes"]) -> Layers:
            neurons = codec(game, network).decode(genome)["neurons"]
            return network.layers(neurons, game.num_seats, game.num_actions)

        for _ in genomes.shape[:-1]:
            layers = jax.vmap(layers)
        return NeuronPlayer(layers(genomes), game, network)

    def reset(self, word: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        return jnp.zeros(self.network.hidden) if self.network.recurrent else ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        if self.network.memory != "all":
            return memory
        activations = _activations(self.layers, self._sight(seat, state, memory))
        return jnp.where(self.game.to_move(state) == seat, memory, activations)

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        points = bb.first_nonempty(self.game.fives(state, 0), self.game.empties(state))
        action, activations = _chosen(self.layers, (self._sight(seat, state, memory), points))
        return action, activations if self.network.recurrent else memory

    def _sight(self, seat: Int[Array, ""], state: State, memory: Memory) -> "Sight":
        seats = state.stones, state.captured
        if self.network.memory == "all":  # both begin with the seat to move
            ahead = (seat - self.game.to_move(state)) % self.game.num_seats
            seats = pick(ahead, [[x[i:] + x[:i] for x in seats] for i in range(self.game.num_seats)])
        words = [word for board in seats[0] for word in board]
        captured = jnp.stack(seats[1]) / self.game.captures_to_win if self.network.captures else ()
        return Sight(jnp.stack(words), captured, memory if self.network.recurrent else (), self.game.columns)


@flax.struct.dataclass
class Sight:
    """What a neuron player sees; further axes are further positions."""

    stones: Leaf  # UInt32[words ...], its own board's first
    captured: Leaf  # Float[seats ...], of what wins; () where captures are not seen
    past: Leaf  # Float[hidden ...], () without memory
    columns: int = flax.struct.field(pytree_node=False)

    @property
    def seen(self) -> Float[Array, "inputs ..."]:
        stones = _unpacked(self.stones, self.columns).astype(jnp.float32)
        if isinstance(self.captured, tuple):
            return stones
        seats, *batch = self.captured.shape
        both = [stones.reshape(seats, -1, *batch), self.captured[:, None]]
        return jnp.concatenate(both, 1).reshape(-1, *batch)


@batch_last
def _activations(layers: Layers, sight: Sight) -> jax.Array:
    return think(layers, sight.seen, sight.past)[1]


@batch_last
def _chosen(layers: Layers, given: tuple[Sight, bb.Board]) -> tuple[jax.Array, jax.Array]:
    """(the first of the points with the largest output, activations)."""
    sight, points = given
    outputs, activations = think(layers, sight.seen, sight.past)
    best, action = jnp.full_like(outputs[0], -jnp.inf), jnp.zeros_like(outputs[0], jnp.int32)
    for point, output in enumerate(outputs):  # an argmax over the first axis would not become vector instructions
        row, column = divmod(point, sight.columns)
        better = (points[row] >> column & 1 != 0) & (output > best)
        best, action = jnp.where(better, output, best), jnp.where(better, point, action)
    return action, activations


def _unpacked(words: jax.Array, columns: int) -> jax.Array:
    """UInt32[words ...] → 0 or 1 for each point, UInt32[points ...]."""
    bits = np.arange(columns, dtype=np.uint32).reshape(columns, *[1] * (words.ndim - 1))
    return ((words[:, None] >> bits) & 1).reshape(-1, *words.shape[1:])
