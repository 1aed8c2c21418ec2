"""Faults that were reported, in public, of other software of this kind: here each has its right value.

Not here, as these formats are not read yet: SGF (alpha-zero-general #167, Sabaki #69 and #687, wgo.js #57), XGID
(AnkiGammon #1, gnubg-android #14), GGF (edax #50), Gomocup's protocol, OpenSpiel's notation (kaggle-environments
#1190). Perft is in test_games.py and test_othello_rules.py, symmetries of views are in the tests of encoders.
"""

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backgammon_positions import GAME, LIMIT, positions, side, states
from oracles import backgammon as oracle

from jaxgames import AtariGo, Backgammon, Gomoku, Othello, Pente
from jaxgames.arena import CrossTable, afterstates, ratings
from jaxgames.games import board_game
from jaxgames.games.backgammon.board import board_of, sides_of
from jaxgames.players import Random
from jaxgames.records.backgammon.position_id import board_from_id
from neuroevo.serve import Choice, Engine

REVERSI_AI_6 = ["e6", "f6", "c4", "c5", "c6", "d6", "g7", "f4", "g4", "g6", "e7", "h8", "h6", "g5", "g8", "f8"]
EGAROUCID_217 = (
    "f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6c1d1g1f1h1a1g7b1a7a8\
b7f8h8h2g8"
)


def played(game, moves):
    """The position after moves by name or number, each of which must be legal."""
    state, play = game.start(), jax.jit(game.play)
    for ply, move in enumerate(moves, 1):
        action = game.parse_action(move) if isinstance(move, str) else move
        assert not game.terminal(state), ply
        assert game.legal(state)[action], ply
        state = play(state, jnp.int32(action))
    return state


def legal(game, state):
    return {game.action_name(action) for action in np.flatnonzero(game.legal(state))}


# ---------------------------------------------------------------- Othello
def test_a_seat_that_cannot_move_does_not_end_the_game():
    """Zolomon/reversi-ai PR #6, MM-NEATv2 #408: dark cannot move, light can."""
    game = Othello()
    state = played(game, REVERSI_AI_6)
    assert not game.terminal(state)
    assert (int(game.to_move(state)), legal(game, state)) == (1, {"b4", "c3", "g3"})
    assert game.discs(state).tolist() == [17, 3]


def test_a_skip_before_the_last_move():
    """Egaroucid #217: light is skipped at ply 60, and then all is over."""
    game = Othello()
    moves = [EGAROUCID_217[i : i + 2] for i in range(0, len(EGAROUCID_217), 2)]
    state = played(game, moves)
    assert (len(moves), int(game.to_move(state)), legal(game, state)) == (59, 0, {"b2"})
    state = game.play(state, jnp.int32(game.parse_action("b2")))
    assert game.terminal(state)
    assert game.discs(state).tolist() == [29, 35]
    assert game.returns(state).tolist() == [-1, 1]


def test_a_draw_is_half_a_point_to_both():
    """alpha-zero-general #61, #263, PR #68: draws that counted as lost for whoever was asked first."""
    table = CrossTable(("a", "b"), 2, np.zeros((2, 2), int), np.array([[0, 2], [2, 0]]))
    assert table.score[0, 1] == table.score[1, 0] == 0.5
    np.testing.assert_allclose(ratings(table), 0, atol=1e-9)


# ---------------------------------------------------------------- backgammon
def plays(own, other, high, low):
    rolled = states([((own, other), high, low)])
    found, number = afterstates(Backgammon(), rolled, LIMIT)
    boards = jax.tree.map(lambda words: words[0, : int(number[0])], found)
    return {position[0] for position in positions(boards)}


WILDBG = side(p6=13, p8=1, p24=1), side(p21=2, p9=2, p7=3, p6=4, p5=4)
NO_BEARING_OFF = side(p5=1, p2=1), side(p1=15)


def test_both_dice_must_be_used_if_they_can():
    """wildbg #29: 8/2 24/22 and not 8/2 alone."""
    assert plays(*WILDBG, 6, 2) == {side(p6=13, p2=1, p22=1)}


def test_checkers_are_borne_off_also_by_the_smaller_die():
    """t_games #194."""
    assert plays(*NO_BEARING_OFF, 4, 2) == {side(p1=1), side(p2=1)}


def test_two_plays_near_the_end():
    """bug-gnubg, January 2004."""
    own, other = sides_of(board_from_id("YEYF4TnO7w4AAA"))
    after = {tuple(np.subtract(own, found)[1:7].tolist()) for found in plays(own, other, 5, 4)}
    assert after == {(0, -1, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)}  # 6/2 5/off and 5/off 4/off


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (side(p1=14), 1),
        (side(p1=15), 2),
        (side(p18=1, p1=14), 2),
        (side(p19=1, p1=14), 3),
        (side(bar=1, p1=14), 3),
        (side(bar=1, p1=13), 1),
    ],
)
def test_gammons_and_backgammons(loser, points):
    """KristianEkman/Backgammon #6, quasoft #13: also on the bar; and never for a side that has borne off a checker."""
    winner = side(p1=1)
    start = jax.tree.map(lambda x: jnp.asarray(x[0]), states([((winner, loser), 6, 5)]))
    over = jax.tree.map(lambda x: jnp.asarray(x[0, 0]), afterstates(GAME, states([((winner, loser), 6, 5)]), LIMIT)[0])
    state = GAME.play(start, over)
    assert GAME.terminal(state)
    np.testing.assert_allclose(GAME.returns(state), [points / 3, -points / 3], atol=1e-6)
    assert oracle.points((side(), loser)) == points


# ---------------------------------------------------------------- rows of stones
LAST_SQUARE = {
    "two seats": (Gomoku(3, 3, 3), [0, 1, 4, 2, 5, 3, 6, 7, 8], 0),
    "three seats": (Gomoku(3, 3, 3, num_seats=3), [1, 5, 0, 2, 6, 4, 3, 7, 8], 2),
    "Pente": (
        Pente(5),
        [12, 22, 6, 15, 23, 20, 1, 5, 21, 2, 17, 16, 14, 13, 4, 11, 8, 19, 18, 3, 0, 9, 7, 10, 24],
        0,
    ),
    "Pente of three": (
        Pente(5, num_seats=3, captures=False),
        [12, 14, 17, 21, 0, 7, 19, 22, 10, 6, 1, 15, 13, 9, 3, 8, 18, 2, 16, 5, 24, 20, 11, 23, 4],
        0,
    ),
}


@pytest.mark.parametrize("name", LAST_SQUARE)
def test_a_win_on_the_last_point_is_a_win(name):
    """muzero-general #37."""
    game, actions, winner = LAST_SQUARE[name]
    state = played(game, actions)
    assert game.terminal(state)
    assert not game.legal(state).any() or game.planes(state).any(0).all()
    assert int(jnp.argmax(game.returns(state))) == winner
    assert float(game.returns(state)[winner]) == 1


def test_a_full_board_without_a_row_is_a_draw():
    """HTML5-Gomoku #2."""
    game, rows = Gomoku(6, 6, 5), "xoxoxo/xoxoxo/xoxoxo/oxoxox/oxoxox/oxoxox".replace("/", "")
    seats = [[point for point, mark in enumerate(rows) if mark == seat] for seat in "xo"]
    state = played(game, [point for pair in zip(*seats, strict=True) for point in pair])
    assert game.terminal(state)
    assert game.returns(state).tolist() == [0, 0]


def lines(rows, columns, length):
    """Every line of the board."""
    for row, column, (down, right) in product(range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        ends = row + (length - 1) * down, column + (length - 1) * right
        if ends[0] < rows and 0 <= ends[1] < columns:
            yield [(row + step * down) * columns + column + step * right for step in range(length)]


def won(game, firsts):
    """Whether seat 0 has won after the stones of `firsts`, the last one in the middle; the others' lie scattered."""
    spread = [row * game.columns + (5 * row) % game.columns for row in range(game.rows)]
    games = []
    for line in firsts:
        own = [*line[: len(line) // 2], *line[len(line) // 2 + 1 :], line[len(line) // 2]]
        others = [point for point in spread if point not in line][: len(own) - 1]
        games.append([point for pair in zip(own, [*others, -1], strict=True) for point in pair][:-1])

    def result(actions):
        return game.returns(jax.lax.fori_loop(0, len(actions), lambda i, s: game.play(s, actions[i]), game.start()))[0]

    return jax.jit(jax.vmap(result))(jnp.array(games, jnp.int32)) == 1


@pytest.mark.parametrize("game", [Gomoku(15, 15), Gomoku(19, 19), Gomoku(7, 12, exact=True)], ids=str)
def test_every_row_counts_also_at_the_edges(game):
    """gomokuer #3: rows that end on the last line were missed."""
    found = won(game, list(lines(game.rows, game.columns, 5)))
    assert len(found) == (game.rows * (game.columns - 4) + game.columns * (game.rows - 4)) + 2 * (game.rows - 4) * (
        game.columns - 4
    )
    assert found.all()


@pytest.mark.parametrize("exact", [False, True])
def test_six_are_not_exactly_five(exact):
    """Gomocup's rule 1."""
    found = won(Gomoku(15, 15, exact=exact), list(lines(15, 15, 6)))
    assert (found != exact).all()


def test_a_seat_of_three_may_choose_who_wins():
    """clauchau.free.fr/society.html: y blocks and all goes on, or makes four, and o decides who wins."""
    game = Gomoku(6, 6, 5, num_seats=3)  # seats 0 y, 1 o, 2 x
    y, o, x = [13, 14, 15, 30], [0, 29, 32, 34], [1, 2, 3, 4]
    state = played(game, [point for turn in zip(y, o, x, strict=True) for point in turn])

    def outcome(*actions):
        after = state
        for action in actions:
            assert not game.terminal(after)
            after = game.play(after, jnp.int32(action))
        return game.returns(after).tolist() if game.terminal(after) else None

    assert outcome(5, 20, 21) is None
    assert outcome(16, 20, 5) == [-0.5, -0.5, 1]  # o lets x win
    assert outcome(16, 5, 17, 12) == [1, -0.5, -0.5]  # o blocks x; y has two ends


# ---------------------------------------------------------------- Atari-Go
def test_a_capture_in_the_corner_wins():
    """Sagebati/goban #15: black takes the white stone at ply 3."""
    game = AtariGo(9)
    for moves in ([1, 0, 9], [9, 0, 1]):
        state = played(game, moves)
        assert game.terminal(state)
        assert game.returns(state).tolist() == [1, -1]


def test_a_stone_without_liberties_that_captures_stays():
    """LeelaWatcher #5, KataGo #554: only the other side's chains are taken."""
    game = AtariGo(5, captures_to_win=3)
    state = played(game, [2, 1, 6, 5, 10, 24, 0])
    assert not game.terminal(state)
    white, black = (set(np.flatnonzero(plane).tolist()) for plane in game.planes(state))
    assert (black, white) == ({0, 2, 6, 10}, {24})


# ---------------------------------------------------------------- protocols and numbers
@pytest.mark.parametrize("line", ["play b", "play", "play b d3 d4"])
def test_commands_without_their_arguments_are_syntax_errors(line):
    game = board_game(Othello())
    engine = Engine(Choice(game, Random(game), "random"))
    number = len(line.split()) - 1
    assert engine.respond(f"7 {line}") == f"?7 syntax error: play has 2 arguments, not {number}\n\n"
    assert engine.respond("undo").startswith("? cannot undo")


def test_products_are_of_full_precision():
    """jax #14157: TF32, the default of some GPUs, gives 6.175251; `devices.set_up` asks for more."""
    a = jnp.array([[1.1111111, 2.2222222], [3.3333333, 4.4444444]], jnp.float32)
    np.testing.assert_allclose(a @ a.T, [[6.1728387, 13.580245], [13.580245, 30.864195]], rtol=2e-7)
    assert jax.config.jax_default_matmul_precision == "highest"


def test_boards_there_and_back_again():
    assert sides_of(board_of(*WILDBG)) == WILDBG
