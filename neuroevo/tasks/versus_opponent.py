"""The score of networks against a fixed opponent (Schaul & Schmidhuber 2008, section IV-C)."""

from dataclasses import dataclass
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp

from jaxgames.arena import Results, Schedule, play_games
from jaxgames.core import Player, StoneGame
from jaxgames.randomness import mix
from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.tasks.base import CANDIDATE, OPPONENT, NetworkGames


@dataclass(frozen=True)
class VersusOpponent(NetworkGames):
    """Games of every network against a fixed player. Case k is the mean score from seat k.

    games: number of games of a genome.
    lanes: number of games of a genome that are played at the same time.
    speed_weight, temperature, encoder: see `NetworkGames`.
    starts: who moves first: `alternating`, or always the `opponent` (as in a 2008 draft), which leaves one case.
    """

    game: StoneGame
    network: nn.Module
    opponent: Player
    games: int = 100
    lanes: int = 25
    speed_weight: float = 0.2
    temperature: float = 0.0
    encoder: str = "own_first"
    starts: str = "alternating"

    def __post_init__(self):
        self.check(self.games, self.lanes)
        if self.starts not in ("alternating", "opponent"):
            raise ValueError(f"starts must be alternating or opponent, not {self.starts!r}")

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        results = self.play_all(streams, genomes)
        score = self.score(results)
        seats = 2 if self.starts == "alternating" and self.games > 1 else 1  # games take the seatings in turn
        cases = [score[:, seat::seats].mean(-1) for seat in range(seats)]
        return self.evaluation(results, cases, len(streams))

    def absolute(self) -> "VersusOpponent":
        return self

    def play_all(self, streams: jax.Array, genomes: jax.Array) -> Results:
        """Games of genomes[replicas, population, genes] with streams[replicas].

        Results lead with one axis of all genomes, replica by replica.
        """
        population, genes = genomes.shape[1:]
        return self.play(jnp.repeat(streams, population), genomes.reshape(-1, genes), self.schedule())

    def play(self, streams: jax.Array, genomes: jax.Array, schedule: Schedule) -> Results:
        """Games of genomes[blocks, genes] with streams[blocks]; genomes are player 0."""
        return play_games(self.game, (self.player(genomes), self.opponent), streams, schedule)

    def schedule(self, games: int | None = None, record_moves: bool = False) -> Schedule:
        """The schedule of the task, with its own number of games unless `games` is given."""
        seatings = ((OPPONENT, CANDIDATE),) if self.starts == "opponent" else None
        games = self.games if games is None else games
        return Schedule(games, min(self.lanes, games), seatings, record_moves=record_moves)


@partial(jax.jit, static_argnums=(0, 3))
def retest(task: VersusOpponent, stream: jax.Array, genomes: jax.Array, games: int) -> tuple[jax.Array, jax.Array]:
    """(scores, won), each [replicas, players, games], of new games of genomes[replicas, players, genes].

    All players of a replica meet the same random numbers; each replica has its own.
    """
    replicas, players, genes = genomes.shape
    streams = jnp.repeat(mix(mix(stream) + jnp.arange(replicas, dtype=jnp.uint32)), players)
    results = task.play(streams, genomes.reshape(-1, genes), task.schedule(games))
    results = jax.tree.map(lambda x: x.reshape(replicas, players, *x.shape[1:]), results)
    return task.score(results), results.winner == CANDIDATE
