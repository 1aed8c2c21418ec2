"""Evolution strategies on the sphere: how fast they find its centre, and what elitism keeps."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import ES, Evosax, MirroredES, Pareto
from neuroevo.strategies.evaluation import plain

SMOOTH = [  # strategies that follow a smooth problem to its end
    ES(),
    ES(mu=5, lambda_=15, elitist=False),
    ES(mu=5, lambda_=5, sigma=0.2),
    Pareto(),
    Evosax(),
    MirroredES(),
]


def sphere_after(strategy, generations, genes=10):
    """Mean cost of the champion over 20 seeds; N(0, 1) starts cost about 10."""

    @jax.jit
    @jax.vmap
    def evolve(key):
        def generation(state, key):
            genomes, _ = strategy.ask(state)
            return strategy.tell(key, state, plain(-jnp.square(genomes).sum(1))), None

        state, _ = jax.lax.scan(generation, strategy.init(key, genes), jax.random.split(key, generations))
        return jnp.square(strategy.champion(state)).sum()

    return float(evolve(jax.random.split(jax.random.key(0), 20)).mean())


@pytest.mark.parametrize("strategy", SMOOTH, ids=str)
def test_a_strategy_lowers_the_sphere_twentyfold(strategy):
    assert sphere_after(strategy, 200) < 0.05 * sphere_after(strategy, 1)


def test_hill_climbing_improves_but_falls_behind_a_population():
    climber = ES(mu=1, lambda_=1)
    assert sphere_after(ES(), 60) < 0.7 * sphere_after(climber, 60) < 0.7 * sphere_after(climber, 1)


def test_elitist_parents_survive_and_offspring_lie_around_them():
    strategy = ES(mu=2, lambda_=4, sigma=0.01)
    state = strategy.init(jax.random.key(0), 5)
    fitness = jnp.array([0.0, 3.0, 1.0, 2.0, -1.0, 0.5])
    after = strategy.tell(jax.random.key(1), state, plain(fitness))
    np.testing.assert_array_equal(after.genomes[:2], state.genomes[jnp.array([1, 3])])
    np.testing.assert_array_equal(after.champion, state.genomes[1])
    parents = state.genomes[jnp.array([1, 3, 1, 3])]
    assert 0 < np.abs(after.genomes[2:] - parents).max() < 0.06


def test_without_elitism_only_offspring_are_evaluated():
    strategy = ES(mu=2, lambda_=4, sigma=0.01, elitist=False)
    state = strategy.init(jax.random.key(0), 5)
    after = strategy.tell(jax.random.key(1), state, plain(jnp.arange(4.0)))
    assert strategy.ask(after)[0].shape == (4, 5)
    assert not np.isin(np.asarray(after.genomes), np.asarray(state.genomes)).any()


@pytest.mark.parametrize("options", [{"mu": 0}, {"lambda_": 0}, {"mu": 5, "lambda_": 3, "elitist": False}])
def test_impossible_sizes_are_refused(options):
    with pytest.raises(ValueError, match="at least"):
        ES(**options)
