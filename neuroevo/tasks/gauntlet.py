"""Pente against a set of hand-coded opponents, alone or in pairs, from every seat (Schrum's experiments).

Fitness is the sum of G over all games. With M plies, at most M_max, the number of points of the board,

    G = M_max − M for a win,    G = M / 2 for any other result.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.arena import Results, Schedule, Seating, play_games
from jaxgames.core import Player
from jaxgames.games.pente.rules import Pente
from jaxgames.players import PLAYERS, players_of
from neuroevo.networks import Neurons, ValueNetwork
from neuroevo.networks.genome import codec
from neuroevo.players import player_of
from neuroevo.players.champion import Champion
from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.tasks.base import CANDIDATE, evaluation_of

FIVE = "random", "blocker", "capturer", "simple", "better"


def all_tests(game: Pente) -> tuple[str, ...]:
    """Every combination of different players of the paper that fills the other seats, such as simple+better.

    Without captures there is no capturer.
    """
    names = [name for name in FIVE if game.captures or name != "capturer"]
    return tuple("+".join(test) for test in combinations(names, game.num_seats - 1))


@dataclass(frozen=True)
class Gauntlet:
    """Games of every network in all tests. Case k is the share of games won in test k.

    tests: each names the opponents at the other seats, joined by +: `better+better`; empty for `all_tests`.
    matches: number of games of each test from each seat.
    lanes: number of games of a network that are played at the same time.
    consolation: what a ply is worth in a game that is not won.
    seats: seats of the candidate; empty for all.
    finishes: with network=value, whether a move that wins at once is always played.
    plies: with network=value, 1 to value the positions after a move, 2 to consider the replies too.
    breadth: number of best moves whose replies are considered.
    """

    game: Pente
    network: Neurons | ValueNetwork
    tests: tuple[str, ...] = ()
    matches: int = 10
    lanes: int = 32
    consolation: float = 0.5
    seats: tuple[int, ...] = ()
    finishes: bool = False
    plies: int = 1
    breadth: int = 8
    gene_type = np.float32

    def __post_init__(self):
        if not isinstance(self.game, Pente) or not isinstance(self.network, Neurons | ValueNetwork):
            raise ValueError("gauntlet needs game=pente and network=neurons, or network=value")
        self.network.player_kind(self.game)  # raises ValueError where the network does not play
        object.__setattr__(self, "tests", self.tests or all_tests(self.game))
        if self.matches < 1 or self.lanes < 1:
            raise ValueError(f"matches and lanes must be at least 1, not {self.matches} and {self.lanes}")
        if not {*self.seats} <= {*range(self.game.num_seats)}:
            raise ValueError(f"seats must be among 0 to {self.game.num_seats - 1}, not {self.seats}")
        if self.finishes and not isinstance(self.network, ValueNetwork):
            raise ValueError("finishes is for network=value: the other networks complete five whatever is chosen")
        if self.plies not in (1, 2) or self.breadth < 1:
            raise ValueError(f"plies must be 1 or 2 and breadth at least 1, not {self.plies} and {self.breadth}")
        if self.plies > 1 and not isinstance(self.network, ValueNetwork):
            raise ValueError("plies is for network=value: the other networks rate moves and not positions")
        if isinstance(self.network, Neurons) and self.network.captures and not self.game.captures:
            raise ValueError("network.captures needs a game with captures")
        known = players_of(self.game)
        for test in self.tests:
            names = test.split("+")
            if unknown := [name for name in names if name not in known]:
                raise ValueError(f"tests must be made of {', '.join(known)}, not {unknown[0]!r}")
            if len(names) != self.game.num_seats - 1:
                raise ValueError(f"a test of {self.game.title} has {self.game.num_seats - 1} opponents, not {test!r}")

    @property
    def genes(self) -> int:
        """Number of genes of a genome."""
        return codec(self.game, self.network).genes

    @property
    def games(self) -> int:
        """Number of games of one genome."""
        return len(self.seatings) * self.matches

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats from which the candidate plays."""
        return self.seats or tuple(range(self.game.num_seats))

    @property
    def moves_max(self) -> int:
        """M_max, the largest number of plies that counts."""
        return self.game.num_actions

    @cached_property
    def opponents(self) -> tuple[str, ...]:
        """The players 1, 2, … by name. A name occurs as often as in the test that uses it most."""
        split = [test.split("+") for test in self.tests]
        return tuple(name for name in PLAYERS for _ in range(max(names.count(name) for names in split)))

    @property
    def others(self) -> list[Player]:
        """The players of `opponents`."""
        return [PLAYERS[name](self.game) for name in self.opponents]

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """One seating for each test and seat of the candidate; the opponents follow it in the order of the test."""
        seats, seatings = self.game.num_seats, []
        for test in self.tests:
            order = [CANDIDATE]
            for name in test.split("+"):
                free = (n for n, other in enumerate(self.opponents, 1) if other == name and n not in order)
                order.append(next(free))
            seatings += [tuple(order[(place - seat) % seats] for place in range(seats)) for seat in self.own_seats]
        return tuple(seatings)

    def player(self, genomes: jax.Array) -> Champion:
        choices = {"finishes": self.finishes, "plies": self.plies, "breadth": self.breadth}
        return player_of(self.network, genomes, self.game, **choices)

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games

    def absolute(self) -> "Gauntlet":
        return self

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        population, genes = genomes.shape[1:]
        results = self.play(jnp.repeat(streams, population), genomes.reshape(-1, genes))
        won = results.winner == CANDIDATE
        by_test = won.reshape(len(won), self.matches, len(self.tests), -1).mean((1, 3))
        return evaluation_of(results, self.score(results).sum(-1), by_test, len(streams))

    def score(self, results: Results) -> jax.Array:
        """G of each game, see the module."""
        moves = jnp.minimum(results.plies, self.moves_max)
        return jnp.where(results.winner == CANDIDATE, self.moves_max - moves, self.consolation * moves)

    def play(
        self, streams: jax.Array, genomes: jax.Array, matches: int | None = None, record_moves: bool = False
    ) -> Results:
        """Games of genomes[blocks, genes] with streams[blocks]; game g uses seating g modulo the number of seatings."""
        games = len(self.seatings) * (self.matches if matches is None else matches)
        schedule = Schedule(games, min(self.lanes, games), self.seatings, record_moves=record_moves)
        return play_games(self.game, (self.player(genomes), *self.others), streams, schedule)
