"""What every strategy promises, over the registry: its protocol, types, keys, champions, and that it improves.

What a strategy needs is found from itself: the type of its genes, and whether it asks for opponents.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neuroevo.strategies import STRATEGIES, Strategy
from neuroevo.strategies.evaluation import Opponents, plain

GENES = 10  # of ten neurons of ESP, one each
LEVELS = jnp.geomspace(1e-3, 40, 90)  # costs of the graded opponents
GENERATIONS, SEEDS = 100, 10
LEFT = {"kill_merge_mutate": 0.97}  # of the cost: it changes one gene of one player in ten, by 0.1

every_strategy = pytest.mark.parametrize("name", STRATEGIES)


def cost(genomes):
    """Mean squared distance from 1, or for integers from 0, of genomes[..., genes]."""
    if jnp.issubdtype(genomes.dtype, jnp.integer):
        return jnp.square(genomes.astype(jnp.float32) / 64).mean(-1)
    return jnp.square(genomes - 1).mean(-1)


def fitness_of(genomes):
    return (cost(genomes)[..., None] < LEVELS).mean(-1)


def evaluate(genomes, opponents):
    """A planted game: the lower cost wins. Fitness is the share of graded opponents that are beaten; cases are the
    strategy's opponents, if it has any.
    """
    fitness = fitness_of(genomes)
    if opponents is None:
        return plain(fitness)
    beaten = cost(genomes)[:, None] < cost(opponents.genomes)
    return plain(fitness).replace(cases=beaten.astype(jnp.float32), present=opponents.present)


def step(strategy, state, key):
    return strategy.tell(key, state, evaluate(*strategy.ask(state)))


@functools.cache
def evolved(name):
    """(genomes[generations, seeds, population, genes], champions[generations, seeds, genes], presence of opponents)."""
    strategy = STRATEGIES[name]()

    def evolve(key):
        def generation(state, key):
            genomes, opponents = strategy.ask(state)
            state = step(strategy, state, key)
            present = () if opponents is None else opponents.present
            return state, (genomes, strategy.champion(state), present)

        return jax.lax.scan(generation, strategy.init(key, GENES), jax.random.split(key, GENERATIONS))[1]

    keys = jax.random.split(jax.random.key(0), SEEDS)
    return jax.tree.map(lambda x: np.asarray(x.swapaxes(0, 1)), jax.jit(jax.vmap(evolve))(keys))


@every_strategy
def test_a_strategy_is_a_value_that_keeps_the_protocol(name):
    strategy = STRATEGIES[name]()
    assert isinstance(strategy, Strategy)
    assert strategy == STRATEGIES[name]()
    assert hash(strategy) == hash(STRATEGIES[name]())


@every_strategy
def test_a_generation_has_the_promised_shapes_and_keeps_the_type_of_the_state(name):
    """So that it compiles once. Shapes only; nothing is computed."""
    strategy = STRATEGIES[name]()
    before = jax.eval_shape(functools.partial(strategy.init, genes=GENES), jax.random.key(0))
    genomes, opponents = jax.eval_shape(strategy.ask, before)
    assert (genomes.shape, genomes.dtype) == ((strategy.population, GENES), strategy.gene_type)
    if opponents is not None:
        assert isinstance(opponents, Opponents)
        assert opponents.genomes.shape == (*opponents.present.shape, GENES)
        assert (opponents.genomes.dtype, opponents.present.dtype) == (strategy.gene_type, bool)
    after = jax.eval_shape(functools.partial(step, strategy), before, jax.random.key(0))
    assert jax.tree.structure(before) == jax.tree.structure(after)
    for old, new in zip(*map(jax.tree.leaves, (before, after)), strict=True):
        assert (old.shape, old.dtype, old.weak_type) == (new.shape, new.dtype, new.weak_type)
    champion = jax.eval_shape(strategy.champion, after)
    assert (champion.shape, champion.dtype) == ((GENES,), strategy.gene_type)


@every_strategy
def test_the_key_decides_everything(name):
    genomes, _, _ = evolved(name)
    assert np.isfinite(genomes).all()
    strategy, key = STRATEGIES[name](), jax.random.split(jax.random.key(0), SEEDS)[0]
    again, _ = strategy.ask(jax.jit(functools.partial(strategy.init, genes=GENES))(key))
    np.testing.assert_allclose(again, genomes[0, 0], rtol=1e-5, atol=1e-5)
    for generation in (0, 1, -1):
        assert len(np.unique(genomes[generation, :, 0], axis=0)) == SEEDS


@every_strategy
def test_the_champion_is_of_its_generation_and_among_the_fittest(name):
    """But for the mean of a distribution, which is not evaluated itself: it is better than most."""
    genomes, champions, _ = evolved(name)
    if name == "mirrored_es":
        assert ((cost(champions)[..., None] < cost(genomes)).mean(-1)[10:] > 0.5).all()
        return
    assert (champions[:, :, None] == genomes).all(-1).any(-1).all()
    fitter = (fitness_of(genomes) > fitness_of(champions)[..., None]).mean(-1)
    assert np.median(fitter) <= 0.25


@every_strategy
def test_opponents_are_absent_only_at_first(name):
    _, _, present = evolved(name)
    if not isinstance(present, tuple):
        assert not present[0].all()
        assert present[-1].all()
        assert (present[1:] >= present[:-1]).all()


@every_strategy
def test_evolution_lowers_the_cost_to_a_tenth(name):
    genomes, champions, _ = evolved(name)
    left = LEFT.get(name, 0.1)
    assert cost(champions[-1]).mean() < left * cost(champions[0]).mean()
    assert cost(genomes[-1]).mean() < left * cost(genomes[0]).mean()
