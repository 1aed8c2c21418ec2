"""The table of correlations: what the archive says of it, its intervals, and the bookkeeping of networks."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import shared_data

from jaxgames import AtariGo
from jaxgames.players import Naive
from neuroevo.networks import MDRNN, MLP
from neuroevo.papers.mdrnn.scaling import Scaling
from neuroevo.papers.mdrnn.scaling_findings import row_estimates, table_1
from neuroevo.papers.mdrnn.table_1 import ROWS, enlarged
from neuroevo.report import statistics
from neuroevo.tasks import VersusOpponent

NAMES = {"Atari-Go": "capture", "Gomoku": "gomoku", "random": "random", "naive": "killer"}  # the archive's words
TASK = VersusOpponent(AtariGo(5), MDRNN(), Naive(AtariGo(5)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_networks_of_2008_give_the_printed_numbers(row):
    with np.load(shared_data("mdrnn/table1_2008.npz")) as archive:
        columns = [list(archive["sizes"]).index(size) for size in (row.small, row.large)]
        pool = {}
        for hidden in (1, 5, 10):
            for scale, suffix in ((1.0, 1), (0.1, 10)):
                key = f"{NAMES[row.game]}_{NAMES[row.opponent]}_k{hidden}_scale{suffix}_s"
                scores = archive[key][:, columns]
                pool[hidden, scale] = scores[np.isfinite(scores).all(1)]
    assert {kind: len(scores) for kind, scores in pool.items() if len(scores)} == row.pool
    pairs = np.concatenate(list(pool.values()))
    found = statistics.correlation(pairs, resamples=2).value, (pairs[:, 1] > pairs[:, 0]).mean()
    np.testing.assert_allclose(found, row.archive, atol=6e-4)
    np.testing.assert_allclose(row.archive, row.printed, atol=0.0075)


@pytest.mark.parametrize("pool", ["described", "published"])
def test_every_row_rests_on_at_least_so_many_networks(pool):
    study = Scaling(TASK, 0, networks=1000, pool=pool)
    counts = study.cells()
    scores = {cell: np.full(count, cell.size, np.float32) for cell, count in counts.items()}
    for row in ROWS:
        pairs = study.pooled(row, scores)
        assert len(pairs) >= 1000
        assert (pairs == [row.small, row.large]).all()
    assert len({cell.key for cell in counts}) == len(counts)


def test_an_enlarged_pool_keeps_its_shares():
    assert enlarged({(1, 1.0): 3, (5, 1.0): 1}, 1000) == {(1, 1.0): 750, (5, 1.0): 250}
    for row in ROWS:
        large = enlarged(row.pool, 1000)
        total = sum(row.pool.values())
        assert all(abs(large[kind] / 1000 - count / total) <= 0.001 for kind, count in row.pool.items())


def test_a_network_is_the_same_on_every_board_and_in_every_chunk():
    cells = {(cell.size, cell.opponent): cell for cell in Scaling(TASK, 0).cells() if cell.network == "mdrnn"}
    study = Scaling(replace(TASK, games=8, lanes=8), 0, networks=4, chunk=2)
    first, again = (study._test(cells[5, "naive"], 0) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, study._test(cells[5, "naive"], 2))


def test_what_does_not_scale_is_refused():
    task = VersusOpponent(AtariGo(5), MLP(), Naive(AtariGo(5)))
    with pytest.raises(ValueError, match="network=mdrnn"):
        Scaling(task, 0)
    with pytest.raises(ValueError, match="pool must be"):
        Scaling(TASK, 0, pool="all")
    with pytest.raises(ValueError, match="no row"):
        Scaling(TASK, 0, largest=5)


def test_the_bootstrap_covers_a_known_correlation():
    """Of 100 samples of 200 pairs with correlation 0.7 about 95 intervals cover it."""
    generator = np.random.default_rng(1)
    covariance = [[1, 0.7], [0.7, 1]]
    samples = [generator.multivariate_normal([0, 0], covariance, 200) for _ in range(100)]
    estimates = [statistics.correlation(sample, resamples=300) for sample in samples]
    assert 88 <= sum(estimate.low <= 0.7 <= estimate.high for estimate in estimates) <= 100
    assert abs(np.mean([estimate.value for estimate in estimates]) - 0.7) < 0.01


def test_pairs_of_one_group_are_drawn_together():
    """Ten copies of each of 20 pairs are worth 20 pairs: the interval of groups is wider."""
    pairs = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 10, 0)
    groups = np.repeat(np.arange(20), 10)
    one, other = statistics.correlation(pairs), statistics.correlation(pairs, groups)
    assert other.high - other.low > 2 * (one.high - one.low)


def test_constant_scores_have_no_correlation():
    assert statistics.correlation(np.ones((10, 2)), resamples=10).value == 0


def test_how_far_samples_are_apart_by_hand():
    """atanh(0.5) − atanh(0.3) = 0.2398; two times 1 / 100. And 0.6 − 0.5 with p = 0.55, two times 1 / 200."""
    assert statistics.correlations_apart(0.5, 103, 0.3, 103) == pytest.approx(0.23979 / np.sqrt(0.02), abs=1e-3)
    assert statistics.shares_apart(0.6, 200, 0.5, 200) == pytest.approx(0.1 / np.sqrt(0.2475 * 0.01), abs=1e-6)


def test_a_row_says_whether_the_printed_number_is_covered():
    pairs = np.stack([np.linspace(-1, 1, 500), np.linspace(-0.9, 1, 500)], 1)
    correlation, larger = row_estimates(pairs)
    assert (correlation.value, larger.value) == (pytest.approx(1), pytest.approx(0.998))
    table = table_1({ROWS[0]: (correlation, larger)})
    assert table.rows[0][7] == "does not hold"
    assert len(table.rows[0]) == len(table.columns)
