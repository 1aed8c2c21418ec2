"""Fitness by games of backgammon, all against all (Bibliowicz & Joshua 2005): the share of its games that a player wins.

A game that reaches the ply cap is lost by both.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import Backgammon, Schedule, WalkResults, play_crowd, play_walks
from jaxgames.players import Greedy, pubeval_player
from jaxgames.randomness import mix
from jaxgames.schedule import Seating
from jaxgames.walk_arena import PLY_CAP
from neuroevo.evaluation import Evaluation, Opponents
from neuroevo.networks import MLP
from neuroevo.values import BoardCrowd, BoardNetwork, board_codec

CANDIDATE = 0
NARROWING, NARROWEST = 3, 8  # lanes: each time so many times fewer, down to so many


@dataclass(frozen=True)
class BoardJudges:
    """Mixin of tasks for networks that judge boards. With `absolute` colours are those of seats, see `binary_counts`."""

    game: Backgammon
    network: MLP
    games: int
    ply_cap: int
    absolute_colours: bool
    gene_type = np.float32

    @property
    def genes(self) -> int:
        return board_codec(self.network).genes

    def player(self, genomes: jax.Array) -> Greedy:
        """Every leaf leads with the genomes."""
        judges = jax.vmap(lambda genome: BoardNetwork.of(genome, self.network, self.absolute_colours))(genomes)
        return Greedy(judges, random_ties=True)

    def check(self) -> None:
        """Raises ValueError for another game or network than these tasks know, and for an odd number of games."""
        if not isinstance(self.game, Backgammon) or not isinstance(self.network, MLP):
            raise ValueError("round_robin and versus_pubeval need game=backgammon and network=mlp or network=judge")
        if self.games < 2 or self.games % 2:
            raise ValueError(f"games must be even, so that both start equally often, not {self.games}")
        if self.ply_cap < 1:
            raise ValueError(f"ply_cap must be at least 1, not {self.ply_cap}")


@dataclass(frozen=True)
class VersusPubeval(BoardJudges):
    """The share of games won against Pubeval. There is one case."""

    game: Backgammon
    network: MLP
    games: int = 50
    ply_cap: int = PLY_CAP
    absolute_colours: bool = False
    lanes: int = 50

    def __post_init__(self):
        self.check()
        if self.lanes < 1:
            raise ValueError(f"lanes must be at least 1, not {self.lanes}")

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games

    def absolute(self) -> "VersusPubeval":
        return self

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        replicas, population, genes = genomes.shape
        results = self.play(jnp.repeat(streams, population), genomes.reshape(-1, genes))
        wins = (results.winner == CANDIDATE).mean(-1)
        found = Evaluation(
            wins, wins[:, None], None, wins, (~results.finished).mean(-1), results.plies.mean(-1), results.busy
        )
        arranged = jax.tree.map(lambda x: x.reshape(replicas, population, *x.shape[1:]), found)
        return arranged.replace(counted=jnp.ones((replicas, 1), bool))

    def play(self, streams: jax.Array, genomes: jax.Array) -> WalkResults:
        """streams[blocks], genomes[blocks, genes]; player 0 is the network."""
        schedule = Schedule(self.games, min(self.lanes, self.games), ply_cap=self.ply_cap)
        pubeval = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(streams), *x.shape)), pubeval_player())
        return play_walks(self.game, (self.player(genomes), pubeval), streams, schedule)


@dataclass(frozen=True)
class RoundRobin(BoardJudges):
    """`games` of every pair of the population, half of them from either seat; a case is an opponent. Colours are as the
    mover sees them, or with `absolute_colours` as the paper has it (see `encoders.binary_counts`).
    """

    game: Backgammon
    network: MLP
    games: int = 4
    ply_cap: int = PLY_CAP
    absolute_colours: bool = False

    def __post_init__(self):
        self.check()

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * (population - 1) // 2 * self.games

    def absolute(self) -> VersusPubeval:
        return VersusPubeval(self.game, self.network, ply_cap=self.ply_cap, absolute_colours=self.absolute_colours)

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        population = genomes.shape[1]
        results = self.play(mix(streams), genomes)
        seated = np.resize(np.array(seatings(population), np.int32), (results.plies.shape[1], 2))
        sits = jax.nn.one_hot(seated, population)  # [games seats members]
        won = jax.nn.one_hot(results.winner, 2)  # [replicas games seats], nobody of an unfinished game
        beaten = jnp.einsum("rgs,gsi,gsj->rij", won, sits, sits[:, ::-1]) / self.games
        each = (population - 1) * self.games

        def share(of_game: jax.Array) -> jax.Array:
            return jnp.einsum("rg,gsi->ri", of_game.astype(jnp.float32), sits) / each

        wins = beaten.sum(-1) / (population - 1)
        return Evaluation(
            fitness=wins,
            cases=beaten,
            counted=jnp.ones((len(streams), population), bool),
            wins=wins,
            draws=share(~results.finished),
            plies=share(results.plies),
            busy=jnp.broadcast_to(results.busy[:, None], wins.shape),
        )

    def play(self, streams: jax.Array, genomes: jax.Array) -> WalkResults:
        """streams[replicas], genomes[replicas, population, genes]; game g is of pair g modulo their number."""
        games = self.games_of(genomes.shape[1], None)
        schedule = Schedule(
            games, games, seatings(genomes.shape[1]), ply_cap=self.ply_cap, narrower=narrower(games)
        )
        crowd = jax.vmap(lambda members: BoardCrowd.of(members, self.network, self.absolute_colours))(genomes)
        return play_crowd(self.game, crowd, streams, schedule)


def seatings(population: int) -> tuple[Seating, ...]:
    """All pairs from one seat, then from the other."""
    pairs = tuple(combinations(range(population), 2))
    return (*pairs, *(pair[::-1] for pair in pairs))


def narrower(lanes: int) -> tuple[int, ...]:
    widths = []
    while (lanes := lanes // NARROWING) >= NARROWEST:
        widths.append(lanes)
    return tuple(widths)
