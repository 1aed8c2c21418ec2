"""Designs as text, and what the claims make of known shares."""

from itertools import product

import numpy as np
import pytest

from jaxgames import Backgammon
from neuroevo import statistics
from neuroevo.evolution import Evolution
from neuroevo.networks import MLP
from neuroevo.strategies import KillMergeMutate, MirroredES
from neuroevo.studies.backgammon_cell import Cell
from neuroevo.studies.backgammon_scaled_findings import Found, cells_table, claims
from neuroevo.tasks import RoundRobin

EVOLUTION = Evolution(KillMergeMutate(), RoundRobin(Backgammon(), MLP(4, "tanh")), replicas=3)


@pytest.mark.parametrize("text", ["10/9/4/0", "50/5/2/5/all", "200/1/2/0/mirrored"])
def test_a_cell_reads_what_it_writes(text):
    assert str(Cell.parse(text)) == text


@pytest.mark.parametrize("text", ["10/9/4", "10/9/4/0/some", "10/9/-4/0", "10/9/4/0/all/1", "200/2/2/0/mirrored"])
def test_what_is_no_cell_is_named(text):
    with pytest.raises(ValueError, match=text):
        Cell.parse(text)


def test_a_cell_changes_the_evolution():
    found = Cell.parse("50/5/2/5/all").of(EVOLUTION)
    assert found.strategy == KillMergeMutate(50, famous=5, everywhere=True, mutation_rate=1.0, sigma=0.05)
    assert (found.task.rivals, found.task.games, found.task.mirrored) == (5, 2, False)
    assert Cell.parse("50/5/2/5/all").games_per_generation(EVOLUTION) == (125 + 250) * 2
    found = Cell.parse("200/1/8/0/mirrored").of(EVOLUTION)
    assert found.strategy == MirroredES(200)
    assert (found.task.rivals, found.task.games, found.task.mirrored) == (1, 8, True)
    assert Cell.parse("200/1/8/0/mirrored").games_per_generation(EVOLUTION) == 800


def test_a_gradient_of_ones_own_stays():
    own = Evolution(MirroredES(20, learning_rate=0.1), EVOLUTION.task)
    assert Cell.parse("200/1/8/0/mirrored").of(own).strategy == MirroredES(200, learning_rate=0.1)
    with pytest.raises(ValueError, match="10/9/4/0 needs strategy=kill_merge_mutate"):
        Cell.parse("10/9/4/0").of(own)


def found(text, shares):
    shares = np.array(shares)
    tested = np.tile(shares[:, None], 2)
    nothing = np.zeros(len(shares), int)
    return Found(Cell.parse(text), 100, np.array([50, 100]), tested, nothing, shares, np.zeros((len(shares), 5)), 0.25)


def test_slopes_are_those_of_a_plane():
    inputs = np.array(list(product([1, 2, 5], [0, 3])), float)
    one, other = statistics.slopes(inputs, 2 * inputs[:, 0] - inputs[:, 1] + 7)
    assert (one.value, other.value) == (pytest.approx(2), pytest.approx(-1))
    assert one.low == pytest.approx(one.high)
    assert one.n == 6
    noisy = inputs[:, 0] + np.random.default_rng(0).normal(size=6)
    wide = statistics.slopes(inputs[:, :1], noisy)[0]
    line = np.polyfit(inputs[:, 0], noisy, 1, cov=True)
    assert wide.value == pytest.approx(line[0][0])
    assert wide.high - wide.value == pytest.approx(2.776 * line[1][0, 0] ** 0.5, rel=1e-3)  # Student's, 4 degrees
    with pytest.raises(ValueError, match="do not decide"):
        statistics.slopes(np.ones((5, 1)), np.arange(5))


def test_claims_tell_players_from_games():
    """Shares rise by 0.02 with twice the players, and fall by 0.01 with twice the games of each."""
    cells = [
        found(f"{players}/2/{games}/0/all", [0.1 + 0.02 * np.log2(players) - 0.01 * np.log2(2 * games)] * 2)
        for players, games in product((10, 40, 160), (2, 8))
    ]
    cells.append(found("40/1/2/1/all", [0.3, 0.3]))  # with past champions, otherwise as 40/2/2/0/all
    cells.append(found("40/2/2/0", [0.1, 0.1]))
    by_id = {claim.id: claim for claim in claims(cells, 1000)}
    assert (by_id["more_players_all"].ours, by_id["more_players_all"].holds) == (0.02, True)
    assert (by_id["more_games_all"].ours, by_id["more_games_all"].holds) == (-0.01, False)
    plain = 0.1 + 0.02 * np.log2(40) - 0.02
    assert by_id["hall_of_fame"].ours == pytest.approx(0.3 - plain, abs=1e-3)
    assert by_id["mutation_of_all"].ours == pytest.approx(plain - 0.1, abs=1e-3)
    assert "more_players" not in by_id
    assert "mirrored" not in by_id
    assert by_id["champion"].what.endswith("40/1/2/1/all")
    rows = cells_table(cells, 1000).rows
    assert rows[0][:7] == ("40", "1", "2", "1", "all weights", "100", "0.250")
