"""Everybody against everybody: the grid of pairs against single matches, cross tables, ratings."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Gomoku, Schedule, play_games
from jaxgames.arena import cross_table, pairs
from jaxgames.players import Naive, Random
from neuroevo.networks import MDRNN
from neuroevo.networks.genome import codec
from neuroevo.players.board_policy import NetworkPlayer
from neuroevo.report import statistics

GAME = AtariGo(5)
NETWORK = MDRNN(4)
STREAM = jnp.uint32(3)
SCHEDULE = Schedule(games=4, lanes=4)


def networks(count, groups=1, seed=0):
    genomes = jax.random.normal(jax.random.key(seed), (groups, count, codec(GAME, NETWORK).genes))
    return NetworkPlayer(genomes, GAME, NETWORK)


@pytest.mark.parametrize(("players", "others"), [(5, 3), pytest.param(4, 4, marks=pytest.mark.thorough)])
def test_a_grid_of_pairs_equals_pair_by_pair(players, others):
    """Greedy networks draw their ties from the stream of the pair, so the same streams give the same games."""
    first, second = networks(players, groups=2), networks(others, groups=2, seed=1)
    streams = pairs.pair_streams(STREAM, (2, players, others))
    assert len(np.unique(streams)) == streams.size
    grid = pairs.play_pairs(GAME, first, second, streams, SCHEDULE)
    assert grid.returns.shape == (2, players, others, 4, 2)
    one = jax.tree.map(lambda x: jnp.repeat(x, others, 1).reshape(-1, x.shape[-1]), first)
    other = jax.tree.map(lambda x: jnp.tile(x, (1, players, 1)).reshape(-1, x.shape[-1]), second)
    singly = play_games(GAME, (one, other), streams.reshape(-1), SCHEDULE)
    np.testing.assert_array_equal(grid.returns.reshape(singly.returns.shape), singly.returns)
    np.testing.assert_array_equal(grid.plies.reshape(singly.plies.shape), singly.plies)


def named(players):
    """name → player, of a stack of networks."""
    return {name: jax.tree.map(lambda x, i=i: x[0, i], players) for i, name in enumerate("abcd")}


def test_a_cross_table_counts_every_game_once():
    players = {**named(networks(4)), "random": Random(GAME), "naive": Naive(GAME)}
    table = cross_table.round_robin(GAME, players, STREAM, 16)
    assert table.names == ("a", "b", "c", "d", "random", "naive")
    assert (np.diag(table.wins) == 0).all()
    pairs = table.wins + table.wins.T + table.draws
    assert (pairs[~np.eye(6, dtype=bool)] == table.games).all()
    assert table.games == 32
    assert (table.draws == 0).all()  # Atari-Go has none
    assert table.csv().splitlines()[0] == "player,rating,a,b,c,d,random,naive"
    naive, random = 5, 4
    assert table.score[naive, random] > 0.7
    assert np.argmin(cross_table.ratings(table)) != naive
    lines = str(table).splitlines()
    assert len(lines) == 7
    assert lines[1].startswith(table.names[int(np.argmax(cross_table.ratings(table)))])


def test_the_interval_of_a_cross_table_is_wilsons():
    wins = np.array([[0, 30], [10, 0]])
    low, high = cross_table.CrossTable(("a", "b"), 40, wins, np.zeros((2, 2))).interval()
    known = statistics.share(30, 40)
    np.testing.assert_allclose([low[0, 1], high[0, 1]], [known.low, known.high], atol=1e-6)


def test_schedules_that_pairs_cannot_obey_are_refused():
    first, second = Random(GAME), Naive(GAME)
    streams = jnp.zeros((1, 2, 2), jnp.uint32)
    with pytest.raises(ValueError, match="play_pairs cannot obey narrower of its schedule"):
        pairs.play_pairs(GAME, first, second, streams, Schedule(8, 4, narrower=(2,)))
    with pytest.raises(ValueError, match=r"\(0, 2\) does not seat 2 of 2 players"):
        pairs.play_pairs(GAME, first, second, streams, Schedule(4, seatings=((0, 2),)))


def test_an_odd_number_of_games_is_refused():
    with pytest.raises(ValueError, match="even number"):
        cross_table.round_robin(GAME, {"random": Random(GAME)}, STREAM, 3)


def test_ratings_recover_known_strengths():
    """Expected scores of players of known rating give these ratings back, up to the half game of the prior."""
    truth = np.array([-200.0, 0.0, 50.0, 150.0])
    score = 1 / (1 + 10 ** ((truth[None] - truth[:, None]) / 400))
    games = 10_000
    table = cross_table.CrossTable(tuple("abcd"), games, score * games * (1 - np.eye(4)), np.zeros((4, 4)))
    np.testing.assert_allclose(cross_table.ratings(table), truth - truth.mean(), atol=1)


def test_a_player_who_loses_all_games_has_a_finite_rating():
    wins = np.array([[0, 10], [0, 0]])
    ratings = cross_table.ratings(cross_table.CrossTable(("winner", "loser"), 10, wins, np.zeros((2, 2))))
    assert np.isfinite(ratings).all()
    assert ratings[0] > 300 > -300 > ratings[1]


def test_draws_are_half_a_win():
    drawn = np.array([[0, 6], [6, 0]])
    table = cross_table.CrossTable(("a", "b"), 6, np.zeros((2, 2)), drawn)
    np.testing.assert_allclose(cross_table.ratings(table), 0, atol=1e-6)
    assert table.score[0, 1] == 0.5


def test_gomoku_full_boards_count_as_draws():
    board = Gomoku(3, 3, 3)
    player = NetworkPlayer(jnp.zeros(codec(board, NETWORK).genes), board, NETWORK)
    table = cross_table.round_robin(board, {"a": player, "b": player}, STREAM, 64)
    assert table.draws[0, 1] == table.draws[1, 0] > 0
