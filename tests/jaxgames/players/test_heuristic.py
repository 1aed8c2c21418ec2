"""The heuristic player: its sets of points against plain Python, and its strength."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from drawings import draw_atari_go, draw_gomoku, points
from oracles import heuristic
from replay import QUICKLY, lanes, oracle, oracle_games

from jaxgames import AtariGo, Gomoku, Schedule, play_games
from jaxgames import bitboard as bb
from jaxgames.players import Heuristic, Naive

COMPARED = [
    AtariGo(3),
    AtariGo(5, captures_to_win=3),
    Gomoku(1, 9, 3),
    Gomoku(4, 4, 2),
    Gomoku(6, 6, 4, directions=3),
    Gomoku(4, 7, 4, exact=True),
    Gomoku(8, 3, 3, exact=True, num_seats=3),
]
COMPARED_THOROUGHLY = [
    *COMPARED,
    *(AtariGo(size) for size in (4, 5, 7, 9, 10, 11, 13, 19)),
    *(AtariGo(size, captures_to_win=5) for size in (9, 19)),
    Gomoku(3, 3, 3),
    Gomoku(5, 5),
    Gomoku(5, 5, 4),
    Gomoku(6, 9, 3, num_seats=4),
    Gomoku(19, 19),
    Gomoku(9, 9, 6),
    Gomoku(9, 9, directions=3),
    Gomoku(7, 6, 4, num_seats=3),
    Gomoku(10, 9, 8, exact=True, num_seats=4),
    Gomoku(15, 15, exact=True),
    Gomoku(19, 12, 7, exact=True),
]
ORACLES = {AtariGo: heuristic.atari_go, Gomoku: heuristic.gomoku}


# ---------------------------------------------------------------- the sets
def some_positions(game, number):
    """Unfinished positions of random games: the actions of each game, padded, and the plies of them to play."""
    rng = random.Random(f"{game}")
    games = [played.actions for batch in range(-(-number // lanes(game))) for played in oracle_games(game, batch, 99)]
    actions, plies = np.zeros((number, game.max_plies), np.int32), np.zeros(number, np.int32)
    for i in range(1, number):  # the first position is the start
        moves = games[i % len(games)]
        plies[i] = rng.randrange(len(moves))
        actions[i, : len(moves)] = moves
    return actions, plies


def sets_of(game, actions, plies):
    """Bool[positions, sets, points]: the game's priorities."""

    def sets(actions, plies):
        def ply(i, state):
            return jax.tree.map(lambda a, b: jnp.where(i < plies, a, b), game.play(state, actions[i]), state)

        state = jax.lax.fori_loop(0, game.max_plies, ply, game.start())
        return jnp.stack([bb.to_mask(board, game.columns) for board in game.priorities(state)])

    return np.asarray(jax.jit(jax.vmap(sets)).lower(actions, plies).compile(QUICKLY)(actions, plies))


def compare(game, number):
    """Every set of so many positions."""
    actions, plies = some_positions(game, number)
    seen = sets_of(game, actions, plies)
    for moves, length, actual in zip(actions.tolist(), plies, seen, strict=True):
        position = oracle(game)
        for action in moves[:length]:
            position.play(action)
        found = [set(np.flatnonzero(points).tolist()) for points in actual]
        assert found == ORACLES[type(game)](position), f"{game} after {moves[:length]}"
    return seen


@pytest.mark.parametrize("compared", COMPARED, ids=str)
def test_priorities_agree_with_the_oracle(compared):
    seen = compare(compared, 10 + 5000 // compared.num_actions)
    assert seen.any((0, 2)).all() or compared.rows == 1  # each set has been seen, but lines do not cross on one row


@pytest.mark.thorough
def test_priorities_of_many_positions_agree_with_the_oracle():
    for compared in COMPARED_THOROUGHLY:
        compare(compared, 20 + 80_000 // compared.num_actions)


# Drawings: X is to move, + marks the points of the set with this number.
GOMOKU_CASES = [
    ("own line", 0, "+XXXX+. OOOO... .......", {}),
    ("line of the next seat", 1, "XOOOO+. .XXXX.. .......", {}),
    ("open three", 2, "....... .+XXX+. .......", {}),
    ("three with one end", 2, "OXXX... ....... .......", {}),
    ("two gaps that one answer fills", 2, "XX..XX. ....... .......", {}),
    ("threes that cross", 2, "OXXX+.. ....X.. ....X.. ....X.. .......", {}),
    ("open three of the next seat", 3, "X...... .+OOO+. X......", {}),
    ("middle", 4, "..... .+++. .+++. .+++. .....", {}),
    ("fullest windows that cross", 5, "X.+ ... +.X", {"in_a_row": 3}),
    ("fullest windows", 7, "X++ ++. +.+", {"in_a_row": 3}),
]
ATARI_GO_CASES = [
    ("capture", 0, "OX.. +... .... ...."),
    ("escape", 2, "XO.. +... .... ...."),
    ("escape to one liberty", 2, "XO.. .O.. .... ...."),
    ("two in atari at once", 3, "O+O.. .XX.. ..... ..... ....."),
    ("one in atari", 4, "O+O+. +XX.. ..... ..... ....."),
    ("next to a stone and not in atari", 5, ".O+. .+.. .... ...."),
]


@pytest.mark.parametrize(("name", "number", "drawing", "options"), GOMOKU_CASES, ids=[case[0] for case in GOMOKU_CASES])
def test_gomoku_sets(name, number, drawing, options):
    assert heuristic.gomoku(draw_gomoku(drawing, **options))[number] == points(drawing, "+")


@pytest.mark.parametrize(("name", "number", "drawing"), ATARI_GO_CASES, ids=[case[0] for case in ATARI_GO_CASES])
def test_atari_go_sets(name, number, drawing):
    assert heuristic.atari_go(draw_atari_go(drawing))[number] == points(drawing, "+")


# ---------------------------------------------------------------- the player
def test_every_point_of_the_best_set_is_drawn_equally_often():
    game = Gomoku(5, 5)
    state = game.play(game.play(game.start(), jnp.int32(0)), jnp.int32(24))

    @jax.jit
    def draw(words):
        draws, _ = jax.vmap(lambda word: Heuristic(game).act(word, jnp.int32(0), state, ()))(words)
        return draws, [bb.to_mask(board, 5) for board in game.priorities(state)]

    actions, sets = draw(jnp.arange(1 << 12, dtype=jnp.uint32) << 20)
    best = next(np.asarray(points) for points in sets if points.any())
    counts = np.bincount(actions, minlength=25)
    assert (counts[~best] == 0).all()
    assert np.ptp(counts[best]) <= 1


@pytest.mark.parametrize(("game", "wins", "losses"), [(AtariGo(5), 0.95, 0.05), (Gomoku(5, 5), 0.9, 0)])
def test_heuristic_beats_naive(game, wins, losses):
    """Measured: 0.97 on Atari-Go 5×5; 0.93 on Gomoku 5×5, all else draws."""
    players, streams = (Heuristic(game), Naive(game)), jnp.array([1, 2], jnp.uint32)
    results = play_games(game, players, streams, Schedule(games=1000, lanes=200), batched=False)
    returns = np.asarray(results.returns[..., 0])
    assert (returns > 0).mean() >= wins
    assert (returns < 0).mean() <= losses
