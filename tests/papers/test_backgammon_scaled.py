"""Designs as text, and what the claims make of known shares."""

import numpy as np
import pytest

from jaxgames import Backgammon
from neuroevo.evolution import Evolution
from neuroevo.networks import MLP
from neuroevo.papers.backgammon.design import Cell
from neuroevo.papers.backgammon.designs_findings import Found, cells_table, claims
from neuroevo.strategies import ES, KillMergeMutate, MirroredES
from neuroevo.tasks import RoundRobin

EVOLUTION = Evolution(KillMergeMutate(), RoundRobin(Backgammon(), MLP(4, "tanh")), replicas=3)


@pytest.mark.parametrize("text", ["10/9/4/0", "50/5/2/5/all", "200/1/2/0/mirrored"])
def test_a_cell_reads_what_it_writes(text):
    assert str(Cell.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["10/9/4", "10/9/4/0/some", "10/9/-4/0", "10/9/4/0/all/1", "10/0/4/0/all", "200/2/2/0/mirrored"]
)
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
    with pytest.raises(ValueError, match="200/1/8/0/mirrored needs strategy=mirrored_es"):
        Cell.parse("200/1/8/0/mirrored").of(Evolution(ES(), EVOLUTION.task))


def found(text, shares):
    shares = np.array(shares)
    tested = np.tile(shares[:, None], 2)
    return Found(Cell.parse(text), 100, np.array([50, 100]), tested, shares, np.zeros((len(shares), 5)), 0.25)


def test_claims_tell_players_from_games():
    """Each replica gives one mean over the pairs of designs: for players 0.1 and 0.105, for games −0.04 and −0.035."""
    shares = {
        "10/2/2/0/all": [0.10, 0.13],
        "40/2/2/0/all": [0.90, 0.90],  # neither most nor fewest players
        "160/2/2/0/all": [0.21, 0.26],
        "10/5/4/0/all": [0.07, 0.12],
        "160/10/2/0/all": [0.16, 0.20],
        "10/9/50/0/all": [0.95, 0.95],  # a number of games that no other number of players has
    }
    by_id = {claim.id: claim for claim in claims([found(*cell) for cell in shares.items()], 1000)}
    players, games = by_id["more_players_all"], by_id["more_games_all"]
    half = 12.706 * 0.0025  # Student's, one degree of freedom
    assert players.interval == pytest.approx((0.1025 - half, 0.1025 + half), abs=1e-3)
    assert (players.holds, players.n) == (True, 2)
    assert games.interval == pytest.approx((-0.0375 - half, -0.0375 + half), abs=1e-3)
    assert games.holds is False
    assert "interval over replicas lies above 0" in games.rule
    assert players.what.endswith("mean of 2 pairs of designs")
    assert "more_players" not in by_id


def test_claims_compare_what_differs_in_one_thing():
    cells = [
        found("40/2/2/0", [0.1, 0.1]),
        found("40/2/2/0/all", [0.2, 0.3]),
        found("40/1/2/1/all", [0.4, 0.3]),  # with past champions
        found("40/1/2/0/all", [0.2, 0.1]),
        found("40/1/2/0/mirrored", [0.6, 0.5]),
    ]
    by_id = {claim.id: claim for claim in claims(cells, 1000)}
    assert {id: (claim.ours, claim.holds) for id, claim in by_id.items() if id != "champion"} == {
        "hall_of_fame": (0.1, False),
        "mutation_of_all": (0.15, False),
        "mirrored": (0.4, True),
    }
    assert "of 40/1/2/0/mirrored; the best of 10 in these games" in by_id["champion"].what
    assert (by_id["champion"].ours, by_id["champion"].holds) == (0.6, True)
    rows = cells_table(cells, 1000).rows
    assert rows[0][:7] == ("40", "1", "2", "0", "gradient", "100", "0.250")
    assert [row[4] for row in rows[1:]] == ["all weights", "all weights", "all weights", "one weight"]
