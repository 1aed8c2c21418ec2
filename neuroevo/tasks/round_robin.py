"""Backgammon as tasks: all against all, and against Pubeval (Bibliowicz & Joshua 2005).

Fitness is the share of its games that a player wins; a game that reaches the ply cap is lost by both.
"""

from dataclasses import dataclass
from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import Backgammon, Schedule, WalkResults, play_crowd
from jaxgames.players import Greedy
from jaxgames.randomness import mix
from jaxgames.schedule import Seating
from jaxgames.walk_arena import PLY_CAP
from neuroevo.crowds import BoardCrowd, shares, won
from neuroevo.encoders import ENCODINGS
from neuroevo.evaluation import Evaluation, Opponents
from neuroevo.networks import MLP
from neuroevo.values import BoardNetwork, board_codec

NARROWING, NARROWEST = 4, 8  # lanes: each time so many times fewer, but not fewer than these


class BoardJudges:
    """Mixin of tasks for networks that judge boards, which they see in an `encoding` (`encoders.ENCODINGS`), colours as
    the mover sees them or with `absolute_colours` as the paper has it (`encoders.binary_counts`).
    """

    game: Backgammon
    network: MLP
    games: int
    ply_cap: int
    encoding: str
    absolute_colours: bool
    gene_type = np.float32

    @property
    def genes(self) -> int:
        return board_codec(self.network, self.encoding).genes

    def player(self, genomes: jax.Array) -> Greedy:
        """Every leaf leads with the genomes."""
        look = self.absolute_colours, self.encoding
        return Greedy(jax.vmap(lambda genome: BoardNetwork.of(genome, self.network, *look))(genomes), random_ties=True)

    def crowds(self, genomes: jax.Array, pubeval: bool) -> BoardCrowd:
        """One of each of genomes[blocks, population, genes]."""
        crowd = jax.vmap(lambda members: BoardCrowd.of(members, self.network, self.encoding))(genomes)
        return crowd.replace(absolute=self.absolute_colours, pubeval=pubeval)

    def schedule(self, games: int, seatings: tuple[Seating, ...]) -> Schedule:
        return Schedule(games, games, seatings, ply_cap=self.ply_cap, narrower=narrower(games))

    def check(self) -> None:
        """Raises ValueError for what these tasks cannot do."""
        if not isinstance(self.game, Backgammon) or not isinstance(self.network, MLP):
            raise ValueError("round_robin and versus_pubeval need game=backgammon and network=judge")
        if self.games < 2 or self.games % 2:
            raise ValueError(f"games must be even, so that both start equally often, not {self.games}")
        if self.ply_cap < 1:
            raise ValueError(f"ply_cap must be at least 1, not {self.ply_cap}")
        if self.encoding not in ENCODINGS:
            raise ValueError(f"encoding must be one of {', '.join(ENCODINGS)}, not {self.encoding!r}")


@dataclass(frozen=True)
class VersusPubeval(BoardJudges):
    """`games` of each genome, half of them from either seat. There is one case."""

    game: Backgammon
    network: MLP
    games: int = 50
    ply_cap: int = PLY_CAP
    encoding: str = "binary"
    absolute_colours: bool = False

    def __post_init__(self):
        self.check()

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games

    def absolute(self) -> "VersusPubeval":
        return self

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        results = self.play(mix(streams), genomes)
        wins = self.wins(results, genomes.shape[1])
        return _evaluation(results, self.seatings(genomes.shape[1]), wins, wins[..., None])

    def wins(self, results: WalkResults, population: int) -> jax.Array:
        """Float[replicas population]: the share of its games that each genome wins."""
        return shares(results, self.seatings(population), population, won(results))

    def seatings(self, population: int) -> tuple[Seating, ...]:
        firsts = tuple((number, population) for number in range(population))
        return (*firsts, *(seating[::-1] for seating in firsts))

    def play(self, streams: jax.Array, genomes: jax.Array) -> WalkResults:
        """streams[replicas], genomes[replicas, population, genes]; returns are by seat, game g is of seating g modulo
        their number.
        """
        population = genomes.shape[1]
        schedule = self.schedule(self.games_of(population, None), self.seatings(population))
        return play_crowd(self.game, self.crowds(genomes, pubeval=True), streams, schedule)


@dataclass(frozen=True)
class RoundRobin(BoardJudges):
    """`games` of every pair of the population, half of them from either seat. A case is an opponent."""

    game: Backgammon
    network: MLP
    games: int = 4
    ply_cap: int = PLY_CAP
    encoding: str = "binary"
    absolute_colours: bool = False

    def __post_init__(self):
        self.check()

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * (population - 1) // 2 * self.games

    def absolute(self) -> VersusPubeval:
        return VersusPubeval(
            self.game, self.network, ply_cap=self.ply_cap, encoding=self.encoding,
            absolute_colours=self.absolute_colours,
        )  # fmt: skip

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        population = genomes.shape[1]
        results, pairs = self.play(mix(streams), genomes), self.seatings(population)
        seated = np.resize(np.array(pairs, np.int32), (results.plies.shape[1], 2))
        sits = jax.nn.one_hot(seated, population)
        beaten = jnp.einsum("rgs,gsi,gsj->rij", won(results), sits, sits[:, ::-1]) / self.games
        return _evaluation(results, pairs, beaten.sum(-1) / (population - 1), beaten)

    def seatings(self, population: int) -> tuple[Seating, ...]:
        pairs = tuple(combinations(range(population), 2))
        return (*pairs, *(pair[::-1] for pair in pairs))

    def play(self, streams: jax.Array, genomes: jax.Array) -> WalkResults:
        """As `VersusPubeval.play`."""
        population = genomes.shape[1]
        schedule = self.schedule(self.games_of(population, None), self.seatings(population))
        return play_crowd(self.game, self.crowds(genomes, pubeval=False), streams, schedule)


def _evaluation(results: WalkResults, pairs: tuple[Seating, ...], wins: jax.Array, cases: jax.Array) -> Evaluation:
    """wins[replicas, population], cases[replicas, population, cases]."""
    replicas, population, number = cases.shape

    def share(of_game: jax.Array) -> jax.Array:
        both = jnp.repeat(of_game.astype(jnp.float32)[..., None], 2, -1)
        return shares(results, pairs, population, both)

    return Evaluation(
        fitness=wins,
        cases=cases,
        counted=jnp.ones((replicas, number), bool),
        wins=wins,
        draws=share(~results.finished),
        plies=share(results.plies),
        busy=jnp.broadcast_to(results.busy[:, None], wins.shape),
    )


def narrower(lanes: int) -> tuple[int, ...]:
    widths = []
    while (lanes := lanes // NARROWING) >= NARROWEST:
        widths.append(lanes)
    return tuple(widths)
