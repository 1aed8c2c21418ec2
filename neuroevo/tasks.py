"""What genomes are scored for: genomes → fitness, by playing games in the arena."""

from dataclasses import dataclass
from functools import partial

import flax.linen as nn
import flax.struct
import jax
import jax.numpy as jnp

from jaxgames.arena import Results, Schedule, play_games
from jaxgames.core import Leaf, Player, StoneGame
from jaxgames.randomness import mix
from neuroevo.encoders import ENCODERS
from neuroevo.players import NetworkPlayer, codec

CANDIDATE, OPPONENT = 0, 1


@flax.struct.dataclass
class Evaluation:
    """Per genome, means over its games."""

    fitness: Leaf  # Float[blocks], mean score
    wins: Leaf  # Float[blocks], share of games won
    draws: Leaf  # Float[blocks]
    plies: Leaf  # Float[blocks]
    busy: Leaf  # Float[blocks], share of lane-moves that were played


@dataclass(frozen=True)
class VersusOpponent:
    """The score against a fixed opponent (Schaul & Schmidhuber 2008, section IV-C).

    A win scores 1 − p (M − M_min) / (M_max − M_min), a loss the negative and a draw 0, where M is the number of plies
    and p the `speed_weight`. `starts`: who moves first, `alternating` or always the `opponent` (as in a 2008 draft).
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
        if self.game.num_seats != 2:
            raise ValueError(f"playing one opponent needs a game of 2 seats; {self.game} has {self.game.num_seats}")
        if self.games < 1 or self.lanes < 1 or self.temperature < 0:
            raise ValueError(
                f"games and lanes must be at least 1 and temperature at least 0, "
                f"not {self.games}, {self.lanes} and {self.temperature}"
            )
        if self.starts not in ("alternating", "opponent"):
            raise ValueError(f"starts must be alternating or opponent, not {self.starts!r}")

    @property
    def genes(self) -> int:
        return codec(self.game, self.network).genes

    def evaluate(self, streams: jax.Array, genomes: jax.Array) -> Evaluation:
        """streams[blocks], genomes[blocks, genes]. Genomes with the same stream meet the same random numbers."""
        results = self.play(streams, genomes, self.schedule())
        return Evaluation(
            fitness=self.score(results).mean(-1),
            wins=(results.winner == CANDIDATE).mean(-1),
            draws=(results.winner == -1).mean(-1),
            plies=results.plies.mean(-1),
            busy=results.busy,
        )

    def play(self, streams: jax.Array, genomes: jax.Array, schedule: Schedule) -> Results:
        return play_games(self.game, (self.player(genomes), self.opponent), streams, schedule)

    def player(self, genomes: jax.Array) -> NetworkPlayer:
        return NetworkPlayer(genomes, self.game, self.network, ENCODERS[self.encoder], self.temperature)

    def schedule(self, games: int | None = None, record_moves: bool = False) -> Schedule:
        seatings = ((OPPONENT, CANDIDATE),) if self.starts == "opponent" else None
        games = self.games if games is None else games
        return Schedule(games, min(self.lanes, games), seatings, record_moves=record_moves)

    def score(self, results: Results) -> jax.Array:
        """The paper's score of each game, from the candidate's side."""
        shortest, longest = self.game.min_plies, self.game.max_plies
        lateness = (results.plies - shortest) / max(longest - shortest, 1)
        return results.returns[..., CANDIDATE] * (1 - self.speed_weight * lateness)


@partial(jax.jit, static_argnums=(0, 3))
def retest(task: VersusOpponent, stream: jax.Array, genomes: jax.Array, games: int) -> tuple[jax.Array, jax.Array]:
    """(scores, won) of fresh games, each [replicas, players, games], for genomes[replicas, players, genes].

    The players of a replica meet the same random numbers, each replica its own.
    """
    replicas, players, genes = genomes.shape
    streams = jnp.repeat(mix(mix(stream) + jnp.arange(replicas, dtype=jnp.uint32)), players)
    results = task.play(streams, genomes.reshape(-1, genes), task.schedule(games))
    results = jax.tree.map(lambda x: x.reshape(replicas, players, *x.shape[1:]), results)
    return task.score(results), results.winner == CANDIDATE
