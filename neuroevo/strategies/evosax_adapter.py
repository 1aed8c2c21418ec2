"""Algorithms of the optional package evosax (R. T. Lange, 2022) as strategies: CMA-ES, natural evolution strategies,
genetic algorithms, differential evolution and others, with the package's own settings.

evosax minimises, and its `ask` takes a key. Here it is told the negative fitness, and `tell` draws the next genomes, so
that `ask` is a function of the state. The package is imported when a genome is first drawn, not before: importing its
algorithms starts JAX, which must not happen before the config is checked and the devices are set up.
"""

import difflib
import importlib.util
from dataclasses import dataclass
from functools import cache
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from neuroevo.strategies.evaluation import Evaluation
from neuroevo.strategies.variation import finite

# The names of evosax 0.3. They are written down because reading evosax's registries starts JAX; a test compares them.
LEFT_OUT = (
    "RandomSearch", "SV_CMA_ES", "SV_Open_ES",  # need more than a size
    "NoiseReuseES", "PersistentES",  # are for parts of an unrolled computation
)  # fmt: skip
DISTRIBUTIONS = (
    "ARS", "ASEBO", "CMAAnchoredLES", "CMA_ES", "CR_FM_NES", "DES", "ESMC", "EvoTF_ES", "GradientlessDescent",
    "GuidedES", "HillClimbing", "LES", "LM_MA_ES", "MA_ES", "Open_ES", "PGPE", "Rm_ES", "SNES", "Sep_CMA_ES",
    "SimpleES", "SimulatedAnnealing", "iAMaLGaM_Full", "iAMaLGaM_Univariate", "xNES",
)  # fmt: skip
POPULATIONS = (
    "DifferentialEvolution", "DiffusionEvolution", "GESMR_GA", "LGA", "MR15_GA", "PSO", "SAMR_GA", "SimpleGA",
)  # fmt: skip
IN_PAIRS = ("ARS", "ASEBO", "CR_FM_NES", "GuidedES", "Open_ES", "PGPE")  # these draw a genome with its mirror image
BY_GRADIENT = (  # these take an optimizer
    "ARS", "ASEBO", "DES", "ESMC", "GuidedES", "Open_ES", "PGPE", "SNES", "SimpleES", "xNES",
)  # fmt: skip


@flax.struct.dataclass
class EvosaxState:
    """State of an algorithm of evosax.

    algorithm: evosax's own state
    genomes: Float[population genes], to be evaluated next
    evaluated: Bool[""], whether the algorithm has been told a fitness
    champion: Float[genes], the best genome of the last generation
    """

    algorithm: Any
    genomes: Any
    evaluated: Any
    champion: Any


@dataclass(frozen=True)
class Evosax:
    """An algorithm of evosax.

    name: a name in DISTRIBUTIONS or POPULATIONS
    population_size: number of genomes, at least 4, and even for those IN_PAIRS
    initial_scale: standard deviation of the genes that evolution starts from, which are a population's or the mean of a
        distribution
    sigma: the algorithm's unit of length, which is the standard deviation of its first steps, and of all its steps if
        it does not adapt them
    learning_rate: of Adam, for those BY_GRADIENT; None leaves them evosax's own optimizer, whose rate is so low for
        Open_ES that it hardly moves

    Raises ValueError if evosax is not installed, for an unknown name, and for numbers out of range.
    """

    name: str = "CMA_ES"
    population_size: int = 20
    initial_scale: float = 1.0
    sigma: float = 0.3
    learning_rate: float | None = None
    gene_type = np.float32

    def __post_init__(self):
        if importlib.util.find_spec("evosax") is None:
            raise ValueError("evosax needs the optional package of that name: pip install 'neuroevo[evosax]'")
        known = DISTRIBUTIONS + POPULATIONS
        if self.name not in known:
            lower = {name.lower(): name for name in known}
            nearest = lower[difflib.get_close_matches(self.name.lower(), lower, n=1, cutoff=0.0)[0]]
            raise ValueError(f"there is no evosax algorithm {self.name!r}; the nearest valid name is {nearest}")
        if self.population_size < 4 or (self.name in IN_PAIRS and self.population_size % 2):
            even = " and even" if self.name in IN_PAIRS else ""
            raise ValueError(f"population_size must be at least 4{even} for {self.name}, not {self.population_size}")
        if self.sigma <= 0 or self.initial_scale < 0:
            raise ValueError(
                f"sigma must be positive and initial_scale not negative: {self.sigma} and {self.initial_scale}"
            )
        if self.learning_rate is not None and (self.name not in BY_GRADIENT or self.learning_rate <= 0):
            raise ValueError(
                f"learning_rate must be positive and for one of {', '.join(BY_GRADIENT)}, "
                f"not {self.learning_rate} for {self.name}"
            )

    @property
    def population(self) -> int:
        """Number of genomes in a generation."""
        return self.population_size

    def init(self, key: PRNGKeyArray, genes: int) -> EvosaxState:
        """Starts the algorithm at normal genes and draws its first genomes."""
        start_key, init_key, ask_key = jax.random.split(key, 3)
        algorithm, parameters = self._algorithm(genes)
        scale = self.initial_scale / self.sigma
        if self.name in DISTRIBUTIONS:
            state = algorithm.init(init_key, scale * jax.random.normal(start_key, (genes,)), parameters)
            points, state = algorithm.ask(ask_key, state, parameters)
        else:  # its fitness comes with the first `tell`; until then the state only has the right shape
            points = scale * jax.random.normal(start_key, (self.population, genes))
            state = algorithm.init(init_key, points, jnp.zeros(self.population), parameters)
        genomes = self.sigma * points
        return EvosaxState(_arrays(state), genomes, jnp.bool_(False), genomes[0])

    def ask(self, state: EvosaxState) -> tuple[Float[Array, "population genes"], None]:
        """The genomes that were drawn last; opponents are left to the task."""
        return state.genomes, None

    def tell(self, key: PRNGKeyArray, state: EvosaxState, evaluation: Evaluation) -> EvosaxState:
        """Tells the algorithm the negative fitness and draws its next genomes."""
        tell_key, ask_key = jax.random.split(key)
        algorithm, parameters = self._algorithm(state.genomes.shape[1])
        points, cost = state.genomes / self.sigma, -finite(evaluation.fitness)
        told, _ = algorithm.tell(tell_key, points, cost, state.algorithm, parameters)
        if self.name in POPULATIONS:
            first = algorithm.init(tell_key, points, cost, parameters)
            told = jax.tree.map(lambda *choice: jnp.where(state.evaluated, *choice), told, first)
        points, told = algorithm.ask(ask_key, told, parameters)
        champion = state.genomes[jnp.argmax(evaluation.fitness)]
        return EvosaxState(_arrays(told), self.sigma * points, jnp.bool_(True), champion)

    def champion(self, state: EvosaxState) -> Float[Array, "genes"]:
        """The best genome of the last generation."""
        return state.champion

    def _algorithm(self, genes: int) -> tuple[Any, PyTree]:
        return _build(self.name, self.population_size, genes, self.learning_rate)


@cache
def _build(name: str, population: int, genes: int, learning_rate: float | None) -> tuple[Any, PyTree]:
    """The algorithm, by whose identity evosax's functions are compiled, and its parameters."""
    import optax

    with jax.ensure_compile_time_eval():  # the constants, also those of evosax's modules, belong to no trace: they stay
        from evosax.algorithms import algorithms

        options = {} if learning_rate is None else {"optimizer": optax.adam(learning_rate)}
        algorithm = algorithms[name](population_size=population, solution=jnp.zeros(genes), **options)
        return algorithm, algorithm.default_params


def _arrays(state: PyTree) -> PyTree:
    """With Python's numbers as arrays of a fixed type, so that a state has one type in all generations."""
    return jax.tree.map(lambda x: jnp.asarray(x).astype(jnp.asarray(x).dtype), state)
