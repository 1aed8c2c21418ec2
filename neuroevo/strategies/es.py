"""Evolution strategies (mu + lambda) and (mu, lambda) with a fixed step size.

The paper's setting (Schaul & Schmidhuber 2008, section V-C) is the default: (10 + 10), every weight mutated by N(0,
0.1), no crossover, no self-adaptation. Fitness is noisy, so parents are evaluated anew in every generation.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import check_sizes, mutants, without_faulty


@flax.struct.dataclass
class ESState:
    """The population and its best genome.

    genomes: Float[population genes], parents, then offspring
    champion: Float[genes], the best of the last generation
    """

    genomes: Any
    champion: Any


@dataclass(frozen=True)
class ES:
    """An evolution strategy.

    mu: number of parents
    lambda_: number of offspring
    sigma: standard deviation of the mutation of every gene
    elitist: whether the parents compete with their offspring (mu + lambda) or not (mu, lambda)
    initial_scale: standard deviation of the first genes

    Raises ValueError for numbers that do not go together.
    """

    mu: int = 10
    lambda_: int = 10
    sigma: float = 0.1
    elitist: bool = True
    initial_scale: float = 1.0
    gene_type = np.float32

    def __post_init__(self):
        check_sizes(self.mu, self.lambda_, self.sigma, self.initial_scale)
        if not self.elitist and self.lambda_ < self.mu:
            raise ValueError(f"without elitism lambda = {self.lambda_} must be at least mu = {self.mu}")

    @property
    def population(self) -> int:
        """Number of genomes in a generation."""
        return self.mu + self.lambda_ if self.elitist else self.lambda_

    def init(self, key: PRNGKeyArray, genes: int) -> ESState:
        """Normal genes."""
        genomes = self.initial_scale * jax.random.normal(key, (self.population, genes))
        return ESState(genomes, genomes[0])

    def ask(self, state: ESState) -> tuple[Float[Array, "population genes"], None]:
        """The whole population; opponents are left to the task."""
        return state.genomes, None

    def tell(self, key: PRNGKeyArray, state: ESState, evaluation: Evaluation) -> ESState:
        """The best mu become parents."""
        genomes = without_faulty(state.genomes, evaluation.fitness)
        parents = genomes[jax.lax.top_k(evaluation.fitness, self.mu)[1]]
        offspring = mutants(key, parents, self.lambda_, self.sigma)
        genomes = jnp.concatenate([parents, offspring]) if self.elitist else offspring
        return ESState(genomes, parents[0])

    def champion(self, state: ESState) -> Float[Array, "genes"]:
        """The best genome of the last generation."""
        return state.champion
