"""An evolution strategy that follows an estimated gradient (after T. Salimans et al., Evolution strategies as a
scalable alternative to reinforcement learning, 2017, but without its ranks).

Genomes are drawn around a mean in antithetic pairs, mean ± noise (mirrored sampling: D. Brockhoff et al., 2010), and
the mean moves towards the fitter one of each pair. If the two of a pair play each other (`RoundRobin` with `mirrored`),
every game is a sample of the better direction and no other players are needed.

evosax's Open_ES takes the same steps if it is given the same noise, these weights as its shaping of fitness, and AdamW
(the means differ by 2e-7 after 100 generations); with its own ranks it does as well on a noisy sphere, within the
standard errors of six runs. It is not used because it draws other noise, so that kept results would change, and because
a published experiment would need an optional package.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float, PRNGKeyArray

from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import finite


@flax.struct.dataclass
class MirroredESState:
    """The distribution that genomes are drawn from, and the genomes.

    mean: Float[genes]
    optimizer: Adam's moments
    noise: Float[population/2 genes], standard normal; the genomes are mean ± sigma · noise
    """

    mean: Any
    optimizer: Any
    noise: Any


@dataclass(frozen=True)
class MirroredES:
    """The gradient is the mean of the pairs' noise, each weighted by the difference of the pair's fitness, divided by
    the standard deviation of these differences. Adam follows it.

    population: number of genomes, two a pair
    sigma: standard deviation of the noise in every gene
    learning_rate: of Adam
    weight_decay: the mean shrinks by learning_rate · weight_decay of itself in a generation; otherwise steps in
        directions that do not matter would add up
    initial_scale: standard deviation of the first mean's genes

    Raises ValueError for a population that is odd or below 4, and for scales and rates out of range.
    """

    population: int = 200
    sigma: float = 0.1
    learning_rate: float = 0.01
    weight_decay: float = 0.2
    initial_scale: float = 0.1
    gene_type = np.float32

    def __post_init__(self):
        if self.population < 4 or self.population % 2:
            raise ValueError(f"population must be even and at least 4, not {self.population}")
        if self.sigma <= 0 or self.learning_rate <= 0:
            raise ValueError(f"sigma and learning_rate must be positive: {self.sigma} and {self.learning_rate}")
        if self.weight_decay < 0 or self.initial_scale < 0:
            raise ValueError(
                f"weight_decay and initial_scale must not be negative: {self.weight_decay} and {self.initial_scale}"
            )

    def init(self, key: PRNGKeyArray, genes: int) -> MirroredESState:
        """A normal mean and its first pairs."""
        mean_key, noise_key = jax.random.split(key)
        mean = self.initial_scale * jax.random.normal(mean_key, (genes,))
        return MirroredESState(mean, self._optimizer.init(mean), self._noise(noise_key, genes))

    def ask(self, state: MirroredESState) -> tuple[Float[Array, "population genes"], None]:
        """Genomes i and i + population / 2 are a pair."""
        step = self.sigma * state.noise
        return jnp.concatenate([state.mean + step, state.mean - step]), None

    def tell(self, key: PRNGKeyArray, state: MirroredESState, evaluation: Evaluation) -> MirroredESState:
        """One step of Adam along the estimated gradient, and new pairs."""
        one, other = jnp.split(finite(evaluation.fitness), 2)
        better = one - other
        weights = better / jnp.where(better.std() > 0, better.std(), 1)
        gradient = -weights @ state.noise / len(weights)
        updates, optimizer = self._optimizer.update(gradient, state.optimizer, state.mean)
        mean = state.mean + jnp.asarray(updates)
        return MirroredESState(mean, optimizer, self._noise(key, len(mean)))

    def champion(self, state: MirroredESState) -> Float[Array, "genes"]:
        """The mean, which has not itself been evaluated."""
        return state.mean

    @property
    def _optimizer(self) -> optax.GradientTransformation:
        return optax.adamw(self.learning_rate, weight_decay=self.weight_decay)

    def _noise(self, key: PRNGKeyArray, genes: int) -> Float[Array, "pairs genes"]:
        return jax.random.normal(key, (self.population // 2, genes))
