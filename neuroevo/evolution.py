"""Several independent evolutions as one program: the replicas' populations are evaluated together.

All randomness is derived from (seed, replica, generation): what a replica does depends on nothing else.
"""

from dataclasses import dataclass
from functools import partial

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from jaxgames.core import Leaf
from jaxgames.randomness import stream_from_key
from neuroevo.evaluation import Evaluation
from neuroevo.strategies import Strategy
from neuroevo.tasks import Task

FRESH = 2**31 - 1  # the "generation" whose random numbers serve tests after evolution


@flax.struct.dataclass
class Generation:
    """What one generation leaves behind; every leaf leads with the replicas."""

    evaluation: Evaluation  # leaves [replicas, population]
    champions: Leaf  # Float[replicas genes]


@dataclass(frozen=True)
class Evolution:
    strategy: Strategy
    task: Task
    replicas: int = 10
    seed: int = 0

    @property
    def games_per_generation(self) -> int:
        start = partial(self.strategy.init, genes=self.task.genes)
        genomes, opponents = jax.eval_shape(lambda key: self.strategy.ask(start(key)), jax.random.key(0))
        met = None if opponents is None else len(opponents.present)
        return self.replicas * self.task.games_of(len(genomes), met)

    @property
    def games_per_evaluation(self) -> int:
        """Of one genome."""
        return self.games_per_generation // (self.replicas * self.strategy.population)

    def check(self) -> None:
        """Raises ValueError if the strategy evolves other genes than the task's networks have."""
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
        """One generation of every replica. All genomes of a replica meet the same random numbers.

        Pass `jax.device_get` of the states on: JAX compiles once per placement of its arguments, and a step leaves its
        results elsewhere than `init`.
        """
        keys = jax.vmap(lambda key: jax.random.split(jax.random.fold_in(key, generation + 1)))(self._keys())
        genomes, opponents = jax.vmap(self.strategy.ask)(states)
        evaluation = self.task.evaluate(jax.vmap(stream_from_key)(keys[:, 0]), genomes, opponents)
        states = jax.vmap(self.strategy.tell)(keys[:, 1], states, evaluation)
        return states, Generation(evaluation, jax.vmap(self.strategy.champion)(states))

    def fresh_stream(self) -> jax.Array:
        """UInt32[""]: random numbers that no generation has used."""
        return stream_from_key(jax.random.fold_in(jax.random.key(self.seed), FRESH))

    def _keys(self) -> jax.Array:
        return jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(self.replicas))
