"""Algorithms of evosax, told to maximise, improve the sphere and keep the promises of a strategy."""

import inspect
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import Evosax
from neuroevo.strategies.evaluation import plain
from neuroevo.strategies.evosax_adapter import BY_GRADIENT, DISTRIBUTIONS, IN_PAIRS, LEFT_OUT, POPULATIONS

GENES = 8


def fitness(genomes):
    """Highest at (1, 1, …); genomes of N(0, 1) have about −16."""
    return -jnp.square(genomes - 1).sum(-1)


def evolve(strategy, key, generations):
    """The champions' fitness, [generations], and the last state."""

    def generation(state, key):
        state = strategy.tell(key, state, plain(fitness(strategy.ask(state)[0])))
        return state, fitness(strategy.champion(state))

    state, champions = jax.lax.scan(generation, strategy.init(key, GENES), jax.random.split(key, generations))
    return champions, state


@pytest.mark.parametrize(
    ("strategy", "factor"),
    [
        (Evosax("CMA_ES"), 1000),
        (Evosax("DifferentialEvolution"), 100),
        (Evosax("SimpleGA", sigma=0.1), 20),
        (Evosax("Open_ES", sigma=0.1, learning_rate=0.3), 20),
    ],
    ids=lambda value: getattr(value, "name", f"x{value}"),
)
def test_an_algorithm_lowers_the_distance_by_a_factor(strategy, factor):
    champions, _ = jax.jit(jax.vmap(lambda key: evolve(strategy, key, 100)))(jax.random.split(jax.random.key(0), 10))
    first, last = -champions.mean(0)[jnp.array([0, -1])]
    assert last < first / factor, (first, last)


@pytest.mark.parametrize("name", ["CMA_ES", "SimpleGA"])
def test_the_key_decides_everything_and_replicas_are_independent(name):
    """To the accuracy of float32: a product of many matrices is rounded unlike one of few."""
    strategy, keys = Evosax(name, population_size=8), jax.random.split(jax.random.key(0), 3)
    _, many = jax.jit(jax.vmap(lambda key: evolve(strategy, key, 5)))(keys)
    single = jax.jit(lambda key: evolve(strategy, key, 5)[1].genomes)
    for genomes, key in zip(many.genomes, keys, strict=True):
        np.testing.assert_allclose(genomes, single(key), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(single(keys[0]), single(keys[0]))
    assert np.abs(single(keys[0]) - single(keys[1])).max() > 0.1


def test_the_first_population_is_evaluated_before_it_breeds():
    """With hardly any mutation, the second generation of a genetic algorithm lies at the better half of the first."""
    strategy = Evosax("SimpleGA", population_size=8, sigma=1e-6)
    state = strategy.init(jax.random.key(0), GENES)
    after = strategy.tell(jax.random.key(1), state, plain(jnp.arange(8.0)))
    distance = np.abs(np.asarray(after.genomes)[:, None] - np.asarray(state.genomes)).max(-1)
    assert set(distance.argmin(1)) <= {4, 5, 6, 7}
    assert distance.min(1).max() < 1e-4
    np.testing.assert_array_equal(strategy.champion(after), state.genomes[7])


def test_the_scale_of_the_start_and_of_the_steps():
    keys = jax.random.split(jax.random.key(0), 200)
    for name in ("CMA_ES", "SimpleGA"):
        strategy = Evosax(name, initial_scale=3.0, sigma=0.5)
        genomes = jax.jit(jax.vmap(lambda key, s=strategy: s.ask(s.init(key, GENES))[0]))(keys)
        within = float(genomes.std(1).mean())
        assert within == pytest.approx(0.5 if name == "CMA_ES" else 3.0, rel=0.1)
        assert float(genomes[:, 0].std()) == pytest.approx((9.25 if name == "CMA_ES" else 9) ** 0.5, rel=0.1)


@pytest.mark.parametrize("name", DISTRIBUTIONS + POPULATIONS)
def test_states_of_every_algorithm_keep_their_type(name):
    """So that a generation compiles once. Shapes only; nothing is computed."""
    strategy = Evosax(name)

    def tell(state, key):
        return strategy.tell(key, state, plain(fitness(strategy.ask(state)[0])))

    before = jax.eval_shape(lambda key: strategy.init(key, GENES), jax.random.key(0))
    after = jax.eval_shape(tell, before, jax.random.key(0))
    assert jax.tree.structure(before) == jax.tree.structure(after)
    for old, new in zip(*map(jax.tree.leaves, (before, after)), strict=True):
        assert (old.shape, old.dtype, old.weak_type) == (new.shape, new.dtype, new.weak_type)


def test_our_tables_are_the_packages():
    from evosax import algorithms as package

    assert {*DISTRIBUTIONS, *LEFT_OUT} == set(package.distribution_based_algorithms)
    assert not {*DISTRIBUTIONS} & {*LEFT_OUT}
    assert set(POPULATIONS) == set(package.population_based_algorithms)
    for name in DISTRIBUTIONS + POPULATIONS:
        kind = package.algorithms[name]
        assert ("optimizer" in inspect.signature(kind).parameters) == (name in BY_GRADIENT), name
        if name in IN_PAIRS:
            with pytest.raises(AssertionError, match="even"):
                kind(population_size=5, solution=jnp.zeros(GENES))
        else:
            kind(population_size=5, solution=jnp.zeros(GENES))


WRONG = {
    "the nearest valid name is CMA_ES": {"name": "CMAES"},
    "the nearest valid name is SimpleGA": {"name": "simplega"},
    "at least 4 and even for Open_ES, not 7": {"name": "Open_ES", "population_size": 7},
    "at least 4 for CMA_ES, not 3": {"population_size": 3},
    "sigma must be positive": {"sigma": 0.0},
    "not 0.1 for CMA_ES": {"learning_rate": 0.1},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_settings_are_refused_in_one_line(message):
    with pytest.raises(ValueError, match=message) as error:
        Evosax(**WRONG[message])
    assert "\n" not in str(error.value)


def test_an_absent_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "evosax", None)
    with pytest.raises(ValueError, match=r"pip install 'neuroevo\[evosax\]'"):
        Evosax()


def test_strategies_are_values():
    assert Evosax() == Evosax()
    assert hash(Evosax()) == hash(Evosax())
    assert Evosax() != Evosax("SNES")
