"""Players of Pente whose moves come from a `Neurons` network, with or without memory (Schrum's Pente experiments)."""

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, State
from jaxgames.core.faults import ranked
from jaxgames.games.pente.rules import Pente
from jaxgames.xla import pick
from neuroevo.networks.batch_last import batch_last
from neuroevo.networks.genome import codec, for_each
from neuroevo.networks.neurons import Layers, Neurons, think


@flax.struct.dataclass
class NeuronPlayer:
    """Plays the point with the largest output, of equals the first; but if it can complete five, it does.

    It sees the board from its own side, also while others are to move. Its memory is Float[hidden], the activations
    that the network sees next, or () without one.

    layers: the weights, see `networks.neurons.Layers`
    """

    layers: Leaf
    game: Pente = flax.struct.field(pytree_node=False)  # that it plays
    network: Neurons = flax.struct.field(pytree_node=False)
    reports_faults = True

    @staticmethod
    def of(genomes: Float[Array, "*population genes"], game: Pente, network: Neurons) -> "NeuronPlayer":
        """Every leaf leads with the population's axes. Raises ValueError for genomes of the wrong length."""

        def layers(genome: Float[Array, "genes"]) -> Layers:
            neurons = codec(game, network).decode(genome)["neurons"]
            return network.layers(neurons, game.num_seats, game.num_actions)

        return NeuronPlayer(for_each(layers, genomes), game, network)

    def reset(self, bits: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        """No activation before the first ply."""
        return jnp.zeros(self.network.hidden) if self.network.recurrent else ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        """With memory `all`: the activations after looking at a position in which another seat is to move."""
        if self.network.memory != "all":
            return memory
        activations = _activations(self.layers, self._sight(seat, state, memory))
        return jnp.where(self.game.to_move(state) == seat, memory, activations)

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(the point, the memory after the ply)."""
        return self.decide(bits, seat, state, memory)[:2]

    def decide(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory, Bool[Array, ""]]:
        """See `core.faults`: as `act`, and whether an output was no finite number."""
        points = bb.first_nonempty(self.game.fives(state, 0), self.game.empties(state))
        action, activations, fault = _chosen(self.layers, (self._sight(seat, state, memory), points))
        return action, activations if self.network.recurrent else memory, fault

    def _sight(self, seat: Int[Array, ""], state: State, memory: Memory) -> "Sight":
        seats = state.stones, state.captured
        if self.network.memory == "all":  # both begin with the seat to move
            ahead = (seat - self.game.to_move(state)) % self.game.num_seats
            seats = pick(ahead, [[x[i:] + x[:i] for x in seats] for i in range(self.game.num_seats)])
        rows = [row for board in seats[0] for row in board]
        captured = jnp.stack(seats[1]) / self.game.captures_to_win if self.network.captures else ()
        return Sight(jnp.stack(rows), captured, memory if self.network.recurrent else (), self.game.columns)


@flax.struct.dataclass
class Sight:
    """What a neuron player sees. Further axes behind those given are further positions.

    stones: UInt32[seats · rows …], bitboards, the player's own first
    captured: Float[seats …], captured stones over the number that wins; () where captures are not seen
    past: Float[hidden …], the stored activations; () without memory
    """

    stones: Leaf
    captured: Leaf
    past: Leaf
    columns: int = flax.struct.field(pytree_node=False)  # of the board

    @property
    def seen(self) -> Float[Array, "inputs ..."]:
        """The network's inputs: for each seat its points, then its captures if they are seen."""
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
def _chosen(layers: Layers, given: tuple[Sight, bb.Board]) -> tuple[jax.Array, jax.Array, jax.Array]:
    """(the first of the given points with the largest output, activations, whether an output is a fault)."""
    sight, points = given
    outputs, activations = think(layers, sight.seen, sight.past)
    outputs, faults = ranked(outputs)
    best, action = jnp.full_like(outputs[0], -jnp.inf), jnp.zeros_like(outputs[0], jnp.int32)
    for point, output in enumerate(outputs):  # an argmax over the first axis would not become vector instructions
        row, column = divmod(point, sight.columns)
        better = (points[row] >> column & 1 != 0) & (output > best)
        best, action = jnp.where(better, output, best), jnp.where(better, point, action)
    return action, activations, jnp.any(faults, 0)


def _unpacked(rows: jax.Array, columns: int) -> jax.Array:
    """0 or 1 for each point, UInt32[points …], of bitboards UInt32[rows …]."""
    places = np.arange(columns, dtype=np.uint32).reshape(columns, *[1] * (rows.ndim - 1))
    return ((rows[:, None] >> places) & 1).reshape(-1, *rows.shape[1:])
