"""Kill, merge, mutate: the evolution of A. Bibliowicz and E. Joshua, Evolving a Backgammon Player at Home (2005).

Fitness is the share of games won in a round robin of the population. The paper leaves some things open, which we read
as follows:

* A player is killed with probability 1 − fitness (algorithm 2; a sentence beside it says with probability fitness). The
  two best always survive, because merging needs two and a population would die out sooner or later.
* The survivors are paired by rank, (1, 2), (1, 3), … (2, 3), … and from the start again. Each pair has a child with a
  probability that is the pair's mean fitness, until the population has its size again (algorithm 3). Children do not
  merge in the generation in which they are made. If no survivor has won a game, every pair has a child.
* Every player, survivor or child, mutates in one weight with probability 0.1 (algorithm 4).
"""

from dataclasses import dataclass, replace
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.strategies.variation import finite, sample_hall, without_faulty

SURE_SURVIVORS = 2
MERGING = "random", "half"


@flax.struct.dataclass
class KillMergeMutateState:
    """The population, and the hall of fame if there is one (else None).

    genomes: Float[population genes], survivors by rank, then children
    champion: Float[genes], the player with the highest fitness of the last generation
    survivors: Int[""], number of players of the last generation that survived
    hall: Float[capacity genes], champions of past generations
    hall_count: Int[""], number of champions put in so far; beyond the capacity they replace the oldest
    hall_sampled: Int[famous], places of the hall that the players meet next; a place ≥ `hall_count` is free
    """

    genomes: Any
    champion: Any
    survivors: Any
    hall: Any = None
    hall_count: Any = None
    hall_sampled: Any = None


@dataclass(frozen=True)
class KillMergeMutate:
    """At first all weights are zero and every player mutates once.

    population: not published ("very small")
    merging: a child's weights are f · w1 + (1 − f) · w2; f is drawn from [0, 1) for each child (`random`, the paper's
        first run) or ½ (`half`, its second)
    mutation_rate: probability that a player mutates
    sigma: standard deviation of what a mutation adds to one weight

    Beyond the paper:

    famous: number of past champions that each player meets, drawn from a hall of fame
    capacity: number of champions that the hall of fame holds
    everywhere: whether a mutation changes all weights

    Raises ValueError for numbers out of range and an unknown merging.
    """

    population: int = 10
    merging: str = "random"
    mutation_rate: float = 0.1
    sigma: float = 0.1
    famous: int = 0
    capacity: int = 400
    everywhere: bool = False
    gene_type = np.float32

    def __post_init__(self):
        if self.population <= SURE_SURVIVORS:
            raise ValueError(f"population must be more than {SURE_SURVIVORS}, who survive, not {self.population}")
        if self.merging not in MERGING:
            raise ValueError(f"merging must be one of {', '.join(MERGING)}, not {self.merging!r}")
        if not 0 <= self.mutation_rate <= 1 or self.sigma <= 0:
            raise ValueError(
                f"mutation_rate must be a probability and sigma positive, not {self.mutation_rate} and {self.sigma}"
            )

        if not 0 <= self.famous <= self.capacity:
            raise ValueError(f"famous must be between 0 and the capacity {self.capacity}, not {self.famous}")

    def init(self, key: PRNGKeyArray, genes: int) -> KillMergeMutateState:
        """Weights of zero, one of them mutated in every player."""
        genomes = self._mutated(key, jnp.zeros((self.population, genes)), 1.0)
        state = KillMergeMutateState(genomes, genomes[0], jnp.int32(self.population))
        if not self.famous:
            return state
        hall = jnp.zeros((self.capacity, genes))
        return replace(state, hall=hall, hall_count=jnp.int32(0), hall_sampled=jnp.arange(self.famous))

    def ask(self, state: KillMergeMutateState) -> tuple[Float[Array, "population genes"], Opponents | None]:
        """The population, and the members of the hall of fame that it meets, if there is one."""
        if not self.famous:
            return state.genomes, None
        return state.genomes, Opponents(state.hall[state.hall_sampled], state.hall_sampled < state.hall_count)

    def tell(self, key: PRNGKeyArray, state: KillMergeMutateState, evaluation: Evaluation) -> KillMergeMutateState:
        """Kills, merges and mutates."""
        kill_key, pair_key, merge_key, mutate_key = jax.random.split(key, 4)
        order = jnp.argsort(-evaluation.fitness, stable=True)
        ranked, fitness = without_faulty(state.genomes, evaluation.fitness)[order], evaluation.fitness[order]
        alive = survive(kill_key, fitness)
        first = jnp.argsort(~alive, stable=True)  # the survivors, by rank
        count = alive.sum()
        parents = pairs(pair_key, finite(fitness)[first], count)
        share = jax.random.uniform(merge_key, (self.population, 1)) if self.merging == "random" else 0.5
        survivors = ranked[first]
        children = share * survivors[parents[:, 0]] + (1 - share) * survivors[parents[:, 1]]
        stays = jnp.arange(self.population)[:, None] < count
        genomes = self._mutated(mutate_key, jnp.where(stays, survivors, children), self.mutation_rate)
        after = replace(state, genomes=genomes, champion=ranked[0], survivors=count)
        if not self.famous:
            return after
        hall_count = state.hall_count + 1
        hall_sampled = sample_hall(jax.random.fold_in(mutate_key, 1), hall_count, self.famous, self.capacity)
        hall = state.hall.at[state.hall_count % self.capacity].set(ranked[0])
        return replace(after, hall=hall, hall_count=hall_count, hall_sampled=hall_sampled)

    def champion(self, state: KillMergeMutateState) -> Float[Array, "genes"]:
        """The player with the highest fitness of the last generation."""
        return state.champion

    def _mutated(
        self, key: PRNGKeyArray, genomes: Float[Array, "population genes"], rate: float
    ) -> Float[Array, "population genes"]:
        if not self.everywhere:
            return mutated(key, genomes, rate, self.sigma)
        who_key, size_key = jax.random.split(key)
        mutates = jax.random.uniform(who_key, (self.population, 1)) < rate
        return genomes + jnp.where(mutates, self.sigma * jax.random.normal(size_key, genomes.shape), 0)


def survive(key: PRNGKeyArray, fitness: Float[Array, "population"]) -> Bool[Array, "population"]:
    """Which players survive algorithm 2; `fitness` is by rank, the best first."""
    draws = jax.random.uniform(key, fitness.shape)
    return (draws < fitness) | (jnp.arange(len(fitness)) < SURE_SURVIVORS)


def pairs(key: PRNGKeyArray, fitness: Float[Array, "population"], count: Int[Array, ""]) -> Int[Array, "population 2"]:
    """The ranks of the two parents whose child takes each place (algorithm 3).

    `count` is the number of survivors; the first `count` entries of `fitness` are theirs, by rank, and the first
    `count` rows of the result are not used, since survivors keep their places.
    """
    population = len(fitness)
    living = jnp.arange(population) < count
    hopeless = jnp.where(living, fitness, 0).sum() <= 0

    def attempt(carry: tuple) -> tuple:
        number, one, other, place, found = carry
        chance = jnp.where(hopeless, 1, (fitness[one] + fitness[other]) / 2)
        has_child = jax.random.uniform(jax.random.fold_in(key, number)) < chance
        found = jnp.where(has_child, found.at[place].set(jnp.stack([one, other])), found)
        one = jnp.where(other + 1 < count, one, one + 1)
        other = jnp.where(other + 1 < count, other + 1, one + 1)
        again = other >= count
        return number + 1, jnp.where(again, 0, one), jnp.where(again, 1, other), place + has_child, found

    start = jnp.int32(0), jnp.int32(0), jnp.int32(1), count.astype(jnp.int32), jnp.zeros((population, 2), jnp.int32)
    return jax.lax.while_loop(lambda carry: carry[3] < population, attempt, start)[-1]


def mutated(
    key: PRNGKeyArray, genomes: Float[Array, "population genes"], rate: float, sigma: float
) -> Float[Array, "population genes"]:
    """The genomes, each with probability `rate` with N(0, sigma) added to one gene (algorithm 4)."""
    who_key, where_key, size_key = jax.random.split(key, 3)
    population, genes = genomes.shape
    mutates = jax.random.uniform(who_key, (population,)) < rate
    where = jax.random.randint(where_key, (population,), 0, genes)
    size = sigma * jax.random.normal(size_key, (population,))
    return genomes.at[jnp.arange(population), where].add(jnp.where(mutates, size, 0))
