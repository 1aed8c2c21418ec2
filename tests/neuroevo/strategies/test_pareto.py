"""Pareto selects as NSGA-II does and covers a front that evolution of the mean score does not see."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import nsga2

from neuroevo.strategies import ES, Pareto, pareto
from neuroevo.strategies.evaluation import Evaluation, plain

fronts, crowding_distance = jax.jit(pareto.fronts), jax.jit(pareto.crowding_distance)
BOTH = jnp.ones(2, bool)


def evaluation(cases, present=None):
    fitness = jnp.asarray(cases).mean(1)
    present = jnp.ones(cases.shape[1], bool) if present is None else present
    return plain(fitness).replace(cases=jnp.asarray(cases), present=present)


def test_a_hand_worked_example():
    """Two cases, larger is better:

    5 a . . . .      a, b, c, d: the first front; e: the second, dominated by c alone; f: the third
    4 . . b . .      b lies between a and c: (4 - 1)/4 + (5 - 3)/4 = 1.25
    3 . . . c .      c lies between b and d: (5 - 3)/4 + (4 - 1)/4 = 1.25, e and f are alone in their fronts
    2 . . e . .
    1 f . . . d
      1 2 3 4 5
    """
    cases = jnp.array([[1.0, 5], [3, 4], [4, 3], [5, 1], [3, 2], [1, 1]])
    front = fronts(cases, BOTH)
    np.testing.assert_array_equal(front, [0, 0, 0, 0, 1, 2])
    distance = crowding_distance(cases, BOTH, front)
    np.testing.assert_allclose(distance, [np.inf, 1.25, 1.25, np.inf, 0, 0])


@pytest.mark.parametrize("levels", [3, 1000], ids=["many ties", "few ties"])
@pytest.mark.parametrize("objectives", [1, 2, 3, 5])
def test_fronts_and_distances_are_the_papers(levels, objectives):
    rng = np.random.default_rng(objectives)
    present = jnp.ones(objectives, bool)
    for cases in rng.integers(0, levels, (30, 20, objectives)).astype(np.float32):
        front = np.asarray(fronts(jnp.asarray(cases), present))
        expected = nsga2.fast_non_dominated_sort(cases.tolist())
        assert [sorted(f) for f in expected] == [np.flatnonzero(front == i).tolist() for i in range(front.max() + 1)]
        distance = np.asarray(crowding_distance(jnp.asarray(cases), present, jnp.asarray(front)))
        for members in map(sorted, expected):
            theirs = nsga2.crowding_distance_assignment(cases[members].tolist())
            np.testing.assert_allclose(distance[members], theirs, rtol=1e-5)


def test_the_papers_survivors_become_parents():
    strategy = Pareto(mu=6, lambda_=14, sigma=0.0)
    state = strategy.init(jax.random.key(0), 3)
    tell = jax.jit(strategy.tell)
    for cases in np.random.default_rng(0).integers(0, 30, (30, 20, 2)).astype(np.float32):
        after = tell(jax.random.key(1), state, evaluation(cases))
        survivors = state.genomes[jnp.array(nsga2.select(cases.tolist(), 6))]
        np.testing.assert_array_equal(np.sort(after.genomes[:6], 0), np.sort(survivors, 0))
        np.testing.assert_array_equal(after.genomes[6:12], after.genomes[:6])  # without mutation


def test_cases_that_do_not_count_change_nothing():
    rng = np.random.default_rng(1)
    cases = jnp.asarray(rng.normal(size=(20, 4)), jnp.float32)
    present = jnp.array([True, False, True, False])
    kept = cases[:, ::2]
    np.testing.assert_array_equal(fronts(cases, present), fronts(kept, BOTH))
    ours = crowding_distance(cases, present, fronts(cases, present))
    np.testing.assert_allclose(ours, crowding_distance(kept, BOTH, fronts(kept, BOTH)))


def test_with_one_case_it_is_elitist_es():
    told = plain(jax.random.normal(jax.random.key(1), (8,)))
    ours, plus = (
        strategy.tell(jax.random.key(2), strategy.init(jax.random.key(0), 4), told)
        for strategy in (Pareto(mu=3, lambda_=5), ES(mu=3, lambda_=5))
    )
    np.testing.assert_array_equal(ours.genomes, plus.genomes)
    np.testing.assert_array_equal(ours.champion, plus.champion)


def test_the_champion_is_the_best_on_average_of_the_first_front():
    cases = jnp.array([[0.0, 9], [6, 5], [7, 2], [5, 4], [9, 0]])
    told = evaluation(cases).replace(fitness=jnp.array([1.0, 2, 4, 5, 3]))  # the 4th has more but is dominated
    strategy = Pareto(mu=2, lambda_=3)
    state = strategy.init(jax.random.key(0), 3)
    np.testing.assert_array_equal(strategy.champion(strategy.tell(jax.random.key(1), state, told)), state.genomes[2])


@pytest.mark.parametrize("options", [{"mu": 0}, {"lambda_": 0}, {"sigma": -1.0}])
def test_impossible_settings_are_refused(options):
    with pytest.raises(ValueError, match="must"):
        Pareto(**options)


def two_spheres(genomes):
    """Minus the squared distances from (1, 0, …) and (−1, 0, …): the front is the straight line between them."""
    centre = jnp.eye(1, genomes.shape[1])[0]
    return jnp.stack([-jnp.square(genomes - c).sum(1) for c in (centre, -centre)], 1)


def hypervolume(cases, reference=-5.0):
    """The area that two cases dominate, down to `reference`."""
    area, height = 0.0, reference
    for x, y in sorted(map(tuple, np.asarray(cases)), reverse=True):
        if x > reference and y > height:
            area += (x - reference) * (y - height)
            height = y
    return area


def final_cases(strategy, generations=150):
    """[replicas, population, 2] after evolution."""

    @jax.jit
    @jax.vmap
    def evolve(key):
        def generation(state, key):
            return strategy.tell(key, state, evaluation(two_spheres(strategy.ask(state)[0]))), None

        state, _ = jax.lax.scan(generation, strategy.init(key, 4), jax.random.split(key, generations))
        return two_spheres(strategy.ask(state)[0])

    return evolve(jax.random.split(jax.random.key(0), 5))


def test_it_covers_the_front_of_two_spheres_where_the_mean_has_one_optimum():
    """From one centre to the other the cases are −(1 ∓ t)², so that all of the front dominates an area of 22.33 above
    (−5, −5), and its middle alone 16. Twenty members cover more than 20.5; with the mean as fitness less than 19.
    """
    t = np.linspace(-1, 1, 20_001)
    whole = hypervolume(np.stack([-((1 - t) ** 2), -((1 + t) ** 2)], 1))
    assert whole == pytest.approx(22.33, abs=0.01)
    ours, mean = (final_cases(strategy) for strategy in (Pareto(sigma=0.05), ES(sigma=0.05)))
    assert min(map(hypervolume, ours)) > 20.5
    assert max(map(hypervolume, mean)) < 19
    spread = np.asarray(ours).max(1) - np.asarray(ours).min(1)
    assert spread.min() > 3.5  # of 4, in either case
    assert (np.asarray(mean).max(1) - np.asarray(mean).min(1)).max() < 1.5


def test_types_are_closed_and_replicas_independent():
    strategy = Pareto(mu=3, lambda_=5)
    states = jax.vmap(lambda key: strategy.init(key, 4))(jax.random.split(jax.random.key(0), 3))
    cases = jax.random.normal(jax.random.key(1), (3, 8, 2))
    told = jax.vmap(evaluation)(cases)
    assert isinstance(told, Evaluation)
    keys = jax.random.split(jax.random.key(2), 3)
    many, single = jax.jit(jax.vmap(strategy.tell))(keys, states, told), jax.jit(strategy.tell)
    for i in range(3):
        one = single(keys[i], jax.tree.map(lambda x, i=i: x[i], states), evaluation(cases[i]))
        np.testing.assert_allclose(many.genomes[i], one.genomes, rtol=1e-5)
