"""Several objectives at once, as Schaul & Schmidhuber (2008, section VI) propose.

The objectives are the share of wins with each colour and the number of moves, on boards of several sizes.
"""

from dataclasses import dataclass, replace
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from jaxgames.core import StoneGame
from neuroevo.networks.genome import codec
from neuroevo.strategies.evaluation import Evaluation, Opponents, without_faults
from neuroevo.tasks.base import CANDIDATE, NetworkGames
from neuroevo.tasks.versus_opponent import VersusOpponent


@dataclass(frozen=True)
class Objectives(NetworkGames):
    """Games against a fixed opponent on several boards. All measures but `cases` are means over the boards.

    Each board has three cases: the share of wins when moving first, the share when moving second, and the mean timing
    of the result, from −1 (early losses) to 1 (early wins).

    sizes: sizes of the boards; empty for the game's own.
    games: number of games of a genome on each board.
    lanes: number of games of a genome that are played at the same time.
    speed_weight, temperature, encoder: see `NetworkGames`.
    """

    game: StoneGame
    network: nn.Module
    opponent: Any  # one of `jaxgames.players.PLAYERS`, which has its game as a field
    sizes: tuple[int, ...] = ()
    games: int = 50
    lanes: int = 25
    speed_weight: float = 0.2
    temperature: float = 0.0
    encoder: str = "own_first"

    def __post_init__(self):
        self.check(self.games, self.lanes, even=True)
        for task in self.parts:
            if codec(task.game, self.network).genes != self.genes:
                raise ValueError(f"{type(self.network).__name__} has other genes on {task.game.title}")

    @property
    def parts(self) -> list[VersusOpponent]:
        """The task on each of the boards."""
        boards = [self.game.resized(size) for size in self.sizes] or [self.game]
        return [
            VersusOpponent(
                board, self.network, replace(self.opponent, game=board), self.games, self.lanes, self.speed_weight,
                self.temperature, self.encoder
            )
            for board in boards
        ]  # fmt: skip

    def games_of(self, population: int, opponents: int | None) -> int:
        return population * self.games * len(self.parts)

    def evaluate(self, streams: jax.Array, genomes: jax.Array, opponents: Opponents | None = None) -> Evaluation:
        parts = [self._on_board(task, streams, genomes) for task in self.parts]
        means = jax.tree.map(lambda *values: sum(values) / len(values), *parts)
        cases = jnp.concatenate([part.cases for part in parts], -1)
        faulty = jnp.stack([part.faulty for part in parts]).any(0)
        present = jnp.ones((len(streams), cases.shape[-1]), bool)
        return without_faults(means.replace(cases=cases, present=present, faulty=faulty))

    def absolute(self) -> VersusOpponent:
        """The task on the first board."""
        return self.parts[0]

    def _on_board(self, task: VersusOpponent, streams: jax.Array, genomes: jax.Array) -> Evaluation:
        results = task.play_all(streams, genomes)
        won = results.winner == CANDIDATE
        timing = jnp.sign(results.returns[..., CANDIDATE]) * (1 - task.lateness(results))
        cases = [won[:, ::2].mean(-1), won[:, 1::2].mean(-1), timing.mean(-1)]
        return task.evaluation(results, cases, len(streams))
