"""The mean of `MirroredES` goes where the fitter of its pairs are; in games the pairs meet each other."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import Backgammon
from neuroevo.networks import MLP
from neuroevo.strategies import MirroredES, Strategy
from neuroevo.strategies.evaluation import plain
from neuroevo.tasks import RoundRobin

KEY = jax.random.key(0)
SMALL = MirroredES(8, sigma=0.5, learning_rate=0.01, weight_decay=0.0)


def test_genomes_come_with_their_mirror_images():
    assert isinstance(SMALL, Strategy)
    state = SMALL.init(KEY, 30)
    genomes, opponents = SMALL.ask(state)
    assert opponents is None
    np.testing.assert_allclose(genomes[:4] + genomes[4:], np.tile(2 * state.mean, (4, 1)), atol=1e-6)
    assert 0.3 < float(jnp.std(genomes - state.mean)) < 0.7


def test_a_step_by_hand():
    """Adam's first step has the length of the learning rate in every gene, whatever the size of the gradient."""
    state = SMALL.init(KEY, 30)
    fitness = jnp.array([0.9, 0.5, 0.2, 0.4, 0.1, 0.5, 0.8, 0.6])
    after = SMALL.tell(KEY, state, plain(fitness))
    uphill = np.array([0.8, 0, -0.6, -0.2]) @ np.asarray(state.noise)
    np.testing.assert_allclose(after.mean - state.mean, 0.01 * np.sign(uphill), atol=1e-5)
    np.testing.assert_array_equal(SMALL.champion(after), after.mean)
    assert not np.allclose(after.noise, state.noise)


def test_every_generation_counts_alike():
    """What matters is the order within a generation, not how far apart its genomes are."""
    state, fitness = SMALL.init(KEY, 30), jnp.array([0.9, 0.5, 0.2, 0.4, 0.1, 0.5, 0.8, 0.6])
    means = []
    for scale in (1.0, 0.01):
        after = SMALL.tell(KEY, state, plain(fitness))
        means.append(SMALL.tell(KEY, after, plain(scale * fitness[::-1])).mean)
    np.testing.assert_allclose(*means, atol=1e-6)


def test_equal_fitness_moves_nothing_and_weights_decay():
    state, equal = SMALL.init(KEY, 30), plain(jnp.full(8, 0.5))
    np.testing.assert_array_equal(SMALL.tell(KEY, state, equal).mean, state.mean)
    decaying = replace(SMALL, weight_decay=5.0)
    np.testing.assert_allclose(decaying.tell(KEY, state, equal).mean, 0.95 * state.mean, rtol=1e-5)


def test_it_finds_the_top_of_a_hill():
    strategy = MirroredES(40, sigma=0.1, learning_rate=0.05, weight_decay=0.0, initial_scale=1.0)
    top = jnp.linspace(-1, 1, 10)

    def generation(state, key):
        genomes, _ = strategy.ask(state)
        return strategy.tell(key, state, plain(-((genomes - top) ** 2).sum(1))), None

    state, _ = jax.jit(lambda state: jax.lax.scan(generation, state, jax.random.split(KEY, 200)))(
        strategy.init(KEY, 10)
    )
    np.testing.assert_allclose(strategy.champion(state), top, atol=0.15)


def test_in_games_the_pairs_meet_each_other():
    game, network = Backgammon("alternate"), MLP(5, "tanh")
    task = RoundRobin(game, network, games=2, rivals=1, mirrored=True, lanes=8)
    genomes, _ = MirroredES(8).ask(MirroredES(8).init(KEY, task.genes))
    found = jax.jit(task.evaluate)(jnp.array([3, 4], jnp.uint32), jnp.stack([genomes, genomes]))
    np.testing.assert_allclose(found.fitness[:, :4] + found.fitness[:, 4:], 1)
    met = np.asarray(found.cases + found.cases.swapaxes(1, 2)) > 0
    np.testing.assert_array_equal(met, np.tile(np.roll(np.eye(8), 4, 1), (2, 1, 1)))
    with pytest.raises(ValueError, match="rivals must be 1, not 3"):
        RoundRobin(game, network, games=2, rivals=3, mirrored=True)


def test_wrong_settings_are_named():
    for population in (7, 2):
        with pytest.raises(ValueError, match="population must be even and at least 4"):
            MirroredES(population)
    with pytest.raises(ValueError, match="must be positive"):
        MirroredES(sigma=0.0)
    with pytest.raises(ValueError, match="must not be negative"):
        MirroredES(weight_decay=-1.0)
