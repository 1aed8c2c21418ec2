"""A strategy of your own, a choice of every config: random search that keeps the best genome it has seen.

python -m neuroevo +exp=mdrnn_atarigo scale=smoke plugins=[examples.your_strategy] strategy=keep_the_best
python examples/your_strategy.py
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np

import neuroevo


@flax.struct.dataclass
class State:
    genomes: Any  # Float[population genes], asked for in this generation
    best: Any  # Float[genes]
    fitness: Any  # Float[""], of the best


@neuroevo.register("strategy", "keep_the_best")
@dataclass(frozen=True)
class KeepTheBest:
    population: int = 20
    scale: float = 1.0
    gene_type = np.float32

    def init(self, key, genes):
        return State(self.drawn(key, genes), jnp.zeros(genes), jnp.float32(-jnp.inf))

    def ask(self, state):
        return state.genomes, None  # no opponents: the task has its own

    def tell(self, key, state, evaluation):
        place = evaluation.fitness.argmax()
        better = evaluation.fitness[place] > state.fitness
        best = jnp.where(better, state.genomes[place], state.best)
        return State(self.drawn(key, len(best)), best, jnp.maximum(evaluation.fitness[place], state.fitness))

    def champion(self, state):
        return state.best

    def drawn(self, key, genes):
        return self.scale * jax.random.normal(key, (self.population, genes))


if __name__ == "__main__":
    from neuroevo.strategies.evaluation import plain

    strategy = KeepTheBest()
    state = strategy.init(jax.random.key(0), genes=5)
    for generation in range(50):
        genomes, _ = strategy.ask(state)
        state = strategy.tell(jax.random.key(generation), state, plain(-(genomes**2).sum(1)))
    print(f"the best of 1000 genomes is {float(jnp.linalg.norm(strategy.champion(state))):.2f} from the optimum")
