"""Several objectives at once: (mu + lambda) evolution with the environmental selection of NSGA-II.

K. Deb, A. Pratap, S. Agarwal, T. Meyarivan: A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II, IEEE
Transactions on Evolutionary Computation 6(2), 2002. The objectives are the cases of an evaluation. Unlike the paper we
have no tournament and no crossover: every parent has equally many offspring, mutated as in `ES`, and parents are
evaluated anew in every generation, since fitness is noisy.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from neuroevo.strategies.es import ESState
from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import check_sizes, mutants, without_faulty


@dataclass(frozen=True)
class Pareto:
    """Selection by several objectives; the champion is the genome of the first front with the highest fitness.

    mu: number of parents
    lambda_: number of offspring
    sigma: standard deviation of the mutation of every gene
    initial_scale: standard deviation of the first genes

    Raises ValueError for numbers that do not go together.
    """

    mu: int = 10
    lambda_: int = 10
    sigma: float = 0.1
    initial_scale: float = 1.0
    gene_type = np.float32

    def __post_init__(self):
        check_sizes(self.mu, self.lambda_, self.sigma, self.initial_scale)

    @property
    def population(self) -> int:
        """Number of genomes in a generation."""
        return self.mu + self.lambda_

    def init(self, key: PRNGKeyArray, genes: int) -> ESState:
        """Normal genes."""
        genomes = self.initial_scale * jax.random.normal(key, (self.population, genes))
        return ESState(genomes, genomes[0])

    def ask(self, state: ESState) -> tuple[Float[Array, "population genes"], None]:
        """The whole population; opponents are left to the task."""
        return state.genomes, None

    def tell(self, key: PRNGKeyArray, state: ESState, evaluation: Evaluation) -> ESState:
        """The first mu by the crowded comparison (section III-B) become parents."""
        front = fronts(evaluation.cases, evaluation.present)
        distance = crowding_distance(evaluation.cases, evaluation.present, front)
        genomes = without_faulty(state.genomes, evaluation.fitness)
        parents = genomes[jnp.lexsort((-distance, front))[: self.mu]]
        offspring = mutants(key, parents, self.lambda_, self.sigma)
        best = jnp.argmax(jnp.where(front == 0, evaluation.fitness, -jnp.inf))
        return ESState(jnp.concatenate([parents, offspring]), genomes[best])

    def champion(self, state: ESState) -> Float[Array, "genes"]:
        """The fittest genome of the first front of the last generation."""
        return state.champion


def fronts(cases: Float[Array, "population cases"], present: Bool[Array, "cases"]) -> Int[Array, "population"]:
    """The non-dominated front of each genome, from 0 (section III-A): one more than the highest front among the genomes
    that dominate it. Cases that are not present do not count.
    """
    better = (cases[:, None] > cases) & present
    worse = (cases[:, None] < cases) & present
    dominates = better.any(-1) & ~worse.any(-1)

    def peel(_: Any, front: jax.Array) -> jax.Array:
        return jnp.max(jnp.where(dominates, front[:, None] + 1, 0), axis=0)

    return jax.lax.fori_loop(1, len(cases), peel, jnp.zeros(len(cases), jnp.int32))


def crowding_distance(
    cases: Float[Array, "population cases"], present: Bool[Array, "cases"], front: Int[Array, "population"]
) -> Float[Array, "population"]:
    """The distance between a genome's two neighbours in its front, summed over the cases (section III-B).

    Distances in a case are divided by the front's range in it, and are infinite for the front's two ends. A case in
    which a whole front is equal adds 0 for all.
    """
    together = front[:, None] == front

    def of_case(values: jax.Array) -> jax.Array:
        high = jnp.max(jnp.where(together, values, -jnp.inf), axis=1)
        low = jnp.min(jnp.where(together, values, jnp.inf), axis=1)
        order = jnp.lexsort((values, front))  # front by front
        ranked, where = values[order], front[order]
        gap = jnp.roll(ranked, -1) - jnp.roll(ranked, 1)
        first = (where != jnp.roll(where, 1)).at[0].set(True)
        last = (where != jnp.roll(where, -1)).at[-1].set(True)
        gap = jnp.zeros_like(values).at[order].set(jnp.where(first | last, jnp.inf, gap))
        return jnp.where(high > low, gap / jnp.where(high > low, high - low, 1), 0)

    return jnp.where(present[:, None], jax.vmap(of_case)(cases.T), 0).sum(0)
