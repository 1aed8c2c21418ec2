"""Competitive coevolution of two populations, with the methods of Rosin & Belew (1997) in the setting of Schaul &
Schmidhuber (2008, section V-D).

Every generation evaluates one population, the hosts, and replaces it by its next generation; then the populations
exchange roles. The hosts meet parasites, which are a sample of the hosts of the generation before, and members of the
hall of fame, which holds the champion of every generation of either population.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.strategies.variation import check_sizes, mutants, sample_hall, without_faulty


@flax.struct.dataclass
class CoevolutionState:
    """Both populations and what they meet.

    hosts: Float[population genes], to be evaluated next
    resting: Float[population genes], the other population's next generation
    sample: Float[parasites genes], drawn from the other population as it was evaluated last
    hall: Float[capacity genes], the hall of fame
    hall_count: Int[""], number of champions put in so far; beyond the capacity they replace the oldest
    hall_sampled: Int[famous], places of the hall that the hosts meet; a place ≥ `hall_count` is free
    champion: Float[genes], the best host of the last generation
    """

    hosts: Any
    resting: Any
    sample: Any
    hall: Any
    hall_count: Any
    hall_sampled: Any
    champion: Any


@dataclass(frozen=True)
class Coevolution:
    """Two populations of mu + lambda genomes. Their parents are the best by competitive shared fitness; ties are broken
    by mean score.

    mu: number of parents
    lambda_: number of offspring; without `elitist` there are mu + lambda
    sigma: standard deviation of the mutation of every gene
    elitist: whether parents stay in the population
    initial_scale: standard deviation of the first genes
    parasites: number of genomes of the other population that each host meets
    famous: number of members of the hall of fame that each host meets
    capacity: number of champions that the hall of fame holds

    Raises ValueError for numbers that do not go together.
    """

    mu: int = 5
    lambda_: int = 10
    sigma: float = 0.1
    elitist: bool = True
    initial_scale: float = 1.0
    parasites: int = 5
    famous: int = 10
    capacity: int = 400
    gene_type = np.float32

    def __post_init__(self):
        check_sizes(self.mu, self.lambda_, self.sigma, self.initial_scale)
        if not 1 <= self.parasites <= self.population:
            raise ValueError(f"parasites must be between 1 and mu + lambda = {self.population}, not {self.parasites}")
        if not 0 <= self.famous <= self.capacity:
            raise ValueError(f"famous must be between 0 and the capacity {self.capacity}, not {self.famous}")

    @property
    def population(self) -> int:
        """The size of each of the two populations."""
        return self.mu + self.lambda_

    def init(self, key: PRNGKeyArray, genes: int) -> CoevolutionState:
        """Two populations of normal genes and an empty hall of fame."""
        hosts, resting = self.initial_scale * jax.random.normal(key, (2, self.population, genes))
        return CoevolutionState(
            hosts=hosts,
            resting=resting,
            sample=resting[: self.parasites],  # nothing is known of them, and their order is random
            hall=jnp.zeros((self.capacity, genes)),
            hall_count=jnp.int32(0),
            hall_sampled=jnp.arange(self.famous),
            champion=hosts[0],
        )

    def ask(self, state: CoevolutionState) -> tuple[Float[Array, "population genes"], Opponents]:
        """The hosts, and the parasites and members of the hall of fame that they meet."""
        present = jnp.concatenate([jnp.ones(self.parasites, bool), state.hall_sampled < state.hall_count])
        return state.hosts, Opponents(jnp.concatenate([state.sample, state.hall[state.hall_sampled]]), present)

    def tell(self, key: PRNGKeyArray, state: CoevolutionState, evaluation: Evaluation) -> CoevolutionState:
        """The hosts have their next generation and rest; the other population becomes the hosts."""
        mutation_key, sample_key, hall_key = jax.random.split(key, 3)
        wins = (evaluation.cases > 0) & evaluation.present
        best = jnp.lexsort((-evaluation.fitness, -shared_fitness(wins)))[: self.mu]
        hosts = without_faulty(state.hosts, evaluation.fitness)
        champion = hosts[best[0]]
        hall_count = state.hall_count + 1
        return CoevolutionState(
            hosts=state.resting,
            resting=self._next_generation(mutation_key, hosts[best]),
            sample=hosts[shared_sample(sample_key, wins, self.parasites)],
            hall=state.hall.at[state.hall_count % self.capacity].set(champion),
            hall_count=hall_count,
            hall_sampled=sample_hall(hall_key, hall_count, self.famous, self.capacity),
            champion=champion,
        )

    def champion(self, state: CoevolutionState) -> Float[Array, "genes"]:
        """The best host of the last generation: of the first population in generation 0, 2, …, else of the second."""
        return state.champion

    def _next_generation(
        self, key: PRNGKeyArray, parents: Float[Array, "mu genes"]
    ) -> Float[Array, "population genes"]:
        children = self.lambda_ if self.elitist else self.population
        offspring = mutants(key, parents, children, self.sigma)
        return jnp.concatenate([parents, offspring]) if self.elitist else offspring


def shared_fitness(wins: Bool[Array, "hosts cases"]) -> Float[Array, "hosts"]:
    """Competitive fitness sharing (Rosin & Belew 1997): a win against a parasite is worth 1 / (number of hosts that
    beat it).
    """
    return (wins / jnp.maximum(wins.sum(0), 1)).sum(1)


def shared_sample(key: PRNGKeyArray, wins: Bool[Array, "hosts cases"], count: int) -> Int[Array, "sample"]:
    """Shared sampling (Rosin & Belew 1997): numbers of `count` hosts that together test the other side best.

    Each time the host is added that beats most of the cases which the sample does not beat yet; ties are drawn.
    """
    order = jax.random.uniform(key, (count, len(wins)))  # below 1: breaks ties only

    def choose(carry: tuple[jax.Array, jax.Array], noise: jax.Array) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        chosen, beaten = carry
        new = (wins & ~beaten).sum(1) + noise
        best = jnp.argmax(jnp.where(chosen, -1.0, new))
        return (chosen.at[best].set(True), beaten | wins[best]), best

    start = jnp.zeros(wins.shape[0], bool), jnp.zeros(wins.shape[1], bool)
    return jax.lax.scan(choose, start, order)[1]
