"""The genetic algorithm on chromosomes: a generation by hand, mutation, and a known problem."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import MarkerGA
from neuroevo.strategies.evaluation import plain
from neuroevo.strategies.marker_ga import crossed, mutated, offspring

KEY = jax.random.key(0)
SMALL = MarkerGA(population=8, parents=3, offspring=4, elite=2, mutation_rate=0.1)


def test_crossover_exchanges_what_is_between_the_cuts():
    one, other = jnp.array([1, 2, 3, 4, 5], jnp.int8), jnp.array([-1, -2, -3, -4, -5], jnp.int8)
    expected = [[1, -2, -3, 4, 5], [-1, 2, 3, -4, -5]]
    np.testing.assert_array_equal(crossed(one, other, jnp.array([1, 3])), expected)
    np.testing.assert_array_equal(crossed(one, other, jnp.array([3, 1])), expected)
    np.testing.assert_array_equal(crossed(one, other, jnp.array([2, 2])), [one, other])
    np.testing.assert_array_equal(crossed(one, other, jnp.array([0, 5])), [other, one])


def test_a_generation_by_hand():
    """Individual i consists of alleles i, so that everybody shows where it comes from."""
    strategy = dataclasses.replace(SMALL, mutation_rate=0.0)
    chromosomes = jnp.repeat(jnp.arange(8, dtype=jnp.int8)[:, None], 30, 1)
    state = strategy.init(KEY, 30).replace(chromosomes=chromosomes)
    fitness = jnp.array([0.0, 7.0, 2.0, 6.0, 1.0, 5.0, 3.0, 4.0])
    tell = jax.jit(strategy.tell)
    for seed in range(10):
        after = tell(jax.random.key(seed), state, plain(fitness))
        np.testing.assert_array_equal(after.chromosomes[:4, 0], [1, 3, 5, 7])
        np.testing.assert_array_equal(after.chromosomes[:4], after.chromosomes[:4, :1].repeat(30, 1))
        np.testing.assert_array_equal(after.champion, chromosomes[1])
        for first, second in np.asarray(after.chromosomes[4:]).reshape(2, 2, 30):
            both = np.stack([first, second])
            assert len({*both.ravel()}) == 2  # two different parents of the best three
            assert {*both.ravel()} < {1, 3, 5}
            assert (both[0] != both[1]).all()  # nothing is lost
            assert (np.diff(first) != 0).sum() <= 2


def test_all_pairs_of_parents_are_equally_likely():
    parents = jnp.repeat(jnp.arange(5, dtype=jnp.int8)[:, None], 2, 1)
    children = np.asarray(offspring(KEY, parents, 20_000)).reshape(-1, 4)  # two of two alleles
    pairs = np.sort(np.stack([children[:, 0], children[:, 2]], 1), 1)  # their first alleles are from different parents
    found, counts = np.unique(pairs, axis=0, return_counts=True)
    assert len(found) == 10
    assert np.abs(counts / 2000 - 1).max() < 0.1


def test_the_elite_is_not_mutated_and_everybody_else_is():
    state = SMALL.init(KEY, 1000)
    after = jax.jit(SMALL.tell)(KEY, state, plain(-jnp.arange(8.0)))
    changed = np.asarray(after.chromosomes[:4] != state.chromosomes[:4]).mean(1)
    np.testing.assert_array_equal(changed[:2], 0)
    assert (np.abs(changed[2:] - 0.1) < 0.04).all()


def test_so_many_alleles_mutate_to_anything():
    before = jnp.full((200, 1000), 100, jnp.int8)
    after = np.asarray(mutated(KEY, before, jnp.ones(200, bool), 0.25))
    changed = after != 100  # but for a 256th that 0 was added to
    assert abs(changed.mean() - 0.25 * 255 / 256) < 0.004
    counts = np.bincount(after[changed].astype(int) + 128, minlength=256)
    assert counts[228] == 0
    assert np.abs(np.delete(counts, 228) / 195.3 - 1).max() < 0.35  # 5 standard deviations
    assert mutated(KEY, before, jnp.ones(200, bool), 0.004).dtype == jnp.int8


@pytest.mark.parametrize("seed", [0, 1])
def test_a_known_problem_is_improved(seed):
    """The largest mean of 100 alleles, at most 127: at first about 17, and beyond 90 after 200 generations."""
    strategy = MarkerGA()

    @jax.jit
    def evolve(key):
        def generation(state, key):
            mean = strategy.ask(state)[0].mean(1, dtype=jnp.float32)
            return strategy.tell(key, state, plain(mean)), mean.max()

        return jax.lax.scan(generation, strategy.init(key, 100), jax.random.split(key, 200))

    state, best = evolve(jax.random.key(seed))
    assert best[0] < 30
    assert best[-1] > 90
    assert (np.diff(best) >= 0).all()  # the elite is kept
    assert strategy.champion(state).mean(dtype=jnp.float32) == best[-1]


def test_replicas_are_independent_and_reproducible():
    keys = jax.random.split(KEY, 3)

    @jax.jit
    @jax.vmap
    def run(key):
        state = SMALL.init(key, 20)
        return SMALL.tell(key, state, plain(state.chromosomes[:, 0].astype(jnp.float32))).chromosomes

    together = np.asarray(run(keys))
    np.testing.assert_array_equal(together, run(keys))
    np.testing.assert_array_equal(together[::-1], run(keys[::-1]))
    np.testing.assert_array_equal(together[1], run(keys[1:2])[0])
    assert (together[0] != together[1]).mean() > 0.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"offspring": 31}, "even number"),
        ({"offspring": 50}, "leave some of the population 50"),
        ({"parents": 1}, "from 2 to the population 50"),
        ({"elite": 21}, "population - offspring = 20"),
        ({"mutation_rate": 1.5}, "probability"),
    ],
)
def test_wrong_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MarkerGA(**options)
