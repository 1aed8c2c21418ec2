"""Evolution over generations, on the host: step, log, keep the history."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.evolution import Evolution, Generation
from neuroevo.lab import Lab

MEASURES = "fitness", "wins", "draws", "plies", "busy"


@dataclass
class History:
    """What all generations left behind; arrays lead with [generations, replicas]."""

    measures: dict[str, np.ndarray]  # each Float[generations replicas population]
    champions: np.ndarray  # [generations replicas genes]
    best_cases: np.ndarray | None  # Float[generations replicas cases], of the best individual, if they are kept

    @staticmethod
    def blank(evolution: Evolution, generations: int, cases: int = 0) -> "History":
        shape = generations, evolution.replicas
        return History(
            {name: np.zeros((*shape, evolution.strategy.population), np.float32) for name in MEASURES},
            np.zeros((*shape, evolution.task.genes), evolution.task.gene_type),
            np.zeros((*shape, cases), np.float32) if cases else None,
        )

    def put(self, number: int, generation: Generation) -> None:
        for name, values in self.measures.items():
            values[number] = getattr(generation.evaluation, name)
        self.champions[number] = generation.champions
        if self.best_cases is not None:
            best = np.argmax(generation.evaluation.fitness, 1)
            self.best_cases[number] = generation.evaluation.cases[np.arange(len(best)), best]

    def summary(self, number: int) -> dict[str, float]:
        """The curves of one generation: means over the replicas."""
        fitness, wins, plies = (self.measures[name][number] for name in ("fitness", "wins", "plies"))
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
    """Evolves from the newest checkpoint, or from the start, to the last generation; `name` must be the loop's own.

    `cases`: how many an evaluation has, if they are to be kept. `at`: the evolution of each generation, if it changes.
    """
    games = evolution.games_per_generation

    def step(number: int, tree: tuple[Any, dict]) -> tuple[tuple[Any, dict], dict[str, float], str]:
        states, saved = tree
        started = time.perf_counter()
        states, generation = jax.device_get((at(number) if at else evolution).step(states, jnp.int32(number)))
        history = History(**saved)
        history.put(number, generation)
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
    return History(**lab.loop(name, generations, start, step)[1])
