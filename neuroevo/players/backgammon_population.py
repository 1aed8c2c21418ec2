"""A population of networks that value backgammon boards, as one player of the walk arena: any two may meet in any lane.

The sums into the hidden units are looked up instead of multiplied: a table has a row for every network, place and
number of men that may stand there. In lanes with weights of their own this costs less than matrix products.
"""

from collections.abc import Sequence

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, UInt32

from jaxgames import Results
from jaxgames.arena import Seating
from jaxgames.core import Context, Leaf
from jaxgames.games.backgammon.board import POINTS, Board
from jaxgames.games.backgammon.rules import BackgammonState
from jaxgames.players.pubeval import Pubeval
from neuroevo.encoders.backgammon import BESIDE, CODES, place_codes, place_inputs
from neuroevo.networks import MLP
from neuroevo.networks.base import BINARY
from neuroevo.networks.mlp import ACTIVATIONS
from neuroevo.players.backgammon_value import VALUE_MLP, board_codec

PLACES = POINTS + BESIDE


@flax.struct.dataclass
class BackgammonPopulation:
    """A `core.Crowd`, which makes any of the plays with the highest value.

    hidden: Float[members · PLACES · CODES, hidden], what a code at a place adds to the sums into the hidden units
    output: Float[members hidden]
    output_bias: Float[members]
    activation: one of `networks.mlp.ACTIVATIONS`
    absolute: see `BackgammonValue`
    pubeval: whether Pubeval is a further member, the last one
    """

    hidden: Leaf
    output: Leaf
    output_bias: Leaf
    activation: str = flax.struct.field(pytree_node=False, default=VALUE_MLP.activation)
    absolute: bool = flax.struct.field(pytree_node=False, default=False)
    pubeval: bool = flax.struct.field(pytree_node=False, default=False)
    reports_faults = True

    @staticmethod
    def of(
        genomes: Float[Array, "members genes"], network: MLP = VALUE_MLP, encoding: str = BINARY
    ) -> "BackgammonPopulation":
        """The members in the order of their genomes."""
        weights = jax.vmap(board_codec(network, encoding).decode)(genomes)
        points, beside = place_inputs(encoding)
        on_points, besides = jnp.split(weights["hidden"], [POINTS * points.shape[-1]], -1)
        shape = on_points.shape[:2]
        sums = [
            jnp.einsum("ci,mhpi->mpch", points, on_points.reshape(*shape, POINTS, -1)),
            jnp.einsum("pci,mhpi->mpch", beside, besides.reshape(*shape, BESIDE, -1)),
        ]
        hidden = jnp.concatenate(sums, 1).at[:, 0].add(weights["hidden_bias"][:, None])  # the bias, at one place
        table = hidden.reshape(-1, hidden.shape[-1])
        return BackgammonPopulation(table, weights["output"][:, 0], weights["output_bias"][:, 0], network.activation)

    def prepare(self, root: BackgammonState) -> Context:
        """What Pubeval has to know of the position before the play, if it is a member."""
        return Pubeval().prepare(root) if self.pubeval else ()

    def rate(
        self,
        member: Int[Array, ""],
        bits: UInt32[Array, ""],
        seat: Int[Array, ""],
        afterstate: Board,
        context: Context,
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """(the member's value of the afterstate for `seat`, which has moved; the rank among equals, which is drawn)."""
        value = self._value(member, afterstate, seat)
        if self.pubeval:
            pubeval = Pubeval().value(context, afterstate, seat)
            value = jnp.where(member == len(self.output_bias), pubeval, value)
        return value, bits

    def _value(self, member: Int[Array, ""], afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        first, hidden = member * (PLACES * CODES), 0
        for place, code in enumerate(place_codes(afterstate, seat, self.absolute)):
            hidden += self.hidden.at[first + place * CODES + code].get(mode="clip")
        seen = ACTIVATIONS[self.activation](hidden) * self.output.at[member].get(mode="clip")
        return seen.sum() + self.output_bias.at[member].get(mode="clip")


def shares(
    of_game: Float[Array, "blocks games seats"], pairs: Sequence[Seating], members: int
) -> Float[Array, "blocks members"]:
    """The mean of `of_game` over each member's games and seats; game g is played by pair g modulo their number.

    A number in `pairs` that is not below `members` is somebody else.
    """
    seated = np.resize(np.array(pairs, np.int32), (of_game.shape[1], 2))
    sits = jax.nn.one_hot(seated, members)  # all 0 for somebody else
    return jnp.einsum("bgs,gsm->bm", of_game, sits) / sits.sum((0, 1))


def won(results: Results) -> Float[Array, "blocks games seats"]:
    """1 for the seat that wins, else 0; nobody wins a truncated game."""
    return jax.nn.one_hot(results.winning_seat, 2)
