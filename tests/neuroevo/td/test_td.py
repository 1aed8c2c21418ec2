"""TD(λ): desired values and updates against their formulas, the network, and what it sees of a position."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import pente, td

from jaxgames import Pente
from neuroevo.encoders.pente import pente_features
from neuroevo.networks import ValueNetwork
from neuroevo.td.update import OPTIMIZERS, Episodes, Rule, desired, learn

KEY = jax.random.key(3)
FEATURES, PLIES, HIDDEN = 5, 6, 3
LENGTHS, OUTCOMES = [[6, 6], [4, 4], [1, 1]], [[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]]


def weights_of(seed=0, hidden=HIDDEN, features=FEATURES):
    return ValueNetwork(hidden).init(jax.random.key(seed), jnp.zeros(features))["params"]


def games_of(count=3):
    """Three games, each seen from two sides."""
    seen = jax.random.normal(KEY, (count, 2, PLIES, FEATURES))
    return Episodes(seen, jnp.array(LENGTHS[:count]), jnp.array(OUTCOMES[:count]))


def one(games, number):
    return jax.tree.map(lambda x: x[number : number + 1], games)


@jax.jit
def step(rule, weights, games):
    return rule.step(weights, rule.start(weights), games)


@pytest.mark.parametrize("lambda_", [0.0, 0.8, 1.0])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_desired_values_are_those_of_the_formula(lambda_, length):
    seen = jax.random.normal(KEY, (7,))
    found = desired(seen, jnp.int32(length), jnp.float32(-1), Rule(0.3, lambda_, 0.9))
    expected = td.desired(np.asarray(seen, float)[:length], -1, 0.3, lambda_, 0.9)
    np.testing.assert_allclose(found[:length], expected, atol=1e-6)


def test_a_network_that_says_nothing_has_the_printed_error():
    """Outputs of 0: what is left in the paper's table where it did not converge, 25 / 9."""
    found = desired(jnp.zeros(60), jnp.int32(60), jnp.float32(1), Rule())
    np.testing.assert_allclose((found**2).sum(), 2.777778, atol=1e-6)


@pytest.mark.parametrize("number", range(3))
def test_an_update_is_that_of_finite_differences(number):
    games, weights, rule = one(games_of(), number), weights_of(), Rule(0.2, 0.8, 0.9)
    after, _, errors = step(rule, weights, games)
    float64 = {name: np.asarray(w, np.float64) for name, w in weights.items()}
    episodes = [
        (np.asarray(games.features[0, view], np.float64)[: LENGTHS[number][view]], OUTCOMES[number][view])
        for view in range(2)
    ]
    expected, total = td.stepped(float64, episodes, 0.2, 0.8, 0.9)
    np.testing.assert_allclose(errors, [total], rtol=1e-5)
    for name, w in weights.items():
        assert np.abs(after[name] - w).max() > 1e-3
        np.testing.assert_allclose(after[name], expected[name], atol=2e-6)


def test_what_lies_beyond_the_end_changes_nothing():
    games, weights, rule = one(games_of(), 1), weights_of(), Rule(0.2)
    other = games.replace(features=games.features.at[:, :, LENGTHS[1][0] :].set(7.0))
    for one_of, other_of in zip(*(jax.tree.leaves(step(rule, weights, g)) for g in (games, other)), strict=True):
        np.testing.assert_array_equal(one_of, other_of)


def test_an_empty_place_of_a_game_changes_nothing():
    empty = jax.tree.map(jnp.zeros_like, one(games_of(), 0))
    after, _, errors = step(Rule(), weights_of(), empty)
    assert errors[0] == 0
    jax.tree.map(np.testing.assert_array_equal, after, weights_of())


def test_several_games_a_step_change_weights_by_their_mean():
    games, weights, rule = games_of(), weights_of(), Rule(0.2)
    together, _, errors = step(rule, weights, games)
    alone = [step(rule, weights, one(games, number)) for number in range(3)]
    np.testing.assert_allclose(errors, [e[0] for _, _, e in alone], rtol=1e-6)
    for name, w in weights.items():
        np.testing.assert_allclose(together[name] - w, np.mean([a[name] - w for a, _, _ in alone], 0), atol=1e-6)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_games_are_learned(optimizer):
    """The first game, from its winner's side, two hundred times."""
    games = jax.tree.map(lambda x: x[:, :1], one(games_of(), 0))
    repeated = jax.tree.map(lambda x: jnp.broadcast_to(x, (200, *x.shape)), games)
    rule, weights = Rule(0.05, optimizer=optimizer), weights_of()
    _, _, errors = jax.jit(learn)(rule, weights, rule.start(weights), repeated)
    assert errors.shape == (200, 1)
    assert errors[-1, 0] < 0.5 * errors[0, 0]


def test_rates_and_seeds_run_side_by_side():
    games, rates = games_of(1), jnp.array([0.1, 0.01])
    weights = jax.vmap(lambda seed: ValueNetwork(HIDDEN).init(jax.random.key(seed), jnp.zeros(FEATURES))["params"])(
        jnp.arange(2)
    )
    after = jax.vmap(lambda rate, w: step(Rule(rate), w, games)[0])(rates, weights)
    for i, rate in enumerate(rates):
        alone = step(Rule(rate), jax.tree.map(lambda w, i=i: w[i], weights), games)[0]
        jax.tree.map(lambda x, y, i=i: np.testing.assert_allclose(x[i], y, atol=1e-6), after, alone)


def test_the_network_starts_as_published():
    weights = weights_of(1, 80, 365)
    assert {name: w.shape for name, w in weights.items()} == {"hidden": (80, 365), "output": (80,)}
    for w in weights.values():
        assert -0.5 <= w.min() < -0.45
        assert 0.45 < w.max() <= 0.5


def test_the_network_is_a_linear_sum_of_logistic_units():
    weights, features = weights_of(2), jax.random.normal(KEY, (FEATURES,))
    found = ValueNetwork(HIDDEN).apply({"params": weights}, features)
    expected = td.value({n: np.asarray(w, np.float64) for n, w in weights.items()}, np.asarray(features, np.float64))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def oracle_features(game, seat):
    own = [0 if stone is None else 1 if stone == seat else -1 for stone in game.board]
    captured = [game.captured_counts[seat] / 10, game.captured_counts[1 - seat] / 10]
    return [*own, *captured, 1 if game.to_move == seat else -1, 1]


def test_features_are_those_of_the_rules():
    """A random game with captures, every position from both seats."""
    game, oracle, draw = Pente(), pente.Pente(), np.random.default_rng(5)
    features = jax.jit(lambda state: jax.vmap(lambda seat: pente_features(game, state, seat))(jnp.arange(2)))
    play, state = jax.jit(game.play), game.start()
    near = [r * 19 + c for r in range(6, 13) for c in range(6, 13)]
    while not oracle.over and oracle.plies < 60:
        action = int(draw.choice(sorted(oracle.legal() & {*near})))
        oracle.play(action)
        state = play(state, jnp.int32(action))
        np.testing.assert_allclose(features(state), [oracle_features(oracle, seat) for seat in range(2)])
    assert sum(oracle.captured_counts) > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ValueNetwork(0), "hidden must be at least 1"),
        (lambda: ValueNetwork(spread=0.0), "spread above 0"),
        (lambda: Rule(optimizer="sdg").check(), "optimizer must be one of sgd, momentum"),
        (lambda: Rule(alpha=0.0).check(), "alpha must be above 0"),
        (lambda: Rule(lambda_=1.5).check(), "lambda_ and gamma from 0 to 1"),
    ],
)
def test_wrong_numbers_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
