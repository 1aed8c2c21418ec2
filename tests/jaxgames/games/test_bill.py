"""The evaluation bill: its edge table, its features against plain Python, its odds against SciPy's, its fit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles.othello import Othello
from scipy import stats
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from jaxgames.games.othello import bill, edge_table
from jaxgames.games.othello.bill import DISCS, FEATURES, Bill
from jaxgames.games.othello.tree import Sides
from neuroevo.papers.focus_othello import fit_bill_findings
from neuroevo.papers.focus_othello.fit_bill import RIDGE, fit
from neuroevo.papers.focus_othello.fit_bill_findings import Sample

RANDOM = np.random.default_rng(0)
QUARTER = ((450, 850, 850, 850), (850, 1150, 1050, 1100), (850, 1050, 1250, 1200), (850, 1100, 1200, 0))
CLASSIC = ((99, -8, 8, 6), (-8, -24, -4, -3), (8, -4, 7, 4), (6, -3, 4, 0))


# ---------------------------------------------------------------- edges
def state(text):
    """X square, corner … corner, X square: . for an empty square, o for an own disc, x for one of the other side."""
    return tuple(".ox".index(mark) for mark in text)


def worth(text):
    return int(edge_table.load()[edge_table.number(state(text))])


def test_the_edge_table_is_the_one_that_its_command_computes():
    computed = edge_table.compute()
    assert np.abs(computed).max() == edge_table.LARGEST
    np.testing.assert_array_equal(computed, edge_table.load())


def test_an_edge_is_worth_the_same_from_either_end():
    for number in RANDOM.integers(0, 3**10, 500):
        text = "".join(".ox"[number // 3**place % 3] for place in range(10))
        assert worth(text) == worth(text[::-1])


def test_a_full_edge_is_worth_its_discs():
    """All discs of an unbroken full edge are stable, and the X squares no longer matter."""
    discs = 2 * (700 + 1200 + 1000 + 1000)
    assert edge_table.static(state("ooooooooox")) == discs
    assert worth("ooooooooox") == -worth("xxxxxxxxxo") > 800


def test_good_edges_are_worth_more_than_bad_ones():
    assert worth(".oo.......") > worth("..........") > worth("o.........")  # a corner with its neighbour, an X square
    assert worth("..xxo.....") > worth("..oox.....")  # a corner for the taking, a corner to be lost


@pytest.mark.parametrize(
    ("text", "square", "turned"),
    [("..xxo.....", 1, [2, 3]), ("..xx......", 1, []), (".ox.xxo...", 3, [2, 4, 5]), ("..xxo.....", 0, [])],
)
def test_moves_turn_discs_along_the_edge(text, square, turned):
    assert sorted(edge_table.enclosed(state(text), square)) == turned
    assert (edge_table.probability(state(text), square) == 1) == bool(turned)


# ---------------------------------------------------------------- features
def games(count):
    """Positions of random games."""
    for _ in range(count):
        game = Othello()
        for _ in range(RANDOM.integers(1, 60)):
            if game.over:
                break
            game.play(int(RANDOM.choice(sorted(game.legal()))))
        yield game


def around(square):
    row, column = divmod(square, 8)
    near = [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    return {8 * r + c for r, c in near if 0 <= r < 8 and 0 <= c < 8}


def of_square(quarter, square):
    row, column = (min(i, 7 - i) for i in divmod(square, 8))
    return quarter[row][column]


def quotient(own, other, offset):
    return (own - other) / (abs(own + other) + offset)


def mobility(legal, taken):
    corners = {9: 0, 14: 7, 49: 56, 54: 63}
    return sum(of_square(QUARTER, s) for s in legal if s not in corners or corners[s] in taken)


def expected_features(own, other, mine, theirs):
    """From the discs and the legal moves of both sides."""
    taken, table = own | other, edge_table.load()
    empties = set(range(64)) - taken
    edges = 0
    for squares in bill.EDGES:
        edges += int(table[sum(3**i * ((s in own) + 2 * (s in other)) for i, s in enumerate(squares))])
    near = [sum(bool(around(s) & discs) for s in empties) for discs in (other, own)]
    discs = [sum(of_square(CLASSIC, s) for s in side) for side in (own, other)]
    moves = [mobility(legal, taken) for legal in (mine, theirs)]
    return edges / 1000, 2 * quotient(*near, 80), 3 * quotient(*discs, 100), 3 * quotient(*moves, 700)


def words(squares):
    return tuple(jnp.uint32(sum(1 << s % 32 for s in squares if s // 32 == half)) for half in (0, 1))


def test_features_are_those_of_plain_python():
    boards, wanted = [], []
    for game in games(100):
        own, other = game.squares(game.to_move), game.squares(1 - game.to_move)
        boards.append(Sides(words(own), words(other)))
        wanted.append(expected_features(own, other, game.moves(game.to_move), game.moves(1 - game.to_move)))
    nodes = jax.tree.map(lambda *x: jnp.stack(x), *boards)
    found = jax.jit(jax.vmap(lambda node: jnp.stack(bill.features(node.own, node.other))))(nodes)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    assert (np.abs(wanted).max(0) > 0.3).all()


# ---------------------------------------------------------------- odds
def test_the_polynomial_is_the_ratio_of_two_normal_densities():
    mean, frequency = RANDOM.normal(size=(len(DISCS), 2, 4)), RANDOM.dirichlet([3, 3], len(DISCS))
    spread = RANDOM.normal(size=(len(DISCS), 2, 4, 4))
    covariance = spread @ np.swapaxes(spread, -1, -2) + np.eye(4)
    polynomials = bill.polynomials_of(mean, covariance, frequency)
    for discs in (4, 30, 64):
        seen, row = RANDOM.normal(size=4), discs - DISCS.start
        lost, won = (
            np.log(frequency[row, i]) + stats.multivariate_normal.logpdf(seen, mean[row, i], covariance[row, i])
            for i in (0, 1)
        )
        found = bill.log_odds(polynomials, tuple(map(jnp.float32, seen)), jnp.int32(discs))
        assert float(found) == pytest.approx(won - lost, abs=1e-3)


def test_values_are_thousandths_of_the_log_odds_within_the_bound():
    node = Sides(words({27, 36}), words({28, 35, 20}))
    value = Bill().value(node)
    odds = bill.log_odds(bill.polynomials(str(bill.FILE)), bill.features(node.own, node.other), jnp.int32(5))
    assert int(value) == pytest.approx(1000 * float(odds), abs=0.6)
    assert abs(int(value)) <= Bill().bound


def test_the_shipped_parameters_like_a_corner():
    """The same position with and without the corner a1, turned into an empty square."""
    own, other = {0, 9, 18, 27, 36}, {28, 35, 44, 21}
    values = [int(Bill().value(Sides(words(mine), words(other)))) for mine in (own, own - {0, 9})]
    assert values[0] > values[1]


# ---------------------------------------------------------------- fit
def sample(count):
    """Positions with 20 and 40 discs whose features are normally distributed, by the result."""
    result = RANDOM.choice([-1, 1], (count, 30))
    discs = np.broadcast_to(np.where(np.arange(30) < 15, 20, 40), result.shape)
    features = RANDOM.normal(size=(*result.shape, 4)) + 0.5 * result[..., None] * (discs[..., None] == 40)
    result[:, ::10] = 0  # draws
    return Sample(features.astype(np.float32), discs, result)


def test_means_and_variances_are_found_and_lent_to_neighbours():
    found = fit(sample(1000), pooled=2)
    at = {discs: discs - DISCS.start for discs in (4, 20, 22, 38, 40, 64)}
    np.testing.assert_allclose(found["mean"][at[40]], [[-0.5] * 4, [0.5] * 4], atol=0.07)
    np.testing.assert_allclose(found["mean"][at[20]], np.zeros((2, 4)), atol=0.07)
    np.testing.assert_allclose(found["covariance"][at[40], 1], (1 + RIDGE) * np.eye(4), atol=0.08)
    for discs, lender in ((4, 20), (22, 20), (38, 40), (64, 40)):
        np.testing.assert_array_equal(found["mean"][at[discs]], found["mean"][at[lender]])


def test_gaussians_and_regression_agree_where_both_are_right():
    """With equal variances the log odds are linear: 2 · 0.5 · the sum of the features."""
    seen, unseen = sample(1000), sample(500)
    fitted = bill.polynomials_of(**fit(seen, 2))
    linear = fit_bill_findings.regressions(seen, 2)
    np.testing.assert_allclose(linear[1:5, 40 - DISCS.start], np.ones(len(FEATURES)), atol=0.1)
    means = [fit_bill_findings.losses(which, unseen)[unseen.result != 0].mean() for which in (fitted, linear)]
    assert means[0] == pytest.approx(means[1], abs=0.01)
    assert means[0] < 0.6


def test_the_discriminant_is_that_of_scikit_learn():
    class Ridged(BaseEstimator):
        def fit(self, x):
            self.covariance_ = np.cov(x.T) + RIDGE * np.eye(x.shape[1])
            return self

    seen = sample(200)
    part = list(seen.by_discs(2))[40 - DISCS.start]
    theirs = QuadraticDiscriminantAnalysis(solver="eigen", covariance_estimator=Ridged())
    theirs.fit(part.features.astype(float), part.result)
    ours = fit_bill_findings.log_odds(bill.polynomials_of(**fit(seen, 2)), part)
    np.testing.assert_allclose(ours, theirs.decision_function(part.features.astype(float)), atol=1e-3)


def test_chances_that_come_true_are_reliable():
    chance = RANDOM.uniform(size=40000)
    said, came, count = fit_bill_findings.reliability(chance, RANDOM.uniform(size=40000) < chance)
    assert count.sum() == 40000
    np.testing.assert_allclose(said, came, atol=0.05)


def test_too_few_games_are_reported():
    few = sample(1)
    with pytest.raises(ValueError, match="too few games"):
        fit(few, 2)
