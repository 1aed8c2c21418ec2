"""Fitness that is no finite number, over the registry: its genome is faulty, and nothing changes for the others."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import STRATEGIES, Evosax
from neuroevo.strategies.evaluation import Opponents, plain, without_faults
from neuroevo.strategies.evosax_adapter import DISTRIBUTIONS, POPULATIONS
from neuroevo.strategies.variation import finite, without_faulty

GENES, GENERATIONS, SEEDS = 10, 3, 2
QUICK = "CMA_ES", "CMAAnchoredLES", "Open_ES", "ARS", "SimpleGA"
SLOW = [name for name in DISTRIBUTIONS + POPULATIONS if name not in QUICK]
EVERY = [
    *(pytest.param(kind(), id=name) for name, kind in STRATEGIES.items() if name != "evosax"),
    *(pytest.param(Evosax(name, 8), id=name) for name in QUICK),
    *(pytest.param(Evosax(name, 8), id=name, marks=pytest.mark.thorough) for name in SLOW),
]


def share(population, faulty):
    """Which genomes are faulty: one, half or all of them."""
    return jnp.arange(population) < {"none": 0, "one": 1, "half": population // 2, "all": population}[faulty]


def evaluate(genomes, opponents, wrong, what):
    distance = jnp.square(genomes.astype(jnp.float32)).mean(-1)
    evaluation = plain(1 / (1 + distance))
    if opponents is not None:
        cases = distance[:, None] < jnp.square(opponents.genomes).mean(-1)
        evaluation = evaluation.replace(cases=cases.astype(jnp.float32), present=opponents.present)
    return without_faults(evaluation.replace(fitness=jnp.where(wrong, what, evaluation.fitness)))


@functools.cache
def compiled(strategy):
    """(init, a generation in which the genomes `wrong` have the fitness `what`), over seeds."""

    def generation(state, key, wrong, what):
        genomes, opponents = strategy.ask(state)
        state = strategy.tell(key, state, evaluate(genomes, opponents, wrong, what))
        return state, genomes, strategy.champion(state)

    start = jax.jit(jax.vmap(functools.partial(strategy.init, genes=GENES)))
    return start, jax.jit(jax.vmap(generation, (0, 0, None, None)))


@pytest.mark.parametrize("strategy", EVERY)
def test_a_strategy_stays_finite_and_no_faulty_genome_is_champion(strategy):
    """Every algorithm of evosax that is offered runs, too: without faults, and with NaN and infinity."""
    start, generation = compiled(strategy)
    rounds = [("none", 0), ("one", jnp.nan), ("half", -jnp.inf), ("half", jnp.inf), ("half", jnp.nan)]
    for faulty, what in rounds:
        state, wrong = (
            jax.device_get(start(jax.random.split(jax.random.key(0), SEEDS))),
            share(strategy.population, faulty),
        )
        for number in range(GENERATIONS):
            keys = jax.random.split(jax.random.key(1 + number), SEEDS)
            state, genomes, champion = jax.device_get(generation(state, keys, wrong, jnp.float32(what)))
            assert np.isfinite(genomes).all(), (faulty, what, number)
            assert np.isfinite(champion).all(), (faulty, what, number)
            if faulty != "none":
                assert not (champion[:, None] == genomes[:, np.asarray(wrong)]).all(-1).any(), (faulty, what, number)
    assert np.isfinite(jax.device_get(jax.vmap(lambda s: strategy.ask(s)[0])(state))).all()


@pytest.mark.parametrize("strategy", EVERY)
def test_a_generation_of_faulty_genomes_ends(strategy):
    start, generation = compiled(strategy)
    state, wrong = jax.device_get(start(jax.random.split(jax.random.key(0), SEEDS))), share(strategy.population, "all")
    jax.block_until_ready(generation(state, jax.random.split(jax.random.key(1), SEEDS), wrong, jnp.float32(jnp.nan)))


def test_what_is_no_finite_number_is_faulty():
    told = plain(jnp.array([1.0, jnp.nan, 2.0, jnp.inf, -jnp.inf]))
    np.testing.assert_array_equal(told.fitness, [1, -np.inf, 2, -np.inf, -np.inf])
    np.testing.assert_array_equal(told.cases[:, 0], [1, -np.inf, 2, -np.inf, -np.inf])
    np.testing.assert_array_equal(told.faulty, [False, True, False, True, True])
    again = without_faults(told, jnp.array([True, *[False] * 4]))
    np.testing.assert_array_equal(again.fitness, [-np.inf, -np.inf, 2, -np.inf, -np.inf])
    np.testing.assert_array_equal(again.faulty, [True, True, False, True, True])


def test_a_case_that_is_no_number_is_faulty_where_its_opponent_is_present():
    cases, present = jnp.array([[jnp.nan, 1], [1, jnp.nan]]), jnp.array([True, False])
    told = without_faults(plain(jnp.zeros(2)).replace(cases=cases, present=present))
    np.testing.assert_array_equal(told.faulty, [True, False])


def test_faulty_genomes_have_no_offspring_and_count_as_the_worst():
    genomes, fitness = jnp.array([[jnp.nan], [1.0], [2.0]]), jnp.array([-jnp.inf, 3.0, 4.0])
    np.testing.assert_array_equal(without_faulty(genomes, fitness)[:, 0], [2, 1, 2])
    np.testing.assert_array_equal(finite(fitness), [3, 3, 4])
    np.testing.assert_array_equal(finite(jnp.full(2, -jnp.inf)), [0, 0])


def test_opponents_are_not_drawn_from_faulty_genomes():
    strategy = STRATEGIES["coevolution"](2, 4, parasites=6, famous=1, capacity=2)
    state = strategy.init(jax.random.key(0), GENES)
    hosts = state.hosts.at[::2].set(jnp.nan)
    wins = jnp.ones((6, 7))
    evaluation = plain(jnp.where(jnp.arange(6) % 2 == 0, jnp.nan, 1.0)).replace(cases=wins, present=jnp.ones(7, bool))
    after = jax.jit(strategy.tell)(jax.random.key(1), state.replace(hosts=hosts), without_faults(evaluation))
    assert isinstance(strategy.ask(after)[1], Opponents)
    assert np.isfinite(np.asarray(after.sample)).all()
    assert np.isfinite(np.asarray(after.resting)).all()
