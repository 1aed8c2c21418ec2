"""Backgammon as tasks: every player against every other, and against Pubeval (Bibliowicz & Joshua 2005).

Fitness is the share of games that a player wins. A game that reaches the ply cap counts as lost for both players.
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
from neuroevo.strategies.evaluation import Evaluation, Opponents, without_faults

# Why 100 lanes, and fewer in the end: docs/decisions/008-walks.md. The other numbers were chosen by judgement.
LANES = 100  # number of games of a block at the same time
NARROWING = 3  # each further loop has this many times fewer lanes than the one before
NARROWEST = 2  # the smallest number of lanes of a further loop
MANY = 64  # schedules with fewer lanes than this have no further loops


class BackgammonGames:
    """Mixin of tasks for networks that value backgammon boards.

    network: values a board.
    games: number of games, even; the subclass says of whom.
    ply_cap: number of plies at which a game is truncated.
    encoding: what the network sees of a board, one of `encoders.backgammon.ENCODINGS`.
    absolute_colours: whether colours are seen as in the paper, not from the mover's side (`encoders.binary_counts`).
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
        """Number of genes of a genome."""
        return codec(self.game, self.network, self.encoding).genes

    def player(self, genomes: jax.Array) -> Greedy:
        """The players of genomes[genomes, genes] as one batched player, whose leaves lead with the genomes."""
        choices = {"encoding": self.encoding, "absolute_colours": self.absolute_colours}
        return player_of(self.network, genomes, self.game, **choices)

    def populations(self, genomes: jax.Array, pubeval: bool) -> BackgammonPopulation:
        """A player for each block of genomes[blocks, population, genes]. `pubeval`: adds Pubeval as the last member."""
        populations = jax.vmap(lambda members: BackgammonPopulation.of(members, self.network, self.encoding))(genomes)
        return replace(populations, absolute=self.absolute_colours, pubeval=pubeval)

    def schedule(self, games: int, seatings: tuple[Seating, ...], lanes: int = LANES) -> Schedule:
        """The schedule of `games` games a block, with the task's ply cap."""
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
    """Games of every genome against Pubeval. Fitness and the only case are the share of games won.

    games: number of games of a genome, half of them from each seat.
    ply_cap, encoding, absolute_colours: see `BackgammonGames`.
    """

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
        per_game = results.plies, ~results.finished
        plies, truncated = (self.mean(jnp.stack([x, x], -1).astype(jnp.float32), genomes.shape[1]) for x in per_game)
        evaluation = Evaluation(
            fitness=wins,
            cases=wins[..., None],
            present=jnp.ones((len(streams), 1), bool),
            wins=wins,
            draws=jnp.zeros_like(wins),
            truncated=truncated,
            plies=plies,
            busy=jnp.full_like(wins, results.busy[:, None]),
        )
        return without_faults(evaluation, self.mean(results.faults.astype(jnp.float32), genomes.shape[1]) > 0)

    def wins(self, results: Results, population: int) -> jax.Array:
        """Float[replicas population]: the share of games that each genome wins."""
        return self.mean(won(results), population)

    def mean(self, values: jax.Array, population: int) -> jax.Array:
        """Float[replicas population]: the mean of values[replicas, games, seats] over the games of each genome."""
        return shares(values, self.seatings(population), population)

    def seatings(self, population: int) -> tuple[Seating, ...]:
        """Each genome against member `population`, which is Pubeval, first from seat 0 and then from seat 1."""
        firsts = tuple((number, population) for number in range(population))
        return (*firsts, *(seating[::-1] for seating in firsts))

    def play(self, streams: jax.Array, genomes: jax.Array) -> Results:
        """Games of genomes[replicas, population, genes] with streams[replicas].

        Game g uses seating g modulo the number of seatings. Results are by seat, see `play_crowd`.
        """
        population = genomes.shape[1]
        schedule = self.schedule(self.games_of(population, None), self.seatings(population))
        return play_crowd(self.game, self.populations(genomes, pubeval=True), streams, schedule)


@dataclass(frozen=True)
class RoundRobin(BackgammonGames):
    """Genomes play each other and the opponents of their strategy, for example past champions.

    Fitness is the win rate over all games. `cases` has one column per genome, then one per opponent of the strategy.

    games: number of games of a pair, half of them from each seat.
    rivals: number of others of the population that a genome meets, drawn anew in every generation; 0 for all.
    mirrored: whether genome i always meets genome i + population / 2, its mirror image in `MirroredES`; needs rivals=1.
    lanes: number of games of a replica that are played at the same time.
    ply_cap, encoding, absolute_colours: see `BackgammonGames`.
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
        """The pairs that meet, by member; members from number `population` on are the strategy's opponents.

        Raises ValueError where not every genome can have the same number of rivals.
        """
        met, half = self.rivals or population - 1, population // 2
        if met >= population or (met * population) % 2:
            raise ValueError(f"{population} players cannot have {met} rivals each")
        pairs = [(one, (one + step) % population) for step in range(1, met // 2 + 1) for one in range(population)]
        if met % 2:
            pairs += [(one, one + half) for one in range(half)]
        return pairs + [(one, population + other) for one in range(population) for other in range(num_opponents)]

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

        def mean(per_game: jax.Array) -> jax.Array:
            return jnp.einsum("rg,rgsi->ri", per_game.astype(jnp.float32), sits)[:, :population] / met.sum(-1)

        wins = (won_from * present[:, None]).sum(-1) / counts.sum(-1)
        evaluation = Evaluation(
            fitness=wins,
            cases=won_from / jnp.maximum(met, 1),
            present=present,
            wins=wins,
            draws=jnp.zeros_like(wins),
            truncated=mean(~results.finished),
            plies=mean(results.plies),
            busy=jnp.broadcast_to(results.busy[:, None], wins.shape),
        )
        faults = jnp.einsum("rgs,rgsi->ri", results.faults.astype(jnp.float32), sits)[:, :population]
        return without_faults(evaluation, faults > 0)

    def play(self, streams: jax.Array, genomes: jax.Array, num_opponents: int = 0) -> Results:
        """See `VersusPubeval.play`. The last `num_opponents` genomes are the strategy's opponents."""
        seatings = self.seatings(genomes.shape[1] - num_opponents, num_opponents)
        schedule = self.schedule(len(seatings) * self.games // 2, seatings, self.lanes)
        return play_crowd(self.game, self.populations(genomes, pubeval=False), streams, schedule)

    def seatings(self, population: int, num_opponents: int = 0) -> tuple[Seating, ...]:
        """All pairs, then all pairs with exchanged seats."""
        pairs = self.pairs(population, num_opponents)
        return (*pairs, *(pair[::-1] for pair in pairs))

    def _order(self, streams: jax.Array, population: int, num_opponents: int) -> jax.Array:
        """Int[replicas members]: the member at each place of the pairs. Genomes are shuffled, opponents are not."""
        places = jnp.broadcast_to(jnp.arange(population + num_opponents), (len(streams), population + num_opponents))
        if not self.rivals or self.mirrored:
            return places
        keys = mix(mix(~streams)[:, None] + places[:, :population].astype(jnp.uint32))
        return jnp.concatenate([jnp.argsort(keys, 1), places[:, population:]], 1)


def narrower(lanes: int) -> tuple[int, ...]:
    """Numbers of lanes of further loops for the last games of a block, see `Schedule`. Each loop is compiled."""
    widths, fewer = [], lanes // NARROWING
    while lanes >= MANY and fewer >= NARROWEST:
        widths.append(fewer)
        fewer //= NARROWING
    return tuple(widths)
