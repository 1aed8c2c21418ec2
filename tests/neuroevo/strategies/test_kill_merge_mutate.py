"""Kill, merge, mutate: whole generations by hand with the same random numbers, and what happens at the edges."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import KillMergeMutate
from neuroevo.strategies.evaluation import plain
from neuroevo.strategies.kill_merge_mutate import KillMergeMutateState, mutated, pairs, survive

KEY = jax.random.key(0)
DRAW = jax.jit(lambda key, number: jax.random.uniform(jax.random.fold_in(key, number)))
HALF = KillMergeMutate(population=5, merging="half", mutation_rate=0.0)


def walked(key, fitness, places):
    """Parents of so many children, by going through the pairs of a list again and again."""
    all_pairs = [(i, j) for i in range(len(fitness)) for j in range(i + 1, len(fitness))]
    found, attempt = [], 0
    while len(found) < places:
        i, j = all_pairs[attempt % len(all_pairs)]
        if float(DRAW(key, attempt)) < (fitness[i] + fitness[j]) / 2:
            found.append((i, j))
        attempt += 1
    return found


def test_the_first_players_differ_from_zero_in_one_weight():
    genomes = np.asarray(jax.jit(KillMergeMutate(population=8).init, static_argnums=1)(KEY, 50).genomes)
    assert ((genomes != 0).sum(1) == 1).all()
    assert len(np.unique(genomes.sum(1))) == 8


def test_killing_leaves_a_share_of_the_fitness_and_always_the_two_best():
    fitness = jnp.array([0.9, 0.6, 0.5, 0.25, 0.0])
    alive = np.asarray(jax.jit(jax.vmap(lambda key: survive(key, fitness)))(jax.random.split(KEY, 800)))
    assert alive[:, :2].all()
    np.testing.assert_allclose(alive[:, 2:].mean(0), fitness[2:], atol=0.07)  # four standard errors
    assert not alive[:, 4].any()


WALK = jax.jit(pairs)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_pairs_are_walked_by_rank_and_again_from_the_start(count):
    fitness = jnp.array([0.8, 0.7, 0.4, 0.3, 0.2, 0, 0, 0, 0])
    for seed in range(6):
        found = np.asarray(WALK(jax.random.key(seed), fitness, jnp.int32(count)))
        expected = walked(jax.random.key(seed), np.asarray(fitness)[:count], len(fitness) - count)
        assert [tuple(pair) for pair in found[count:].tolist()] == expected


def test_where_nobody_has_won_every_pair_has_a_child():
    found = np.asarray(WALK(KEY, jnp.zeros(9), jnp.int32(3)))
    assert found[3:].tolist() == [[0, 1], [0, 2], [1, 2]] * 2


def test_a_generation_by_hand():
    """Two of five survive by their fitness of 1, the others have none; their children are half of each parent."""
    state = KillMergeMutateState(jnp.arange(15.0).reshape(5, 3), jnp.zeros(3), jnp.int32(5))
    after = jax.jit(HALF.tell)(KEY, state, plain(jnp.array([0.0, 1.0, 0.0, 1.0, 0.0])))
    best, second = [3, 4, 5], [9, 10, 11]  # equal fitness: in their order
    child = [6, 7, 8]
    np.testing.assert_array_equal(after.genomes, [best, second, child, child, child])
    np.testing.assert_array_equal(HALF.champion(after), best)
    assert int(after.survivors) == 2


def test_a_generation_with_the_same_random_numbers():
    """The published algorithms step by step, for three generations with mutations and random merging."""
    strategy = KillMergeMutate(population=6, mutation_rate=0.5)
    state, tell = strategy.init(KEY, 4), jax.jit(strategy.tell)
    mutate = jax.jit(lambda key, genomes: mutated(key, genomes, 0.5, 0.1))
    rng = np.random.default_rng(0)
    for number in range(3):
        key, fitness = jax.random.key(number), rng.random(6).astype(np.float32)
        kill_key, pair_key, merge_key, mutate_key = jax.random.split(key, 4)
        order = sorted(range(6), key=lambda i: -fitness[i])
        draws = jax.random.uniform(kill_key, (6,))
        alive = [i for rank, i in enumerate(order) if rank < 2 or draws[rank] < fitness[i]]
        parents = walked(pair_key, fitness[alive], 6 - len(alive))
        share = np.asarray(jax.random.uniform(merge_key, (6, 1)))
        genomes = [np.asarray(state.genomes)[i] for i in alive]
        for place, (i, j) in enumerate(parents, len(alive)):
            genomes.append(share[place] * genomes[i] + (1 - share[place]) * genomes[j])
        expected = mutate(mutate_key, np.stack(genomes))
        state = tell(key, state, plain(jnp.asarray(fitness)))
        np.testing.assert_allclose(state.genomes, expected, rtol=1e-6, atol=1e-7)
        assert int(state.survivors) == len(alive)


def test_a_share_of_the_players_mutates_in_one_weight():
    genomes = jnp.ones((2000, 7))
    change = np.asarray(jax.jit(lambda genomes: mutated(KEY, genomes, 0.1, 0.1))(genomes)) - 1
    changed = (change != 0).sum(1)
    assert changed.max() == 1
    assert 0.07 < changed.mean() < 0.13
    assert 0.08 < change[change != 0].std() < 0.12
    assert (change != 0).any(0).all()


def test_it_improves_on_a_known_problem():
    """Fitness is the share of rivals that are farther from a target; 2,000 generations halve the distance."""
    target = jnp.array([0.5, -0.5, 0.25, 0.4])
    strategy = KillMergeMutate(population=20)

    @jax.jit
    def run(key):
        def generation(state, key):
            distance = jnp.linalg.norm(strategy.ask(state)[0] - target, axis=1)
            wins = (distance[:, None] < distance).mean(1)
            return strategy.tell(key, state, plain(wins)), distance.mean()

        return jax.lax.scan(generation, strategy.init(key, 4), jax.random.split(key, 2000))[1]

    distance = np.asarray(run(KEY))
    assert distance[-200:].mean() < 0.5 * distance[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 2}, "population must be more than 2"),
        ({"merging": "both"}, "merging must be one of random, half, not 'both'"),
        ({"mutation_rate": 1.5}, "probability"),
        ({"sigma": 0.0}, "positive"),
    ],
)
def test_wrong_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        KillMergeMutate(**options)


def test_past_champions_are_met_once_they_are_there():
    strategy = KillMergeMutate(population=5, famous=2, capacity=3, everywhere=True, mutation_rate=1.0)
    tell = jax.jit(strategy.tell)
    state = strategy.init(KEY, 4)
    assert (np.asarray(state.genomes) != 0).all()  # mutations change all weights
    champions = []
    for generation in range(5):
        genomes, opponents = strategy.ask(state)
        known = np.asarray(opponents.genomes)[np.asarray(opponents.present)]
        assert len(known) == min(generation, 2)
        assert {tuple(genome) for genome in known.tolist()} <= {*champions[-3:]}
        best = generation % 5
        champions.append(tuple(np.asarray(genomes)[best].tolist()))
        state = tell(jax.random.fold_in(KEY, generation), state, plain(jnp.eye(5)[best]))
        assert strategy.champion(state).tolist() == list(champions[-1])
