"""Many networks that judge backgammon boards, as one player of the walk arena: any two of them may meet in any lane.

Hidden sums are looked up: for every network and place there is a row for each thing that may stand there. That costs
less than products where every lane has weights of its own, and no evaluation is for nothing.
"""

from collections.abc import Sequence

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, UInt32

from jaxgames import WalkResults
from jaxgames.arena.schedule import Seating
from jaxgames.core import Context, Leaf
from jaxgames.games.backgammon.board import POINTS, Board
from jaxgames.games.backgammon.rules import BackgammonState
from jaxgames.players.pubeval import Pubeval
from neuroevo.encoders.backgammon import BESIDE, CODES, place_codes, place_inputs
from neuroevo.networks import MLP
from neuroevo.networks.mlp import ACTIVATIONS
from neuroevo.players.backgammon_value import JUDGE, board_codec

PLACES = POINTS + BESIDE


@flax.struct.dataclass
class BoardCrowd:
    """A `core.Crowd`; of equal plays any is made. With `pubeval` that player is one more member, the last."""

    hidden: Leaf  # Float[members * places * CODES, hidden]
    output: Leaf  # Float[members hidden]
    output_bias: Leaf  # Float[members]
    activation: str = flax.struct.field(pytree_node=False, default=JUDGE.activation)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)
    pubeval: bool = flax.struct.field(pytree_node=False, default=False)

    @staticmethod
    def of(genomes: Float[Array, "members genes"], network: MLP = JUDGE, encoding: str = "binary") -> "BoardCrowd":
        weights = jax.vmap(board_codec(network, encoding).decode)(genomes)
        points, beside = place_inputs(encoding)
        on_points, besides = jnp.split(weights["hidden"], [POINTS * points.shape[-1]], -1)
        shape = on_points.shape[:2]
        sums = [
            jnp.einsum("ci,mhpi->mpch", points, on_points.reshape(*shape, POINTS, -1)),
            jnp.einsum("pci,mhpi->mpch", beside, besides.reshape(*shape, BESIDE, -1)),
        ]
        hidden = jnp.concatenate(sums, 1).at[:, 0].add(weights["hidden_bias"][:, None])  # of one place for all
        table = hidden.reshape(-1, hidden.shape[-1])
        return BoardCrowd(table, weights["output"][:, 0], weights["output_bias"][:, 0], network.activation)

    def prepare(self, root: BackgammonState) -> Context:
        return Pubeval().prepare(root) if self.pubeval else ()

    def rate(
        self,
        member: Int[Array, ""],
        word: UInt32[Array, ""],
        seat: Int[Array, ""],
        afterstate: Board,
        context: Context,
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        found = self._judged(member, afterstate, seat)
        if self.pubeval:
            theirs = Pubeval().value(context, afterstate, seat)
            found = jnp.where(member == len(self.output_bias), theirs, found)
        return found, word

    def _judged(self, member: Int[Array, ""], afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        first, hidden = member * (PLACES * CODES), 0
        for place, code in enumerate(place_codes(afterstate, seat, self.absolute)):
            hidden += self.hidden.at[first + place * CODES + code].get(mode="clip")
        seen = ACTIVATIONS[self.activation](hidden) * self.output.at[member].get(mode="clip")
        return seen.sum() + self.output_bias.at[member].get(mode="clip")


def shares(
    of_game: Float[Array, "blocks games seats"], pairs: Sequence[Seating], members: int
) -> Float[Array, "blocks members"]:
    """The mean over each member's games; game g is of pair g modulo their number."""
    seated = np.resize(np.array(pairs, np.int32), (of_game.shape[1], 2))
    sits = jax.nn.one_hot(seated, members)  # all 0 for one who is none
    return jnp.einsum("bgs,gsm->bm", of_game, sits) / sits.sum((0, 1))


def won(results: WalkResults) -> Float[Array, "blocks games seats"]:
    """1 for the seat that wins; nobody wins a game that is broken off."""
    return jax.nn.one_hot(results.winner, 2)
