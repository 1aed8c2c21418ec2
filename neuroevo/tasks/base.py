"""What every task offers, and what tasks share: the player of a genome, and the score of a game."""

from typing import Any, Protocol, runtime_checkable

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import Backgammon
from jaxgames.arena import Results
from jaxgames.core import StoneGame
from neuroevo.networks import Neurons
from neuroevo.networks.base import FOCUSED_SEARCH
from neuroevo.networks.genome import codec
from neuroevo.players import player_of
from neuroevo.players.champion import Champion
from neuroevo.strategies.evaluation import Evaluation, Opponents, without_faults

CANDIDATE, OPPONENT = 0, 1


@runtime_checkable
class Task(Protocol):
    """Scores whole populations. Replicas are independent: each has its own stream and its own opponents.

    game: the rules
    network: the network that genomes are decoded into
    """

    game: Any
    network: Any

    @property
    def genes(self) -> int:
        """Number of genes of a genome."""
        ...

    @property
    def gene_type(self) -> Any:
        """The dtype of the genes that its networks are built from."""
        ...

    def player(self, genomes: jax.Array) -> Any:
        """The players of genomes[…, genes] as one batched player, whose leaves lead with the same axes."""
        ...

    def games_of(self, population: int, opponents: int | None) -> int:
        """Number of games in one evaluation of a population. `opponents`: their number, None without any."""
        ...

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None) -> Evaluation:
        """Plays the games of every genome. All genomes of a replica meet the same random numbers.

        streams: UInt32[replicas]
        genomes: [replicas population genes], of `gene_type`

        Every leaf of `opponents` and of the evaluation leads with the replicas.
        """
        ...

    def absolute(self) -> Any:
        """The task against fixed opponents in which champions of this task are compared."""
        ...


class NetworkGames:
    """Mixin of tasks in which networks play a game of two seats.

    network: rates the points of a board.
    speed_weight: the part of a game's score that depends on its length, see `score`.
    temperature: of the draw among moves, 0 for the best move, see `NetworkPlayer`.
    encoder: what the network sees of a position, one of `encoders.ENCODERS`.
    """

    game: StoneGame
    network: nn.Module
    speed_weight: float
    temperature: float
    encoder: str
    gene_type = np.float32

    @property
    def genes(self) -> int:
        """Number of genes of a genome."""
        return codec(self.game, self.network).genes

    def player(self, genomes: jax.Array) -> Champion:
        """See `Task.player`."""
        return player_of(self.network, genomes, self.game, encoder=self.encoder, temperature=self.temperature)

    def lateness(self, results: Results) -> jax.Array:
        """Float, like results.plies: 0 for a game as short as a decided one can be, 1 for the longest."""
        shortest, longest = self.game.min_plies, self.game.max_plies
        return (results.plies - shortest) / max(longest - shortest, 1)

    def score(self, results: Results) -> jax.Array:
        """The score of each game for the candidate (Schaul & Schmidhuber 2008, section IV-C).

        A win scores 1 − p (M − M_min) / (M_max − M_min), a loss the negative of it and a draw 0, where M is the number
        of plies and p is `speed_weight`.
        """
        return results.returns[..., CANDIDATE] * (1 - self.speed_weight * self.lateness(results))

    def evaluation(self, results: Results, cases: list[jax.Array], replicas: int) -> Evaluation:
        """The evaluation whose fitness is the mean score, see `evaluation_of`. cases: each Float[genomes]."""
        return evaluation_of(results, self.score(results).mean(-1), jnp.stack(cases, -1), replicas)

    def check(self, games: int, lanes: int, even: bool = False) -> None:
        """Raises ValueError for what these tasks cannot do. `even`: the candidate needs every seat equally often."""
        if isinstance(self.game, Backgammon):
            raise ValueError("game=backgammon needs task=round_robin or task=versus_pubeval")
        if self.game.num_seats != 2 and not (even and isinstance(self.network, Neurons)):
            raise ValueError(f"networks play games of 2 seats here; {self.game} has {self.game.num_seats}")
        if getattr(self.network, "recurrent", False) or getattr(self.network, "captures", False):
            raise ValueError("a network that remembers or sees captures plays in task=gauntlet only")
        if self.network.player_kind(self.game) == FOCUSED_SEARCH:  # raises ValueError where the network does not play
            raise ValueError("a network that focuses a search plays in task=focus only")
        if games < 1 or lanes < 1 or self.temperature < 0:
            raise ValueError(
                f"games and lanes must be at least 1 and temperature at least 0, "
                f"not {games}, {lanes} and {self.temperature}"
            )
        if even and games % self.game.num_seats:
            raise ValueError(
                f"games must be a multiple of {self.game.num_seats}, so that both have every seat equally often, "
                f"not {games}"
            )


def evaluation_of(results: Results, fitness: jax.Array, cases: jax.Array, replicas: int) -> Evaluation:
    """The evaluation of games in which player 0 is the candidate. Its leaves lead with [replicas population].

    results: leaves lead with [genomes games], the genomes replica by replica
    fitness: Float[genomes]
    cases: Float[genomes cases], all of opponents that are present
    """
    drawn = (results.winner == -1) & results.finished
    measures = {
        "fitness": fitness,
        "cases": cases,
        "wins": (results.winner == CANDIDATE).mean(-1),
        "draws": drawn.mean(-1),
        "truncated": (~results.finished).mean(-1),
        "plies": results.plies.mean(-1),
        "busy": results.busy,
    }
    arranged = {name: x.reshape(replicas, -1, *x.shape[1:]) for name, x in measures.items()}
    evaluation = Evaluation(present=jnp.ones((replicas, cases.shape[-1]), bool), **arranged)
    return without_faults(evaluation, faulty_candidates(results, 1, (replicas, -1)))


def faulty_candidates(results: Results, axes: int, shape: tuple[int, ...]) -> jax.Array | None:
    """Bool[replicas population]: genomes whose network gave outputs that are not finite (`jaxgames.core.faults`).

    results: games in which player 0 is the candidate
    axes: number of last axes of the results that belong to one genome
    shape: replicas and population

    None if no player reports faults.
    """
    if results.faults is None:
        return None
    return results.faults[..., CANDIDATE].any(tuple(range(-axes, 0))).reshape(shape)
