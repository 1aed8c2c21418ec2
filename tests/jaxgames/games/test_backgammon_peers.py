"""Backgammon against GNU Backgammon's move generator, Pubeval and position IDs (PyPI gnubg-nn, extra `peers`)."""

import jax
import numpy as np
import pytest
from backgammon_positions import BATCH, GAME, LIMIT, positions, states
from oracles import backgammon as oracle

from jaxgames.arena import afterstates
from jaxgames.games.backgammon.board import board_of
from jaxgames.players import Pubeval
from jaxgames.records.backgammon.position_id import position_id

POSITIONS = 6_000


@pytest.fixture
def gnubg():
    return pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed (extra `peers`)")


def theirs(position):
    """As gnubg has it: the side not on roll first, and no men off."""
    return [list(side[1:]) for side in position[::-1]]


def ours(board):
    """A position of two lists of 25 numbers; the side that has moved is the second."""
    other, own = ((15 - sum(side), *side) for side in board)
    return own, other


@pytest.mark.thorough
def test_gnubg_agrees(gnubg):
    rolled = [item for item in oracle.positions(7, 2 * POSITIONS) if item[0][0][0] < 15][:POSITIONS]
    rolled += [rolled[0]] * (-len(rolled) % BATCH)
    for start in range(0, len(rolled), BATCH):
        batch = rolled[start : start + BATCH]
        ready = states(batch)
        found, number = jax.device_get(afterstates(GAME, ready, LIMIT))
        races = jax.vmap(Pubeval().prepare)(ready)
        for index, (position, high, low) in enumerate(batch):
            moves = gnubg.moves(theirs(position), high, low)
            expected = {ours(gnubg.boardfromkey(key)) for key in moves} or {position}
            mine = positions(jax.tree.map(lambda x, i=index, n=number[index]: x[i, :n], found))
            assert set(mine) == expected, f"{position}, {high}-{low}"
            assert (gnubg.classify(theirs(position)) <= gnubg.c_race) == bool(races[index]), position


@pytest.mark.thorough
def test_gnubg_scores_as_pubeval(gnubg):
    """Its score is that of the side which it lists first."""
    rolled = oracle.positions(8, 900)
    batch = states(rolled)
    scores = jax.vmap(Pubeval().value)(jax.vmap(Pubeval().prepare)(batch), batch.board, batch.seat)
    expected = [gnubg.pub_eval_score(theirs(oracle.turned(position))) for position, _, _ in rolled]
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-3)


@pytest.mark.thorough
def test_gnubg_writes_the_same_position_ids(gnubg):
    for position, _, _ in oracle.positions(9, 300):
        assert position_id(board_of(*position)) == gnubg.position_id(theirs(position))
