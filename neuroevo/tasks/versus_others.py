"""Relative fitness: the score against other genomes (Schaul & Schmidhuber 2008, section V-D).

In a game of more than two seats a genome has one seat, each in turn, and its opponent has all other seats.
"""

from dataclasses import dataclass
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from jaxgames.arena import Results, Schedule, Seating, play_pairs
from jaxgames.core import StoneGame
from jaxgames.players import Naive
from jaxgames.randomness import mix
from neuroevo.networks.base import NEURON_POLICY
from neuroevo.strategies.evaluation import Evaluation, Opponents, without_faults
from neuroevo.tasks.base import CANDIDATE, OPPONENT, NetworkGames, faulty_candidates
from neuroevo.tasks.gauntlet import Gauntlet
from neuroevo.tasks.versus_opponent import VersusOpponent


@dataclass(frozen=True)
class VersusOthers(NetworkGames):
    """Every genome meets every opponent of its strategy; if the strategy has none, every genome of its population.

    Case k is the mean score against opponent k. Fitness is the mean over the opponents that are present.

    games: number of games of a pair, a multiple of the number of seats, so that both have every seat equally often. One
        game per seat is enough: games of greedy players differ only by draws among equally good points.
    speed_weight, temperature, encoder: see `NetworkGames`.
    """

    game: StoneGame
    network: nn.Module
    games: int = 2
    speed_weight: float = 0.2
    temperature: float = 0.0
    encoder: str = "own_first"

    def __post_init__(self):
        self.check(self.games, 1, even=True)

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * (population if opponents is None else opponents) * self.games

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None) -> Evaluation:
        rivals = opponents or Opponents(genomes, jnp.ones(genomes.shape[:2], bool))
        results = self.play(streams, genomes, rivals.genomes)
        weight = rivals.present[:, None] / jnp.maximum(rivals.present.sum(1), 1)[:, None, None]
        score = self.score(results).mean(-1)
        evaluation = Evaluation(
            fitness=(score * weight).sum(-1),
            cases=score,
            present=rivals.present,
            wins=((results.winner == CANDIDATE).mean(-1) * weight).sum(-1),
            draws=(((results.winner == -1) & results.finished).mean(-1) * weight).sum(-1),
            truncated=((~results.finished).mean(-1) * weight).sum(-1),
            plies=(results.plies.mean(-1) * weight).sum(-1),
            busy=results.busy.mean(-1),
        )
        return without_faults(evaluation, faulty_candidates(results, 2, genomes.shape[:2]))

    def absolute(self) -> VersusOpponent | Gauntlet:
        """Games against the naive player; for networks of neurons in Pente, their paper's hand-coded players."""
        if self.network.player_kind(self.game) == NEURON_POLICY:
            game: Any = self.game
            network: Any = self.network
            return Gauntlet(game, network)
        naive = Naive(self.game)
        return VersusOpponent(
            self.game, self.network, naive, speed_weight=self.speed_weight, encoder=self.encoder,
            temperature=self.temperature,
        )  # fmt: skip

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """One seating for each seat of the candidate; its opponent has all other seats."""
        seats = range(self.game.num_seats)
        return tuple(tuple(CANDIDATE if seat == own else OPPONENT for seat in seats) for own in seats)

    def play(self, streams: jax.Array, genomes: jax.Array, others: jax.Array) -> Results:
        """Games of every genome with every other one. Results lead with [replicas players others].

        streams: UInt32[replicas]
        genomes: [replicas players genes]
        others: [replicas others genes]; all genomes meet the same random numbers against the same one of them
        """
        shape = *genomes.shape[:2], others.shape[1]
        columns = mix(mix(streams)[:, None] + jnp.arange(shape[2], dtype=jnp.uint32))
        pairs = jnp.broadcast_to(columns[:, None], shape)
        schedule = Schedule(self.games, self.games, self.seatings)
        return play_pairs(self.game, self.player(genomes), self.player(others), pairs, schedule)
