"""Competitive coevolution of two populations, with the methods of Rosin & Belew (1997) in the setting of Schaul &
Schmidhuber (2008, section V-D).

In each generation one population, the hosts, is evaluated and goes on to its next generation; then the populations
exchange roles. A host meets a few parasites, chosen from those that were hosts in the generation before, and members
of the hall of fame, which holds the champion of every generation of either population.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.strategies.variation import check_sizes, draw_famous, mutants


@flax.struct.dataclass
class CoevolutionState:
    hosts: Any  # Float[population genes], to be evaluated next
    resting: Any  # Float[population genes], the other population's next generation
    sample: Any  # Float[parasites genes], out of the other population as it was evaluated last
    hall: Any  # Float[capacity genes], the hall of fame
    inducted: Any  # Int[""], champions that were put there so far; beyond the capacity they replace the oldest
    drawn: Any  # Int[famous], members of the hall that the hosts meet; those ≥ `inducted` are not there yet
    champion: Any  # Float[genes]


@dataclass(frozen=True)
class Coevolution:
    """Of each population the best `mu` by competitive shared fitness, and among equals by mean score, become parents of
    `lambda_` offspring, and, if `elitist`, stay in the population; otherwise it consists of mu + lambda offspring. A
    host meets `parasites` of the other population and `famous` members of the hall of fame, which has room for
    `capacity` champions.
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
        """Of each of the two."""
        return self.mu + self.lambda_

    def init(self, key: PRNGKeyArray, genes: int) -> CoevolutionState:
        hosts, resting = self.initial_scale * jax.random.normal(key, (2, self.population, genes))
        return CoevolutionState(
            hosts=hosts,
            resting=resting,
            sample=resting[: self.parasites],  # nothing is known of them, and their order is random
            hall=jnp.zeros((self.capacity, genes)),
            inducted=jnp.int32(0),
            drawn=jnp.arange(self.famous),
            champion=hosts[0],
        )

    def ask(self, state: CoevolutionState) -> tuple[Float[Array, "population genes"], Opponents]:
        present = jnp.concatenate([jnp.ones(self.parasites, bool), state.drawn < state.inducted])
        return state.hosts, Opponents(jnp.concatenate([state.sample, state.hall[state.drawn]]), present)

    def tell(self, key: PRNGKeyArray, state: CoevolutionState, evaluation: Evaluation) -> CoevolutionState:
        mutation_key, sample_key, hall_key = jax.random.split(key, 3)
        wins = (evaluation.cases > 0) & evaluation.present
        best = jnp.lexsort((-evaluation.fitness, -shared_fitness(wins)))[: self.mu]
        champion = state.hosts[best[0]]
        inducted = state.inducted + 1
        return CoevolutionState(
            hosts=state.resting,
            resting=self._next_generation(mutation_key, state.hosts[best]),
            sample=state.hosts[shared_sample(sample_key, wins, self.parasites)],
            hall=state.hall.at[state.inducted % self.capacity].set(champion),
            inducted=inducted,
            drawn=draw_famous(hall_key, inducted, self.famous, self.capacity),
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
    """Competitive fitness sharing: a win against a parasite is worth 1 / (number of hosts that beat it)."""
    return (wins / jnp.maximum(wins.sum(0), 1)).sum(1)


def shared_sample(key: PRNGKeyArray, wins: Bool[Array, "hosts cases"], count: int) -> Int[Array, "sample"]:
    """Which `count` hosts test the other side best together: again and again the one that beats most of what the sample
    does not beat yet; ties are drawn.
    """
    order = jax.random.uniform(key, (count, len(wins)))  # below 1: breaks ties only

    def choose(carry: tuple[jax.Array, jax.Array], noise: jax.Array) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        chosen, beaten = carry
        new = (wins & ~beaten).sum(1) + noise
        best = jnp.argmax(jnp.where(chosen, -1.0, new))
        return (chosen.at[best].set(True), beaten | wins[best]), best

    start = jnp.zeros(wins.shape[0], bool), jnp.zeros(wins.shape[1], bool)
    return jax.lax.scan(choose, start, order)[1]
