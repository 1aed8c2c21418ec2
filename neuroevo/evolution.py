"""Several independent evolutions, the replicas, as one program that evaluates their populations together.

All randomness is derived from (seed, replica, generation), so a replica does not depend on the others.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from jaxgames.core import Leaf
from jaxgames.randomness import stream_from_key
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.runtime.streams import streams
from neuroevo.strategies import Strategy
from neuroevo.strategies.evaluation import Evaluation, without_faults
from neuroevo.tasks import Task

MEASURES = "fitness", "wins", "draws", "truncated", "plies", "busy"


@flax.struct.dataclass
class Generation:
    """The results of one generation. Every leaf leads with the replicas."""

    evaluation: Evaluation  # leaves [replicas, population]
    champions: Leaf  # Float[replicas genes]


@dataclass(frozen=True)
class Evolution:
    """A strategy that evolves genomes for a task, `replicas` times independently.

    strategy: proposes genomes and selects among them.
    task: evaluates genomes by games.
    replicas: number of independent evolutions.
    seed: all randomness is derived from it.

    `step` computes a generation; `train` runs all of them and keeps their history.
    """

    strategy: Strategy
    task: Task
    replicas: int = 10
    seed: int = 0

    @property
    def games_per_generation(self) -> int:
        """Number of games that one generation of all replicas plays."""
        start = partial(self.strategy.init, genes=self.task.genes)
        genomes, opponents = jax.eval_shape(lambda key: self.strategy.ask(start(key)), jax.random.key(0))
        met = None if opponents is None else len(opponents.present)
        return self.replicas * self.task.games_of(len(genomes), met)

    @property
    def games_per_evaluation(self) -> int:
        """Number of games that one genome plays in a generation."""
        return self.games_per_generation // (self.replicas * self.strategy.population)

    def check(self) -> None:
        """Raises ValueError if the strategy's genes have another type than those of the task's networks."""
        given, wanted = np.dtype(self.strategy.gene_type).name, np.dtype(self.task.gene_type).name
        if given != wanted:
            strategy, network = type(self.strategy).__name__, type(self.task.network).__name__
            raise ValueError(f"{strategy} evolves genes of type {given}, and {network} has genes of type {wanted}")

    def init(self) -> PyTree:
        """The strategies' states before the first generation, with a leading axis of replicas."""
        keys = jax.vmap(lambda key: jax.random.split(key)[0])(self._keys())
        return jax.vmap(partial(self.strategy.init, genes=self.task.genes))(keys)

    @partial(jax.jit, static_argnums=0)
    def step(self, states: PyTree, generation: jax.Array) -> tuple[PyTree, Generation]:
        """(the next states, the results) of one generation of every replica.

        All genomes of a replica meet the same random numbers. Pass `jax.device_get(states)` to the next step: JAX
        compiles once per placement of the arguments, and a step places its results elsewhere than `init` does.
        """
        keys = jax.vmap(lambda key: jax.random.split(jax.random.fold_in(key, generation + 1)))(self._keys())
        genomes, opponents = jax.vmap(self.strategy.ask)(states)
        evaluation = without_faults(self.task.evaluate(jax.vmap(stream_from_key)(keys[:, 0]), genomes, opponents))
        states = jax.vmap(self.strategy.tell)(keys[:, 1], states, evaluation)
        return states, Generation(evaluation, jax.vmap(self.strategy.champion)(states))

    def streams(self, purpose: str, number: int = 0) -> jax.Array:
        """UInt32[replicas]: streams of random numbers for games outside evolution, see `runtime.streams`."""
        return streams(self.seed, purpose, number, self.replicas)

    def _keys(self) -> jax.Array:
        return jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(self.replicas))


@dataclass
class History:
    """The results of all generations. Arrays lead with [generations, replicas]."""

    measures: dict[str, np.ndarray]  # one for each of MEASURES: Float[generations replicas population]
    champions: np.ndarray  # [generations replicas genes]
    best_cases: np.ndarray | None  # Float[generations replicas cases] of the best genome; None if they are not kept

    @staticmethod
    def blank(evolution: Evolution, generations: int, cases: int = 0) -> "History":
        """A history of zeros, to be filled by `put`. `cases`: number of cases to keep for the best genome."""
        shape = generations, evolution.replicas
        return History(
            {name: np.zeros((*shape, evolution.strategy.population), np.float32) for name in MEASURES},
            np.zeros((*shape, evolution.task.genes), evolution.task.gene_type),
            np.zeros((*shape, cases), np.float32) if cases else None,
        )

    def put(self, number: int, generation: Generation) -> None:
        """Enters the results of generation `number`."""
        for name, values in self.measures.items():
            values[number] = getattr(generation.evaluation, name)
        self.champions[number] = generation.champions
        if self.best_cases is not None:
            best = np.argmax(generation.evaluation.fitness, 1)
            self.best_cases[number] = generation.evaluation.cases[np.arange(len(best)), best]

    @property
    def faulty(self) -> int:
        """Number of faulty genomes in all generations, see `strategies.evaluation.without_faults`."""
        return int(np.isneginf(self.measures["fitness"]).sum())

    def measured(self, name: str, generations: int | slice = slice(None)) -> np.ndarray:
        """One of MEASURES with faulty genomes masked, for means and figures."""
        values, faulty = self.measures[name][generations], np.isneginf(self.measures["fitness"][generations])
        return np.ma.masked_array(values, faulty) if faulty.any() else values

    def summary(self, number: int) -> dict[str, float]:
        """Best and average of generation `number`, means over the replicas, by name for the log."""
        fitness, wins, plies = (self.measured(name, number) for name in ("fitness", "wins", "plies"))
        return {
            "fitness/best": float(fitness.max(1).mean()),
            "fitness/average": float(fitness.mean()),
            "wins/best": float(wins.max(1).mean()),
            "wins/average": float(wins.mean()),
            "plies": float(plies.mean()),
        }


def train(
    evolution: Evolution,
    generations: int,
    lab: Lab,
    name: str = "generation",
    cases: int = 0,
    at: Callable[[int], Evolution] | None = None,
) -> History:
    """Evolves for `generations` generations, from the newest checkpoint if there is one.

    name: the loop's name in the lab, which no other loop of the study has.
    cases: number of cases to record for the best genome (0: none).
    at: at(generation) is the Evolution of that generation, for schedules; by default `evolution` throughout.

    Raises CheckpointError and SystemExit as `Lab.loop` does.
    """
    games = evolution.games_per_generation

    def step(number: int, tree: tuple[Any, dict]) -> tuple[tuple[Any, dict], dict[str, float], str]:
        states, saved = tree
        started = time.perf_counter()
        states, generation = jax.device_get((at(number) if at else evolution).step(states, jnp.int32(number)))
        history = History(**saved)
        history.put(number, generation)
        check_faults(history.measures["fitness"][[number]], number)
        speed = games / (time.perf_counter() - started)
        metrics = {
            "generation": number,
            "evaluations": (number + 1) * evolution.strategy.population,
            "games": (number + 1) * games,
            "games_per_second": speed,
            **history.summary(number),
        }
        return (states, vars(history)), metrics, f"{speed:,.0f} games/s, best {metrics['fitness/best']:+.3f}"

    start = jax.device_get(evolution.init()), vars(History.blank(evolution, generations, cases))
    history = History(**lab.loop(name, generations, start, step)[1])
    lab.faulty += history.faulty
    return history


def check_faults(fitness: np.ndarray, first: int) -> None:
    """Raises ConfigError for a replica whose genomes are all faulty, so that none can be selected.

    fitness: Float[generations replicas population], −inf for a faulty genome
    first: number of the first of these generations
    """
    for generation, replica in np.argwhere(np.isneginf(fitness).all(2)):
        raise ConfigError(
            f"strategy: in generation {first + generation} of replica {replica} no genome has a finite fitness, as "
            "outputs or scores are NaN or infinite; smaller first genes and steps keep them finite"
        )
