"""The genetic algorithm on chromosomes of 8-bit integers that evolves marker-based encodings of networks (Moriarty &
Miikkulainen 1994, section Evolution).

Fitness is noisy, so all chromosomes are evaluated anew in every generation.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import without_faulty


@flax.struct.dataclass
class MarkerGAState:
    """The population and its best chromosome.

    chromosomes: Int8[population alleles], survivors, the best first, then offspring
    champion: Int8[alleles], the best of the last generation
    """

    chromosomes: Any
    champion: Any


@dataclass(frozen=True)
class MarkerGA:
    """Truncation selection, two-point crossover and mutation by addition.

    population: number of chromosomes
    parents: number of the best, from which pairs are drawn uniformly
    offspring: number of the worst that offspring replace; each pair has two
    elite: number of the best that do not mutate
    mutation_rate: probability that an allele mutates: a uniform 8-bit integer is added to it modulo 256

    Raises ValueError for numbers that do not go together.
    """

    population: int = 50
    parents: int = 15
    offspring: int = 30
    elite: int = 3
    mutation_rate: float = 0.004
    gene_type = np.int8

    def __post_init__(self):
        if self.offspring < 2 or self.offspring % 2 or self.offspring >= self.population:
            raise ValueError(
                f"offspring must be an even number from 2 and leave some of the population {self.population}, "
                f"not {self.offspring}"
            )
        if not 2 <= self.parents <= self.population:
            raise ValueError(f"parents must be from 2 to the population {self.population}, not {self.parents}")
        if not 0 <= self.elite <= self.population - self.offspring:
            raise ValueError(
                f"elite must be from 0 to population - offspring = {self.population - self.offspring}, not {self.elite}"
            )
        if not 0 <= self.mutation_rate <= 1:
            raise ValueError(f"mutation_rate must be a probability, not {self.mutation_rate}")

    def init(self, key: PRNGKeyArray, genes: int) -> MarkerGAState:
        """Uniform 8-bit integers."""
        chromosomes = jax.random.bits(key, (self.population, genes), jnp.uint8).astype(jnp.int8)
        return MarkerGAState(chromosomes, chromosomes[0])

    def ask(self, state: MarkerGAState) -> tuple[Int8[Array, "population alleles"], None]:
        """All chromosomes; opponents are left to the task."""
        return state.chromosomes, None

    def tell(self, key: PRNGKeyArray, state: MarkerGAState, evaluation: Evaluation) -> MarkerGAState:
        """Offspring of the best replace the worst; then all but the elite mutate."""
        mate_key, mutation_key = jax.random.split(key)
        sound = without_faulty(state.chromosomes, evaluation.fitness)
        ranked = sound[jax.lax.top_k(evaluation.fitness, self.population)[1]]
        children = offspring(mate_key, ranked[: self.parents], self.offspring // 2)
        survivors = ranked[: self.population - self.offspring]
        mutable = jnp.arange(self.population) >= self.elite
        following = mutated(mutation_key, jnp.concatenate([survivors, children]), mutable, self.mutation_rate)
        return MarkerGAState(following, ranked[0])

    def champion(self, state: MarkerGAState) -> Int8[Array, "alleles"]:
        """The best chromosome of the last generation."""
        return state.champion


def offspring(
    key: PRNGKeyArray, parents: Int8[Array, "parents alleles"], pairs: int
) -> Int8[Array, "offspring alleles"]:
    """The offspring of `pairs` pairs of different parents, two a pair."""
    first_key, second_key, cut_key = jax.random.split(key, 3)
    count, alleles = parents.shape
    first = jax.random.randint(first_key, (pairs,), 0, count)
    second = (first + jax.random.randint(second_key, (pairs,), 1, count)) % count
    cuts = jax.random.randint(cut_key, (pairs, 2), 0, alleles + 1)
    children = jax.vmap(crossed)(parents[first], parents[second], cuts)
    return children.reshape(-1, alleles)


def crossed(
    one: Int8[Array, "alleles"], other: Int8[Array, "alleles"], cuts: Int[Array, "2"]
) -> Int8[Array, "2 alleles"]:
    """Two offspring by two-point crossover: the alleles between the cuts are exchanged."""
    place = jnp.arange(len(one))
    between = (place >= cuts.min()) & (place < cuts.max())
    return jnp.stack([jnp.where(between, other, one), jnp.where(between, one, other)])


def mutated(
    key: PRNGKeyArray, chromosomes: Int8[Array, "population alleles"], mutable: Bool[Array, "population"], rate: float
) -> Int8[Array, "population alleles"]:
    """The chromosomes, with mutations in those that are `mutable`. 8-bit integers overflow on purpose."""
    where_key, what_key = jax.random.split(key)
    where = mutable[:, None] & jax.random.bernoulli(where_key, rate, chromosomes.shape)
    added = jax.random.bits(what_key, chromosomes.shape, jnp.uint8).astype(jnp.int8)
    return jnp.where(where, chromosomes + added, chromosomes)
