"""Evolution of backgammon players against each other, tested by games against Pubeval (Bibliowicz & Joshua 2005).

All players of every hundredth generation are tested. The players of the generation with the best average and those of
the last generation are tested again in more games.
"""

import io
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from jaxgames import files
from neuroevo.evolution import Evolution, check_faults
from neuroevo.papers.backgammon import self_play_findings as findings
from neuroevo.papers.backgammon.self_play_findings import MEASURES, Watched
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.strategies import KillMergeMutate
from neuroevo.tasks import RoundRobin, VersusPubeval

SNAPSHOTS = "snapshots"  # the folder of kept players


@dataclass(frozen=True)
class SelfPlay:
    """Players evolve against each other and are tested against Pubeval.

    generations: number of generations.
    retest_games: number of new games of each player of the best and of the last generation.
    snapshot_every: number of generations between two snapshots, in which players are kept, and the norm and the
        diversity of their weights measured.
    test_every: number of generations between two tests, as published.
    test_games: number of games of each player in a test, as published.
    truth_every: number of generations between two tests with more games.
    truth_games: number of games of each player in these.

    `evolution` has task=round_robin and strategy=kill_merge_mutate.
    """

    evolution: Evolution
    generations: int
    retest_games: int
    snapshot_every: int = 10
    test_every: int = 100
    test_games: int = 50
    truth_every: int = 1000
    truth_games: int = 1000

    def __post_init__(self):
        if min(self.snapshot_every, self.test_every, self.truth_every, self.test_games, self.truth_games) < 1:
            raise ValueError(
                f"snapshot_every, test_every, truth_every, test_games and truth_games must be at least 1, not "
                f"{self.snapshot_every}, {self.test_every}, {self.truth_every}, {self.test_games}, {self.truth_games}"
            )
        if self.test_every % self.snapshot_every or self.truth_every % self.test_every:
            raise ValueError("test_every must be a multiple of snapshot_every, and truth_every one of test_every")
        if self.truth_games % self.test_games:
            raise ValueError(
                f"truth_games must be a multiple of test_games, not {self.truth_games} and {self.test_games}"
            )

        evolution, task = self.evolution, self.evolution.task
        if not isinstance(task, RoundRobin) or not isinstance(evolution.strategy, KillMergeMutate):
            raise ValueError("self_play needs game=backgammon, task=round_robin and strategy=kill_merge_mutate")
        replace(task.absolute(), games=self.test_games)  # raises ValueError for an odd number of games
        task.pairs(evolution.strategy.population, 0)  # raises ValueError for a wrong number of rivals
        if self.generations % self.truth_every or self.retest_games % self.test_games:
            raise ValueError(
                f"generations must be a multiple of study.truth_every and retest_games of study.test_games, "
                f"not {self.generations} and {self.retest_games}"
            )

    def conclude(self, outcome: Watched) -> Findings:
        evolution, task, strategy = self.evolution, self.evolution.task, self.evolution.strategy
        assert isinstance(task, RoundRobin)
        assert isinstance(strategy, KillMergeMutate)
        population, tests = strategy.population, len(outcome.tested) * self.test_games
        truths, retests = len(outcome.truth) * self.truth_games, 2 * self.retest_games
        champions, best = outcome.champions()
        return Findings(
            size=f"{evolution.replicas} replicas × {self.generations} generations of {population} players, "
            f"{task.games} games a pair",
            games=self.generations * evolution.games_per_generation
            + evolution.replicas * population * (tests + truths + retests),
            claims=findings.claims(outcome, strategy.merging),
            tables=[findings.runs_table(outcome)],
            figures=findings.draw_figures(outcome, strategy.merging),
            arrays=outcome.arrays(),
            champions=champions,
            best=best,
        )

    def compute(self, lab: Lab) -> Watched:
        start = {"states": jax.device_get(self.evolution.init()), **self.blank()}

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            return self.advance(lab, number, tree)

        tree = lab.loop("snapshots", self.generations // self.snapshot_every, start, step)
        lab.faulty += int(np.isneginf(tree["fitness"]).sum())
        kept = {"peak": tree["peak"], "last": np.asarray(tree["states"].genomes)}

        def retest(number: int, found: dict) -> tuple[dict, dict, str]:
            for name, genomes in kept.items():
                found[name] += self.tested(genomes, "retest against Pubeval", number)
            return found, {}, f"{(number + 1) * self.test_games} games"

        rounds, nobody = self.retest_games // self.test_games, np.zeros(kept["peak"].shape[:2])
        wins = lab.loop("retest", rounds, {name: nobody.copy() for name in kept}, retest)
        return Watched(
            study=self,
            retest_games=self.retest_games,
            genomes=kept,
            retested={name: found / rounds for name, found in wins.items()},
            **{name: tree[name] for name in ("fitness", "measures", "tested", "truth")},
        )

    def blank(self) -> dict[str, np.ndarray]:
        """Arrays of zeros for all that is kept of the evolution."""
        evolution, generations = self.evolution, self.generations
        players = evolution.replicas, evolution.strategy.population
        return {
            "fitness": np.zeros((generations, *players), np.float32),
            "measures": np.zeros((generations // self.snapshot_every, evolution.replicas, len(MEASURES)), np.float32),
            "tested": np.zeros((generations // self.test_every, *players), np.float32),
            "truth": np.zeros((generations // self.truth_every, *players), np.float32),
            "peak": np.zeros((*players, evolution.task.genes), np.float32),
        }

    def advance(self, lab: Lab, number: int, tree: dict) -> tuple[dict, dict, str]:
        """The generations up to the next snapshot, with the tests that are due then."""
        first = number * self.snapshot_every
        states, (fitness, plies, truncated) = jax.device_get(
            stride(self.evolution, self.snapshot_every, tree["states"], jnp.int32(first))
        )
        check_faults(fitness, first)
        generation, genomes = first + self.snapshot_every, states.genomes
        tree["states"], tree["fitness"][first:generation] = states, fitness
        tree["measures"][number] = np.stack([plies.mean(0), truncated.mean(0), norm(genomes), diversity(genomes)], 1)
        save(lab, generation, genomes)
        logged = dict(zip(MEASURES, tree["measures"][number].mean(0).tolist(), strict=True))
        logged |= {"generation": generation, "fitness/best": float(fitness.max(2).mean())}
        note = f"{logged['plies']:.0f} plies"
        if generation % self.test_every == 0:
            at = generation // self.test_every - 1
            shares = self.tested(genomes, "test against Pubeval", generation)
            better = shares.mean(1) > tree["tested"][:at].mean(2).max(0, initial=-1)
            tree["tested"][at], tree["peak"] = shares, np.where(better[:, None, None], genomes, tree["peak"])
            logged |= {"pubeval/best": float(shares.max(1).mean()), "pubeval/average": float(shares.mean())}
            note += f", {shares.max():.2f} of {self.test_games} games against Pubeval, average {shares.mean():.2f}"
        if generation % self.truth_every == 0:
            rounds = range(1, 1 + self.truth_games // self.test_games)
            shares = [
                self.tested(genomes, "truth against Pubeval", generation + part * self.generations) for part in rounds
            ]
            tree["truth"][generation // self.truth_every - 1] = np.mean(shares, 0)
        return tree, logged, note

    def tested(self, genomes: np.ndarray, purpose: str, number: int) -> np.ndarray:
        """Float[replicas population]: the share of `test_games` new games that each player wins against Pubeval."""
        task = replace(self.evolution.task.absolute(), games=self.test_games)
        return wins(task, self.evolution.streams(purpose, number), genomes)


@partial(jax.jit, static_argnums=(0, 1))
def stride(evolution: Evolution, generations: int, states: PyTree, first: jax.Array) -> tuple[PyTree, tuple]:
    """`generations` generations as one program: (states, (fitness, plies, truncated)).

    fitness: Float[generations replicas population]
    plies, truncated: Float[generations replicas], mean plies of a game and share of games truncated
    """

    def step(states: PyTree, generation: jax.Array) -> tuple[PyTree, tuple]:
        states, results = evolution.step(states, generation)
        measures = results.evaluation
        means = (x.mean(1, where=~measures.faulty) for x in (measures.plies, measures.truncated))
        return states, (measures.fitness, *means)

    return jax.lax.scan(step, states, first + jnp.arange(generations))


def wins(task: VersusPubeval, streams: jax.Array, genomes: np.ndarray) -> np.ndarray:
    """Float[replicas players]: the share of `task.games` games that genomes[replicas, players, genes] win.

    streams: UInt32[replicas]
    """
    return np.asarray(_wins(task, streams, jnp.asarray(genomes)))


@partial(jax.jit, static_argnums=0)
def _wins(task: VersusPubeval, streams: jax.Array, genomes: jax.Array) -> jax.Array:
    return task.wins(task.play(streams, genomes), genomes.shape[1])


def norm(genomes: np.ndarray) -> np.ndarray:
    """Float[replicas]: the mean Euclidean norm of genomes[replicas, population, genes]."""
    return np.linalg.norm(genomes, axis=2).mean(1)


def diversity(genomes: np.ndarray) -> np.ndarray:
    """Float[replicas]: the mean distance of genomes[replicas, population, genes] from the mean genome."""
    return np.linalg.norm(genomes - genomes.mean(1, keepdims=True), axis=2).mean(1)


def save(lab: Lab, generation: int, genomes: Any) -> None:
    """Writes the genomes of a generation to the run's folder of snapshots."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, genomes=genomes)
    files.write(lab.folder / SNAPSHOTS / f"{generation:06d}.npz", buffer.getvalue())
