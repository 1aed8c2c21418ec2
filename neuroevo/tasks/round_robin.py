"""Backgammon as tasks: all against all, and against Pubeval (Bibliowicz & Joshua 2005).

Fitness is the share of its games that a player wins; a game that reaches the ply cap is lost by both.
"""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import Backgammon, Results, Schedule, play_crowd
from jaxgames.arena import Seating
from jaxgames.arena.walks import PLY_CAP
from jaxgames.players import Greedy
from jaxgames.randomness import mix
from neuroevo.encoders.backgammon import ENCODINGS
from neuroevo.networks import MLP
from neuroevo.networks.genome import codec
from neuroevo.players import player_of
from neuroevo.players.backgammon_population import BackgammonPopulation, shares, won
from neuroevo.strategies.evaluation import Evaluation, Opponents

LANES = 100  # of a block; more are slower on a CPU
NARROWING = 3  # so many times fewer lanes each time
NARROWEST, MANY = 2, 64  # not fewer lanes than these, and only if there are many at first


class BackgammonGames:
    """Mixin of tasks for networks that value boards, which they see in an `encoding` (`encoders.ENCODINGS`), colours as
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
        return codec(self.game, self.network, self.encoding).genes

    def player(self, genomes: jax.Array) -> Greedy:
        """Every leaf leads with the genomes."""
        choices = {"encoding": self.encoding, "absolute_colours": self.absolute_colours}
        return player_of(self.network, genomes, self.game, **choices)

    def populations(self, genomes: jax.Array, pubeval: bool) -> BackgammonPopulation:
        """One of each of genomes[blocks, population, genes]."""
        populations = jax.vmap(lambda members: BackgammonPopulation.of(members, self.network, self.encoding))(genomes)
        return replace(populations, absolute=self.absolute_colours, pubeval=pubeval)

    def schedule(self, games: int, seatings: tuple[Seating, ...], lanes: int = LANES) -> Schedule:
        lanes = min(lanes, games)
        return Schedule(games, lanes, seatings, ply_cap=self.ply_cap, narrower=narrower(lanes))

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
class VersusPubeval(BackgammonGames):
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
        of_game = results.plies, ~results.finished
        plies, truncated = (self.mean(jnp.stack([x, x], -1).astype(jnp.float32), genomes.shape[1]) for x in of_game)
        return Evaluation(
            fitness=wins,
            cases=wins[..., None],
            present=jnp.ones((len(streams), 1), bool),
            wins=wins,
            draws=jnp.zeros_like(wins),
            truncated=truncated,
            plies=plies,
            busy=jnp.full_like(wins, results.busy[:, None]),
        )

    def wins(self, results: Results, population: int) -> jax.Array:
        """Float[replicas population]: the share of its games that each genome wins."""
        return self.mean(won(results), population)

    def mean(self, of_game: jax.Array, population: int) -> jax.Array:
        """Of of_game[replicas, games, seats], over each genome's games."""
        return shares(of_game, self.seatings(population), population)

    def seatings(self, population: int) -> tuple[Seating, ...]:
        firsts = tuple((number, population) for number in range(population))
        return (*firsts, *(seating[::-1] for seating in firsts))

    def play(self, streams: jax.Array, genomes: jax.Array) -> Results:
        """streams[replicas], genomes[replicas, population, genes]; returns are by seat, game g is of seating g modulo
        their number.
        """
        population = genomes.shape[1]
        schedule = self.schedule(self.games_of(population, None), self.seatings(population))
        return play_crowd(self.game, self.populations(genomes, pubeval=True), streams, schedule)


@dataclass(frozen=True)
class RoundRobin(BackgammonGames):
    """`games` of every pair of the population, half of them from either seat, and of every player with each opponent of
    its strategy, past champions for example. With `rivals` a player meets so many others instead of all, drawn anew
    every time. With `mirrored` the one rival is always the genome half the population away, where `MirroredES` has the
    mirror image. Fitness counts all games alike. Cases are the population, then the strategy's opponents.
    """

    game: Backgammon
    network: MLP
    games: int = 4
    rivals: int = 0
    mirrored: bool = False
    lanes: int = LANES
    ply_cap: int = PLY_CAP
    encoding: str = "binary"
    absolute_colours: bool = False

    def __post_init__(self):
        self.check()
        if self.rivals < 0 or self.lanes < 1:
            raise ValueError(f"rivals must not be negative and lanes at least 1, not {self.rivals} and {self.lanes}")
        if self.mirrored and self.rivals != 1:
            raise ValueError(
                f"the one rival of mirrored games is the mirror image: rivals must be 1, not {self.rivals}"
            )

    def games_of(self, population: int, opponents: int | None) -> int:
        return len(self.pairs(population, opponents or 0)) * self.games

    def absolute(self) -> VersusPubeval:
        return VersusPubeval(
            self.game, self.network, ply_cap=self.ply_cap, encoding=self.encoding,
            absolute_colours=self.absolute_colours,
        )  # fmt: skip

    def pairs(self, population: int, num_opponents: int) -> list[Seating]:
        """Who meets; numbers from the population's on are the strategy's opponents. Raises ValueError for rivals that
        cannot be given to everybody.
        """
        met, half = self.rivals or population - 1, population // 2
        if met >= population or (met * population) % 2:
            raise ValueError(f"{population} players cannot have {met} rivals each")
        found = [(one, (one + step) % population) for step in range(1, met // 2 + 1) for one in range(population)]
        if met % 2:
            found += [(one, one + half) for one in range(half)]
        return found + [(one, population + other) for one in range(population) for other in range(num_opponents)]

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        replicas, population, _ = genomes.shape
        num_opponents = 0 if opponents is None else opponents.present.shape[1]
        order = self._order(streams, population, num_opponents)
        present, everybody = jnp.ones((replicas, population), bool), genomes
        if opponents is not None:
            present = jnp.concatenate([present, opponents.present], 1)
            everybody = jnp.concatenate([genomes, opponents.genomes], 1)
        results = self.play(mix(streams), jnp.take_along_axis(everybody, order[..., None], 1), num_opponents)
        places = np.resize(np.array(self.seatings(population, num_opponents), np.int32), (results.plies.shape[1], 2))
        sits = jax.nn.one_hot(order[:, places], population + num_opponents)  # [replicas games seats members]
        won_from = jnp.einsum("rgs,rgsi,rgsj->rij", won(results), sits, sits[:, :, ::-1])[:, :population]
        met = jnp.einsum("rgsi,rgsj->rij", sits, sits[:, :, ::-1])[:, :population]
        counts = met * present[:, None]

        def mean(of_game: jax.Array) -> jax.Array:
            return jnp.einsum("rg,rgsi->ri", of_game.astype(jnp.float32), sits)[:, :population] / met.sum(-1)

        wins = (won_from * present[:, None]).sum(-1) / counts.sum(-1)
        return Evaluation(
            fitness=wins,
            cases=won_from / jnp.maximum(met, 1),
            present=present,
            wins=wins,
            draws=jnp.zeros_like(wins),
            truncated=mean(~results.finished),
            plies=mean(results.plies),
            busy=jnp.broadcast_to(results.busy[:, None], wins.shape),
        )

    def play(self, streams: jax.Array, genomes: jax.Array, num_opponents: int = 0) -> Results:
        """As `VersusPubeval.play`; the last `num_opponents` genomes are the strategy's opponents."""
        seatings = self.seatings(genomes.shape[1] - num_opponents, num_opponents)
        schedule = self.schedule(len(seatings) * self.games // 2, seatings, self.lanes)
        return play_crowd(self.game, self.populations(genomes, pubeval=False), streams, schedule)

    def seatings(self, population: int, num_opponents: int = 0) -> tuple[Seating, ...]:
        pairs = self.pairs(population, num_opponents)
        return (*pairs, *(pair[::-1] for pair in pairs))

    def _order(self, streams: jax.Array, population: int, num_opponents: int) -> jax.Array:
        """Int[replicas members]: who stands where in the pairs; only the population is shuffled."""
        places = jnp.broadcast_to(jnp.arange(population + num_opponents), (len(streams), population + num_opponents))
        if not self.rivals or self.mirrored:
            return places
        keys = mix(mix(~streams)[:, None] + places[:, :population].astype(jnp.uint32))
        return jnp.concatenate([jnp.argsort(keys, 1), places[:, population:]], 1)


def narrower(lanes: int) -> tuple[int, ...]:
    """The widths of further loops, each of which has to be compiled."""
    widths, fewer = [], lanes // NARROWING
    while lanes >= MANY and fewer >= NARROWEST:
        widths.append(fewer)
        fewer //= NARROWING
    return tuple(widths)
