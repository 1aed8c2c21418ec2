"""Training against a fixed opponent: figure 6 of Schaul & Schmidhuber (2008) and the paper's claims about it.

The last champion of every replica is tested in new games, and so is the best individual of its first generation.
"""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from matplotlib.figure import Figure

from jaxgames.arena import rotations
from neuroevo.evolution import Evolution, History, train
from neuroevo.papers.mdrnn import figures
from neuroevo.papers.sample_games import Sample, sample
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate, lies_above
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import Objectives, VersusOpponent, VersusOthers, retest


@dataclass(frozen=True)
class Training:
    """Evolution against a fixed opponent, and a test of the champions.

    evolution: with task=versus_opponent, versus_others or objectives.
    generations: number of generations.
    retest_games: number of new games of each champion.
    sample_games: number of games that are kept as records and pictures.
    """

    evolution: Evolution
    generations: int
    retest_games: int
    sample_games: int

    def __post_init__(self):
        if not isinstance(self.evolution.task, VersusOpponent | VersusOthers | Objectives):
            raise ValueError("training needs task=versus_opponent, versus_others or objectives")

    def compute(self, lab: Lab) -> History:
        return train(self.evolution, self.generations, lab)

    def conclude(self, outcome: History) -> Findings:
        evolution, test = self.evolution, examine(self.evolution, outcome, self.retest_games)
        return Findings(
            size=f"{evolution.replicas} replicas × {self.generations} generations",
            games=self.generations * evolution.games_per_generation,
            claims=claims(outcome, test),
            figures=draw_figures(evolution, outcome),
            sample=sample_games(evolution, outcome, test, self.sample_games),
            arrays={**outcome.measures, "champions": outcome.champions},
            champions=outcome.champions[-1],
            best=test.best,
        )


@dataclass
class Retest:
    """New games of champions, all arrays [replicas games].

    score: the last champion's score
    won: whether it won
    first_score, first_won: the same for the best of generation 0, with the same random numbers
    """

    score: np.ndarray
    won: np.ndarray
    first_score: np.ndarray
    first_won: np.ndarray

    @property
    def best(self) -> int:
        """The number of the replica with the best champion."""
        return int(self.score.mean(1).argmax())


def examine(evolution: Evolution, history: History, games: int) -> Retest:
    """Tests the champions of the last and the first generation in `games` new games each."""
    champions = np.stack([history.champions[-1], history.champions[0]], 1)
    score, won = map(
        np.asarray, retest(evolution.task.absolute(), evolution.streams("retest")[0], jnp.asarray(champions), games)
    )
    return Retest(score[:, 0], won[:, 0], score[:, 1], won[:, 1])


def claims(history: History, test: Retest) -> list[Claim]:
    """All claims about training."""
    return [_wins_most(test), _wins_most_in_every_replica(test), _improves(test), _improves_everywhere(test),
            _best_not_monotone(history), _level(test)]  # fmt: skip


def _wins_most(test: Retest) -> Claim:
    estimate = statistics.mean(test.won.mean(1), within=(0, 1))
    return lies_above(
        "wins_most",
        "share of fresh games that a champion wins against the opponent, mean over replicas",
        "weights that beat the naive player on most games are easily found",
        estimate,
        limit=0.5,
    )


def _wins_most_in_every_replica(test: Retest) -> Claim:
    shares = [statistics.share(int(won.sum()), won.size) for won in test.won]
    worst = min(shares, key=lambda share: share.value)
    return from_estimate(
        "wins_most_everywhere",
        "the same share for the worst replica's champion",
        "most games (10 runs)",
        "Wilson's interval of every replica lies above 0.5",
        worst,
        all(share.low > 0.5 for share in shares),
    )


def _improves(test: Retest) -> Claim:
    estimate = statistics.mean((test.score - test.first_score).mean(1))
    return lies_above(
        "improves",
        "fresh score of the last champion minus that of generation 0's best, mean over replicas",
        "the best curve rises (figure 6)",
        estimate,
    )


def _improves_everywhere(test: Retest) -> Claim:
    gains = [statistics.mean(gain) for gain in test.score - test.first_score]
    worst = min(gains, key=lambda gain: gain.value)
    return from_estimate(
        "improves_everywhere",
        "the same difference for the replica with the smallest one, over its paired games",
        "the best curve rises (figure 6, 10 runs)",
        "the interval of every replica lies above 0",
        worst,
        all(gain.low > 0 for gain in gains),
    )


def _best_not_monotone(history: History) -> Claim:
    falls = (np.diff(history.measured("fitness").max(2), axis=0) < 0).sum(0)
    estimate = statistics.mean(falls)
    return from_estimate(
        "best_not_monotone",
        "generations in which the best fitness falls, mean over replicas",
        "the best performance is not strictly increasing",
        "reported only: with noisy fitness it could hardly be otherwise",
        estimate,
        None,
    )


def _level(test: Retest) -> Claim:
    return from_estimate(
        "level",
        "fresh score of a champion, mean over replicas (an early win 1, an early loss −1)",
        "no number printed; a bit better for Gomoku than for Atari-Go",
        "reported only",
        statistics.mean(test.score.mean(1)),
        None,
    )


def draw_figures(evolution: Evolution, history: History) -> dict[str, Figure]:
    """Figure 6."""
    title, games = evolution.task.game.title, evolution.games_per_evaluation
    return {"figure_6": figures.evolution_curves(history.measured("fitness"), title, games)}


def sample_games(evolution: Evolution, history: History, test: Retest, games: int) -> list[Sample]:
    """`games` new games of the best champion."""
    if games == 0:
        return []
    task = evolution.task.absolute()
    genome = jnp.asarray(history.champions[-1][test.best : test.best + 1])
    schedule = task.schedule(games, record_moves=True)
    results = task.play(evolution.streams("sample games")[:1], genome, schedule)
    players = f"{type(task.network).__name__} champion", type(task.opponent).__name__.lower()
    seatings = schedule.seatings or rotations(task.game.num_seats)
    samples = []
    for number, moves in enumerate(np.asarray(results.moves[0])):
        names = [players[player] for player in seatings[number % len(seatings)]]
        samples.append(sample(f"game {number + 1}: {names[0]} (seat 0) – {names[1]} (seat 1)", task.game, moves))
    return samples
