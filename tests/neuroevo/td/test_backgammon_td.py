"""TD(λ) in backgammon: targets by a slow formula, and a network that learns who wins from made-up games."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import Backgammon
from neuroevo.networks import MLP
from neuroevo.players.backgammon_population import PLACES
from neuroevo.tasks import VersusPubeval
from neuroevo.td.backgammon import BackgammonSelfPlay, targets


@pytest.mark.parametrize("lambda_", [0.0, 0.6, 1.0])
def test_targets(lambda_):
    values = np.random.default_rng(0).uniform(size=(3, 6)).astype(np.float32)
    plies, finished = [6, 4, 5], [True, True, False]
    found = targets(jnp.asarray(values), jnp.array(plies), jnp.array(finished), lambda_)
    for game, (length, over) in enumerate(zip(plies, finished, strict=True)):
        wanted = [1.0 if over else values[game, length - 1]]
        for ply in range(length - 2, -1, -1):
            wanted.insert(0, (1 - lambda_) * (1 - values[game, ply + 1]) + lambda_ * (1 - wanted[0]))
        np.testing.assert_allclose(found[game, :length], wanted, rtol=1e-5)
    if lambda_ == 1:
        np.testing.assert_allclose(found[0], [0, 1] * 3)  # who made the last play has won


def test_a_network_learns_who_wins():
    """Made-up games of two plies in which the winner always has all its men on one point, and the loser on another."""
    task = VersusPubeval(Backgammon(), MLP(4, "sigmoid"), encoding="units")
    self_play = BackgammonSelfPlay(task, games=64, minibatch=32)
    learner = jax.tree.map(lambda x: x[0], self_play.start(jax.random.split(jax.random.key(0), 1)))
    codes = jnp.zeros((64, 4, PLACES), jnp.int32).at[:, 0, 3].set(15).at[:, 1, 9].set(15)
    ends = jnp.full(64, 2), jnp.ones(64, bool)
    learn = jax.jit(self_play._learn)
    errors = []
    for step in range(30):
        learner, report = learn(learner, jax.random.fold_in(jax.random.key(1), step), codes, ends, 0.03)
        errors.append(float(report.error))
    assert errors[0] > 0.1
    assert errors[-1] < 0.01
