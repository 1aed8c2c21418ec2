"""Choice by value: a player judges every position that it can move to, and takes the best (Muijrers 2011, section 3.1).

Not one of the 361 positions is built. A hidden unit's input after a move is its input before it plus what changes: the
new stone, captured stones, captures, and whose move it is.
"""

import flax.struct
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.core import Leaf, Memory, Memoryless, State
from jaxgames.pente import AROUND, Pente, PenteState
from neuroevo.encoders import PER_CAPTURE, pente_features
from neuroevo.networks.value import Weights

PAIR = 2  # stones captured in one direction


def capture_changes(game: Pente, hidden: Float[Array, "hidden features"]) -> Float[Array, "directions hidden points"]:
    """How each hidden unit's input changes where a move captures in a direction of AROUND."""
    board = hidden[:, : game.num_actions].reshape(-1, game.rows, game.columns)
    edge = 2
    padded = jnp.pad(board, ((0, 0), (edge, edge), (edge, edge)))
    found = []
    for down, right in AROUND:
        gone = [
            padded[:, edge + i * down : edge + i * down + game.rows, edge + i * right : edge + i * right + game.columns]
            for i in range(1, PAIR + 1)
        ]
        found.append(sum(gone[1:], gone[0]).reshape(len(hidden), -1))
    return jnp.stack(found) + hidden[:, game.num_actions, None] * PAIR / PER_CAPTURE


@flax.struct.dataclass
class Outlook:
    """What the rules say of a position to the seat to move."""

    features: Leaf  # Float[features]
    catching: Leaf  # Bool[directions points]: where a move captures in a direction of AROUND


def outlook(game: Pente, state: PenteState) -> Outlook:
    catching = [bb.to_mask(game.catching(state, way), game.columns) for way in AROUND]
    return Outlook(pente_features(game, state, game.to_move(state)), jnp.stack(catching))


def judge(weights: Weights, changes: jax.Array, seen: Outlook) -> Float[Array, "points"]:
    """The value, for the seat to move, of the position after a move to each point; where none is possible it means
    nothing. `changes`: what `capture_changes` says of these weights. An opponent's stone that leaves the board was −1.
    """
    hidden, points = weights["hidden"], seen.catching.shape[1]
    turn = points + PAIR  # the input that says whose move it is: 1 before, −1 after
    before = hidden @ seen.features - 2 * hidden[:, turn]
    after = before[:, None] + hidden[:, :points]
    after = jax.lax.cond(
        jnp.any(seen.catching),
        lambda: after + jnp.einsum("dp,dhp->hp", seen.catching.astype(jnp.float32), changes),
        lambda: after,
    )
    return weights["output"] @ jax.nn.sigmoid(after)


@flax.struct.dataclass
class ValuePlayer(Memoryless):
    """Moves to the position of the largest value, of equals the first. With `finishes` a move that wins at once goes
    before all others, whatever the network says.
    """

    weights: Leaf
    changes: Leaf
    game: Pente = flax.struct.field(pytree_node=False)
    finishes: bool = flax.struct.field(pytree_node=False, default=False)

    @staticmethod
    def of(weights: Weights, game: Pente, finishes: bool = False) -> "ValuePlayer":
        return ValuePlayer(weights, capture_changes(game, weights["hidden"]), game, finishes)

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        points = self.game.empties(state)
        if self.finishes:
            points = bb.first_nonempty(self.game.tactics(state)[0], points)
        return best(judge(self.weights, self.changes, outlook(self.game, state)), points, self.game.columns), memory


def best(values: Float[Array, "points"], among: bb.Board, columns: int) -> Int[Array, ""]:
    """The first point with the largest value."""
    return jnp.argmax(jnp.where(bb.to_mask(among, columns), values, -jnp.inf)).astype(jnp.int32)
