"""Othello with networks that decide which moves their own search considers (Moriarty & Miikkulainen 1994).

Both sides search with the same static evaluation. The opponent considers every move, and sometimes plays a random one.
Each pair of games begins with a random one of the 244 sequences of four plies, once with each colour.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.arena import Schedule, all_openings, play_searches
from jaxgames.games.othello.bill import Bill
from jaxgames.games.othello.positional import Positional
from jaxgames.games.othello.rules import Othello
from jaxgames.players import Search
from jaxgames.search import StaticEvaluation
from neuroevo.networks import Markers
from neuroevo.players import player_of
from neuroevo.strategies.evaluation import Evaluation as Scores
from neuroevo.strategies.evaluation import Opponents
from neuroevo.tasks.base import CANDIDATE, evaluation_of

OPENING_PLIES = 4  # as published
EVALUATIONS = {"positional": Positional, "norvig": partial(Positional, "norvig"), "bill": Bill}


@dataclass(frozen=True)
class Focus:
    """Games of focus networks against full-width search. Fitness is the share of games won, which is the only case.

    evaluation: static evaluation of both sides' searches, one of EVALUATIONS.
    level: depth of both sides' searches in plies.
    opponent_level: depth of the opponent's search; None for `level`.
    games: number of games of a network, even, so that both colours are played equally often.
    lanes: number of games of a network that are played at the same time.
    mistakes: probability that a move of the opponent is a random legal one.
    carried: whether a network's activations are carried from one position of a game to the next.
    """

    game: Othello
    network: Markers
    evaluation: str = "positional"
    level: int = 2
    opponent_level: int | None = None
    games: int = 10
    lanes: int = 10
    mistakes: float = 0.1
    carried: bool = False
    gene_type = np.int8

    def __post_init__(self):
        if not isinstance(self.game, Othello) or not isinstance(self.network, Markers):
            raise ValueError("focus needs game=othello and network=markers")
        if self.evaluation not in EVALUATIONS:
            raise ValueError(f"evaluation must be one of {', '.join(EVALUATIONS)}, not {self.evaluation!r}")
        if self.games < 2 or self.games % 2 or min(self.lanes, self.level, self.opponent_level or 1) < 1:
            raise ValueError(
                f"games must be an even number, and lanes, level and opponent_level at least 1, not {self.games}, "
                f"{self.lanes}, {self.level} and {self.opponent_level}"
            )
        if not 0 <= self.mistakes <= 1:
            raise ValueError(f"mistakes must be a probability, not {self.mistakes}")

    @property
    def genes(self) -> int:
        """Number of genes: the alleles of the network's chromosome."""
        return self.network.alleles

    @property
    def values(self) -> StaticEvaluation:
        """The static evaluation of both sides."""
        return EVALUATIONS[self.evaluation]()

    @cached_property
    def openings(self) -> tuple[tuple[int, ...], ...]:
        """All sequences of the first OPENING_PLIES plies."""
        return all_openings(self.game, OPENING_PLIES)

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games

    def absolute(self) -> "Focus":
        return self

    def player(self, genomes: jax.Array, **choices: Any) -> Search:
        """Searching players that consider the moves that their networks keep. Leaves lead as in `Task.player`.

        choices: arguments of `searcher`.
        """
        search = self.searcher(genomes.shape[:-1], **choices)
        return player_of(self.network, genomes, self.game, search=search, carried=self.carried)

    def searcher(
        self, axes: tuple[int, ...], level: int | None = None, mistakes: float = 0.0, **choices: Any
    ) -> Search:
        """Searching players that consider every move; leaves lead with `axes`.

        level: depth in plies, by default the task's.
        mistakes: probability that a move is a random legal one.
        choices: further fields of `players.Search`.
        """
        level = self.level if level is None else level
        leaves = {"level": jnp.full(axes, level), "random": jnp.full(axes, mistakes)}
        return Search(self.game, self.values, **leaves, **{"max_level": level, "ordered": 0, **choices})

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Scores:
        """See `Task.evaluate`. genomes: Int8[replicas population genes]."""
        population, genes = genomes.shape[1:]
        blocks = len(streams) * population
        opponent = self.searcher((blocks,), self.opponent_level or self.level, self.mistakes)
        players = self.player(genomes.reshape(-1, genes)), opponent
        schedule = Schedule(self.games, min(self.lanes, self.games), openings=self.openings, drawn_openings=True)
        results = play_searches(players, jnp.repeat(streams, population), schedule)
        wins = (results.winner == CANDIDATE).mean(-1)
        return evaluation_of(results, wins, wins[:, None], len(streams))
