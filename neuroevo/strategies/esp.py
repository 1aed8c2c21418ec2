"""Enforced Sub-Populations: a network is a team of neurons, one from each sub-population (F. Gomez and R. Miikkulainen,
Incremental Evolution of Complex General Behavior, Adaptive Behavior 5, 1997), as in Schrum's Pente experiments.

A genome is the neurons of a network one after another, all of one length: a neuron is its input, recurrent and output
weights. In a generation every neuron takes part in exactly `trials` networks, and its fitness is the mean of theirs.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import finite

LARGEST = 10.0  # the distribution of mutations is truncated to ± this


@flax.struct.dataclass
class ESPState:
    """The sub-populations, the teams to be evaluated, and the best networks.

    neurons: Float[subpopulations neurons weights]
    teams: Int[networks subpopulations], the number of each sub-population's neuron in each network
    best: Float[genes], the network with the highest fitness so far
    best_fitness: Float[""]
    stagnant: Int[""], number of generations since the best was found or the last burst
    bursts: Int[""], number of bursts so far
    champion: Float[genes], the best network of the last generation
    """

    neurons: Any
    teams: Any
    best: Any
    best_fitness: Any
    stagnant: Any
    bursts: Any
    champion: Any


@dataclass(frozen=True)
class ESP:
    """The best quarter of each sub-population breeds: each neuron crosses with a better one, and the two children of
    each pair replace the worse half.

    subpopulations: number of them, which is the number of neurons of a network
    neurons: size of a sub-population
    trials: number of networks that a neuron takes part in
    sigma: scale of the Cauchy distribution of mutations
    mutation_rate: probability that one weight of a child mutates
    patience: number of generations without a better network after which every sub-population is drawn anew around its
        neuron in the best network (burst mutation); 0: never
    initial_range: the first weights are uniform within ± this

    Raises ValueError for numbers out of range.
    """

    subpopulations: int = 10
    neurons: int = 40
    trials: int = 10
    sigma: float = 0.3
    mutation_rate: float = 0.4
    patience: int = 20
    initial_range: float = 6.0
    gene_type = np.float32

    def __post_init__(self):
        if self.subpopulations < 1 or self.trials < 1 or self.patience < 0:
            raise ValueError(
                f"subpopulations and trials must be at least 1 and patience at least 0, "
                f"not {self.subpopulations}, {self.trials} and {self.patience}"
            )
        if self.neurons < 4 or self.neurons % 4:
            raise ValueError(f"neurons must be a multiple of 4, of which a quarter breeds, not {self.neurons}")
        if not 0 <= self.mutation_rate <= 1 or self.sigma <= 0 or self.initial_range <= 0:
            raise ValueError(
                f"mutation_rate must be a probability and sigma and initial_range positive, "
                f"not {self.mutation_rate}, {self.sigma} and {self.initial_range}"
            )

    @property
    def population(self) -> int:
        """Number of networks in a generation."""
        return self.neurons * self.trials

    def init(self, key: PRNGKeyArray, genes: int) -> ESPState:
        """Raises ValueError if the genes cannot be divided among the network's neurons."""
        if genes % self.subpopulations:
            raise ValueError(f"{genes} genes are not {self.subpopulations} neurons of one length")
        neuron_key, team_key = jax.random.split(key)
        shape = self.subpopulations, self.neurons, genes // self.subpopulations
        neurons = self.initial_range * jax.random.uniform(neuron_key, shape, minval=-1.0)
        nobody = jnp.zeros(genes)
        return ESPState(
            neurons, self._teams(team_key), nobody, jnp.float32(-jnp.inf), jnp.int32(0), jnp.int32(0), nobody
        )

    def ask(self, state: ESPState) -> tuple[Float[Array, "networks genes"], None]:
        """The networks of all teams; opponents are left to the task."""
        return self._network(state, state.teams), None

    def tell(self, key: PRNGKeyArray, state: ESPState, evaluation: Evaluation) -> ESPState:
        """Breeds every sub-population, or draws it anew, and makes new teams."""
        breed_key, burst_key, team_key = jax.random.split(key, 3)
        fitness = evaluation.fitness
        champion, better = self._network(state, state.teams[jnp.argmax(fitness)]), fitness.max() > state.best_fitness
        best = jnp.where(better, champion, state.best)
        stagnant = jnp.where(better, 0, state.stagnant + 1)
        burst = (stagnant >= self.patience) & (self.patience > 0)
        ranked = by_rank(state.neurons, credit(state.teams, finite(fitness), self.neurons))
        keys = jax.random.split(breed_key, self.subpopulations)
        bred = jax.vmap(partial(next_generation, sigma=self.sigma, rate=self.mutation_rate))(keys, ranked)
        around = best.reshape(self.subpopulations, 1, -1) + cauchy(burst_key, bred.shape, self.sigma)
        return ESPState(
            neurons=jnp.where(burst, around, bred),
            teams=self._teams(team_key),
            best=best,
            best_fitness=jnp.maximum(state.best_fitness, fitness.max()),
            stagnant=jnp.where(burst, 0, stagnant),
            bursts=state.bursts + burst,
            champion=champion,
        )

    def champion(self, state: ESPState) -> Float[Array, "genes"]:
        """The best network of the last generation."""
        return state.champion

    def _network(
        self, state: ESPState, team: Int[Array, "*networks subpopulations"]
    ) -> Float[Array, "*networks genes"]:
        members = state.neurons[jnp.arange(self.subpopulations), team]
        return members.reshape(*team.shape[:-1], -1)

    def _teams(self, key: PRNGKeyArray) -> Int[Array, "networks subpopulations"]:
        """Per trial a permutation of every sub-population: each neuron is in exactly `trials` networks."""
        draws = jax.random.uniform(key, (self.trials, self.subpopulations, self.neurons))
        return jnp.argsort(draws, axis=-1).transpose(0, 2, 1).reshape(self.population, self.subpopulations)


def credit(
    teams: Int[Array, "networks subpopulations"], fitness: Float[Array, "networks"], neurons: int
) -> Float[Array, "subpopulations neurons"]:
    """The mean fitness of the networks that a neuron is in; every neuron is in equally many."""
    total = jax.vmap(lambda members: jnp.zeros(neurons).at[members].add(fitness))(teams.T)
    return total / (len(teams) / neurons)


def by_rank(
    neurons: Float[Array, "subpopulations neurons weights"], fitness: Float[Array, "subpopulations neurons"]
) -> Float[Array, "subpopulations neurons weights"]:
    """Every sub-population from its best neuron to its worst."""
    return jnp.take_along_axis(neurons, jnp.argsort(-fitness, axis=1)[..., None], axis=1)


def next_generation(
    key: PRNGKeyArray, ranked: Float[Array, "neurons weights"], sigma: float, rate: float
) -> Float[Array, "neurons weights"]:
    """One sub-population, by rank, in the next generation: the better half stays; children of the best quarter, some
    of them mutated in one weight, replace the worse half.
    """
    mate_key, cut_key, who_key, where_key, size_key = jax.random.split(key, 5)
    count, weights = ranked.shape
    rank = jnp.arange(count // 4)
    better = jax.random.randint(mate_key, rank.shape, 0, jnp.where(rank == 0, count // 4, rank))
    cut = jax.random.randint(cut_key, rank.shape, 0, weights)
    children = jax.vmap(crossed)(ranked[rank], ranked[better], cut).reshape(-1, weights)
    mutates = jax.random.uniform(who_key, (len(children),)) < rate
    where = jax.random.randint(where_key, (len(children),), 0, weights)
    size = jnp.where(mutates, cauchy(size_key, (len(children),), sigma), 0)
    children = children.at[jnp.arange(len(children)), where].add(size)
    return jnp.concatenate([ranked[: count - len(children)], children[::-1]])  # the best pair's take the last places


def crossed(
    one: Float[Array, "weights"], other: Float[Array, "weights"], cut: Int[Array, ""]
) -> Float[Array, "2 weights"]:
    """Two children by one-point crossover: the weights from `cut` on are exchanged."""
    tail = jnp.arange(len(one)) >= cut
    return jnp.stack([jnp.where(tail, other, one), jnp.where(tail, one, other)])


def cauchy(key: PRNGKeyArray, shape: tuple[int, ...], scale: float) -> Float[Array, "..."]:
    """Numbers of the Cauchy distribution around 0, truncated to ±LARGEST."""
    angle = jnp.arctan(LARGEST / scale)
    return scale * jnp.tan(jax.random.uniform(key, shape, minval=-angle, maxval=angle))
