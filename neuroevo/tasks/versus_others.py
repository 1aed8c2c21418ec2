"""Relative fitness: the score against other genomes (Schaul & Schmidhuber 2008, section V-D).

In a game of more than two seats a genome sits at one, in turn at each, and its opponent at all others.
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
from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.tasks.base import CANDIDATE, OPPONENT, NetworkGames
from neuroevo.tasks.gauntlet import Gauntlet
from neuroevo.tasks.versus_opponent import VersusOpponent


@dataclass(frozen=True)
class VersusOthers(NetworkGames):
    """Every genome meets every opponent of its strategy, or every genome of its own population if that asks for none.

    `games` per pair, a multiple of the seats, so that both have each equally often. Greedy players differ from game to
    game only where they draw between equally good points, so that one game a seat is enough. The cases are the
    opponents.
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
        return Evaluation(
            fitness=(score * weight).sum(-1),
            cases=score,
            present=rivals.present,
            wins=((results.winner == CANDIDATE).mean(-1) * weight).sum(-1),
            draws=(((results.winner == -1) & results.finished).mean(-1) * weight).sum(-1),
            truncated=((~results.finished).mean(-1) * weight).sum(-1),
            plies=(results.plies.mean(-1) * weight).sum(-1),
            busy=results.busy.mean(-1),
        )

    def absolute(self) -> VersusOpponent | Gauntlet:
        """Against the naive player; networks of neurons in Pente against the hand-coded players of their paper."""
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
        """The candidate at each seat, its opponent at all others."""
        seats = range(self.game.num_seats)
        return tuple(tuple(CANDIDATE if seat == own else OPPONENT for seat in seats) for own in seats)

    def play(self, streams: jax.Array, genomes: jax.Array, others: jax.Array) -> Results:
        """streams[replicas], genomes[replicas, players, genes], others[replicas, others, genes]; results lead with
        [replicas, players, others]. Against the same opponent all meet the same random numbers.
        """
        shape = *genomes.shape[:2], others.shape[1]
        columns = mix(mix(streams)[:, None] + jnp.arange(shape[2], dtype=jnp.uint32))
        pairs = jnp.broadcast_to(columns[:, None], shape)
        schedule = Schedule(self.games, self.games, self.seatings)
        return play_pairs(self.game, self.player(genomes), self.player(others), pairs, schedule)
