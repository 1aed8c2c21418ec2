"""Enforced Sub-Populations: a generation by hand, and a known problem."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies.esp import ESP, by_rank, cauchy, credit, crossed, next_generation
from neuroevo.strategies.evaluation import plain

KEY = jax.random.key(0)


def test_every_neuron_is_in_exactly_so_many_networks():
    strategy = ESP(subpopulations=3, neurons=8, trials=5)
    state = strategy.init(KEY, 12)
    for members in np.asarray(state.teams).T:
        assert np.bincount(members).tolist() == [5] * 8
        assert all(sorted(members[i : i + 8]) == list(range(8)) for i in range(0, 40, 8))
    genomes, _ = strategy.ask(state)
    for network, team in zip(np.asarray(genomes), np.asarray(state.teams), strict=True):
        expected = [state.neurons[h, team[h]] for h in range(3)]
        np.testing.assert_array_equal(network, np.concatenate(expected))


def test_credit_and_rank_by_hand():
    """Two sub-populations of two neurons in four networks."""
    teams = jnp.array([[0, 0], [1, 1], [0, 1], [1, 0]])
    fitness = jnp.array([1.0, 2.0, 4.0, 8.0])
    shares = credit(teams, fitness, 2)
    np.testing.assert_allclose(shares, [[2.5, 5.0], [4.5, 3.0]])
    neurons = jnp.arange(8.0).reshape(2, 2, 2)
    np.testing.assert_array_equal(by_rank(neurons, shares), [[[2, 3], [0, 1]], [[4, 5], [6, 7]]])


def test_crossover_exchanges_the_tail():
    one, other = jnp.array([1, 2, 3, 4.0]), jnp.array([5, 6, 7, 8.0])
    np.testing.assert_array_equal(crossed(one, other, jnp.int32(1)), [[1, 6, 7, 8], [5, 2, 3, 4]])
    np.testing.assert_array_equal(crossed(one, other, jnp.int32(0)), [[5, 6, 7, 8], [1, 2, 3, 4]])


def test_the_better_half_stays_and_children_mix_the_best_quarter():
    breed = jax.jit(partial(next_generation, sigma=0.3, rate=0.0))
    ranked = jnp.repeat(jnp.arange(8.0)[:, None], 5, 1)  # neuron r consists of numbers r
    for seed in range(20):
        after = np.asarray(breed(jax.random.key(seed), ranked))
        np.testing.assert_array_equal(after[:4], ranked[:4])
        assert set(np.unique(after[4:])) <= {0.0, 1.0}  # the best quarter is two neurons
        first, second = after[7], after[6]  # the children of rank 0
        assert set(first + second) <= {0.0, 1.0}  # of itself or of rank 1
        np.testing.assert_array_equal(after[5] + after[4], 1)  # rank 1 breeds with rank 0


def test_a_share_of_the_children_mutates_in_one_weight():
    ranked = jnp.zeros((400, 6))
    after = np.asarray(next_generation(KEY, ranked, 0.3, 0.4))
    changed = (after != 0).sum(1)
    assert (changed[:200] == 0).all()
    assert changed.max() == 1
    assert 0.3 < changed[200:].mean() < 0.5
    assert np.abs(after).max() <= 10


def test_the_cauchy_numbers_have_their_quartiles():
    draws = np.asarray(cauchy(KEY, (200_000,), 0.3))
    assert np.abs(draws).max() <= 10
    # half of an untruncated Cauchy lies within ± scale; 1.9 % lie beyond 10
    share = 2 / np.pi * np.arctan(10 / 0.3)
    assert abs((np.abs(draws) < 0.3).mean() - 0.5 / share) < 0.005


def test_stagnation_bursts_around_the_best():
    strategy = ESP(subpopulations=2, neurons=4, trials=2, patience=2)
    state = strategy.init(KEY, 6)
    falling = [jnp.arange(8.0), jnp.zeros(8), jnp.zeros(8)]
    best, tell = strategy.ask(state)[0][7], jax.jit(strategy.tell)
    for number, fitness in enumerate(falling):
        assert int(state.bursts) == 0
        state = tell(jax.random.key(number), state, plain(fitness))
    assert (int(state.bursts), int(state.stagnant)) == (1, 0)
    np.testing.assert_array_equal(state.best, best)
    offsets = np.asarray(state.neurons - best.reshape(2, 1, 3))
    assert (offsets != 0).all()
    assert np.median(np.abs(offsets)) < 1


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_known_problem_is_solved(seed):
    """Five neurons must each find its own four weights: the distance shrinks to a tenth in 100 generations."""
    target = jax.random.uniform(jax.random.key(99), (20,), minval=-5, maxval=5)
    strategy = ESP(subpopulations=5, neurons=20, trials=5)

    @jax.jit
    def generation(state, key):
        distance = jnp.linalg.norm(strategy.ask(state)[0] - target, axis=1)
        return strategy.tell(key, state, plain(-distance)), distance.min()

    state = strategy.init(jax.random.key(seed), 20)
    _, distance = jax.lax.scan(generation, state, jax.random.split(jax.random.key(seed + 50), 100))
    assert distance[-1] < 0.1 * distance[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neurons": 6}, "multiple of 4"),
        ({"trials": 0}, "at least 1"),
        ({"mutation_rate": 2.0}, "probability"),
    ],
)
def test_wrong_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ESP(**options)
    with pytest.raises(ValueError, match="13 genes are not 10 neurons"):
        ESP().init(KEY, 13)
