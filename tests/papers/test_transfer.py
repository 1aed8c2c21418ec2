"""Champions on larger boards: which trainings and tests there are, and a table worked out by hand."""

import numpy as np
import pytest

from jaxgames import AtariGo, Gomoku
from jaxgames.players import Naive, Random
from neuroevo.evolution import Evolution
from neuroevo.networks import MDRNN, MLP
from neuroevo.papers.mdrnn.transfer import Transfer, method_of
from neuroevo.papers.mdrnn.transfer_findings import Comparison, row_claims, table_3
from neuroevo.strategies import ES, Coevolution, Pareto
from neuroevo.tasks import VersusOpponent, VersusOthers


def evolution(network=None, strategy=None):
    board = Gomoku(5, 5)
    return Evolution(strategy or ES(), VersusOpponent(board, network or MDRNN(), Naive(board)))


def study(evolution_=None, **options):
    return Transfer(evolution_ or evolution(), 150, **options)


def test_each_method_trains_on_its_own_board():
    plan = method_of(evolution(), "evolution", 7)
    assert plan.task.game == plan.task.opponent.game == Gomoku(7, 7)
    plan = method_of(evolution(), "coevolution", 5)
    assert isinstance(plan.strategy, Coevolution)
    assert isinstance(plan.task, VersusOthers)


def test_the_printed_test_is_atari_go_against_random_whatever_was_learnt():
    task = study().task("published", 9)
    assert (task.game, task.opponent) == (AtariGo(9), Random(AtariGo(9)))
    task = study().task("naive", 9)
    assert (task.game, task.opponent) == (Gomoku(9, 9), Naive(Gomoku(9, 9)))


def test_every_row_is_tested_once_on_each_board():
    assert study().tests("evolution", 7) == [
        ("naive", 7), ("naive", 11), ("published", 11), ("heuristic", 7), ("heuristic", 11), ("naive", 19),
    ]  # fmt: skip
    assert study(largest=9, stronger=False).tests("coevolution", 5) == [
        ("naive", 5), ("naive", 9), ("published", 9),
    ]  # fmt: skip
    scores = {("evolution", 7, test, size): np.full((3, 4), size) for test, size in study().tests("evolution", 7)}
    found = [(c.large, c.test, c.pairs[0, 0].tolist()) for c in study().comparisons(scores)]
    assert found == [
        (11, "published", [7, 11]), (11, "naive", [7, 11]), (11, "heuristic", [7, 11]), (19, "naive", [7, 19]),
    ]  # fmt: skip


def test_the_numbers_of_a_row_by_hand():
    """Two replicas of four champions; in one all score higher on the larger board, in the other half of them."""
    small = np.array([[0.0, 0.1, 0.2, 0.3], [0.0, 0.1, 0.2, 0.3]])
    pairs = np.stack([small, np.array([[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.1, 0.2]])], -1)
    row = Comparison("coevolution", 5, 9, "naive", pairs)
    assert row.larger.value == 0.75
    assert row.larger.n == 2
    # deviations of x: ∓0.15, ∓0.05; of y from 0.2: −.1 0 .1 .2 −.1 0 −.1 0
    assert row.correlation.value == pytest.approx(0.06 / np.sqrt(0.1 * 0.08), abs=1e-6)
    (line,) = table_3(Gomoku(5, 5), [row]).rows
    assert line[:2] == ("coevolution", "5 – 9")
    assert line[4] == "-0.11"
    assert line[-1] == "+0.15 → +0.20"
    claims = row_claims(Gomoku(5, 5), row)
    assert [claim.published for claim in claims] == ["-0.11", "0.70"]
    assert [claim.holds for claim in claims] == [row.correlation.low <= -0.105, True]


def test_rows_without_a_printed_number_claim_only_that_most_score_higher():
    higher = np.stack([np.zeros((3, 4)), np.ones((3, 4))], -1)
    (claim,) = row_claims(AtariGo(5), Comparison("evolution", 5, 9, "heuristic", higher))
    assert claim.holds
    (claim,) = row_claims(AtariGo(5), Comparison("evolution", 5, 19, "naive", higher[..., ::-1]))
    assert not claim.holds


def test_what_cannot_be_transferred_is_refused():
    with pytest.raises(ValueError, match="same weights for every size"):
        study(evolution(MLP()))
    with pytest.raises(ValueError, match="strategy=es"):
        study(evolution(strategy=Pareto()))
    with pytest.raises(ValueError, match="no row"):
        study(largest=7)
    with pytest.raises(ValueError, match="skip at least 0"):
        study(skip=-1)
