"""Hand-drawn positions and known counts for the plain-Python rule oracles."""

import pytest
from drawings import draw_atari_go, draw_gomoku, points
from oracles import atari_go, gomoku
from oracles.atari_go import AtariGo
from oracles.gomoku import Gomoku

# Atari-Go drawings: + wins for seat 0, - loses for seat 0, every other empty point decides nothing.
ATARI_GO_CASES = {
    "corner capture": "OX.. +... .... ....",
    "edge capture": "XOX. .+.. .... ....",
    "centre capture": ".X.. XO+. .X.. ....",
    "chain of two": ".XX. XOO+ .XX. ....",
    "chain with two liberties is safe": ".XX. XOO. .X.. ....",
    "double capture": ".XX.. XO+OX .XX.. ..... .....",
    "single-point suicide": "-O.. O... .... ....",
    "suicide of a whole chain": "X-O. OO.. .... ....",
    "two stones of suicide in the middle": "-OO.. OX-O. .OO.. ..... .....",
    "a friend with another liberty saves the stone": ".O.. XO.. .... ....",
    "capture instead of suicide": "+OX. OX.. X... ....",
    "rows do not wrap around": "...O O... X... ....",
}


@pytest.mark.parametrize("name", ATARI_GO_CASES)
def test_atari_go_tactics(name):
    drawing = ATARI_GO_CASES[name]
    game = draw_atari_go(drawing)
    assert game.tactics() == (points(drawing, "+"), points(drawing, "-"))
    swapped = draw_atari_go(drawing.translate(str.maketrans("XO", "OX")), to_move=1)
    assert swapped.tactics() == (points(drawing, "+"), points(drawing, "-"))


def test_atari_go_double_capture_takes_both_chains():
    drawing = ".XXX. XO+OX XOXX. .X... ....."
    game = draw_atari_go(drawing)
    assert game.liberties(6) == {7}
    game.play(7)
    assert game.last_captured == points(drawing, "O")
    assert game.captured_counts == [3, 0]
    assert game.winner == 0
    assert game.over
    assert game.legal() == set()


def test_atari_go_suicide_stays_on_the_board():
    game = draw_atari_go(".O. O.. ...")
    game.play(0)
    assert game.winner == 1
    assert game.board[0] == 0
    assert game.last_captured == set()


def test_atari_go_counts_captures_up_to_the_goal():
    game = draw_atari_go("OX..X .X.XO .X.X. .XX.. .....", captures_to_win=2)
    assert game.tactics() == (set(), set())
    game.play(5)
    assert not game.over
    assert game.board[0] is None
    assert game.captured_counts == [1, 0]
    assert game.to_move == 1
    assert game.tactics() == (set(), {0})
    game.play(20)
    assert game.last_captured == set()
    assert game.tactics() == ({14}, set())


def test_atari_go_rejects_illegal_actions():
    game = AtariGo(3)
    game.play(4)
    for action in (4, -1, 9):
        with pytest.raises(ValueError, match=r"must be|illegal"):
            game.play(action)
    with pytest.raises(ValueError, match=r"must be|illegal"):
        AtariGo(2)


def test_atari_go_copy_is_independent():
    game = AtariGo(3)
    other = game.copy()
    other.play(0)
    assert game.legal() == set(range(9))
    assert game.to_move == 0


def test_atari_go_first_counts_by_hand():
    # No game can end in the first two plies. One that ends on ply 3 is X taking a stone in a corner:
    # 4 corners times 2 orders of X's stones. No chain of X can be short of liberties that early.
    perft, endings = atari_go.count_games(AtariGo(3), max_depth=3)
    assert perft == [9, 72, 504]
    assert endings == {(0, 3): 8}


# Gomoku drawings: + wins for seat 0, no other empty point does.
GOMOKU_CASES = [
    ("horizontal", ".+XXXX+ ....... .......", {}),
    ("with a gap", "XX+XX.. ....... .......", {}),
    ("vertical", "..X.. ..X.. ..X.. ..X.. ..+..", {}),
    ("diagonals", "X...X .X.X. ..+.. .X.X. X...X", {}),
    ("blocked", "OXXXX+. ....... .......", {}),
    ("rows do not wrap around", "....XXX XX..... .......", {}),
    ("six is fine", "XXX+XX. ....... .......", {}),
    ("six is too long", "XXX.XX. ....... .......", {"exact": True}),
    ("exact five", "XX+XXO. ....... .......", {"exact": True}),
    ("other end of a six", "+XXXX.X ....... .......", {"exact": True}),
    ("six across, five down", "XXX+XX ...X.. ...X.. ...X.. ...X..", {"exact": True}),
    ("six across, four down", "XXX.XX ...X.. ...X.. ...X.. ......", {"exact": True}),
    ("three directions", "X....X .X..X. ..+... ......", {"in_a_row": 3, "directions": 3}),
    ("three seats", "XX+. OO.. ZZ.. ....", {"in_a_row": 3, "seats": 3}),
    ("four seats", "XX+. OO.. ZZ.. WW..", {"in_a_row": 3, "seats": 4}),
]


@pytest.mark.parametrize(("name", "drawing", "options"), GOMOKU_CASES, ids=[case[0] for case in GOMOKU_CASES])
def test_gomoku_tactics(name, drawing, options):
    game = draw_gomoku(drawing, **options)
    assert game.tactics() == (points(drawing, "+"), set())
    for action in game.legal():
        after = game.copy()
        after.play(action)
        assert after.winner == (0 if action in points(drawing, "+") else None)


def test_gomoku_seats_rotate():
    game = Gomoku(4, 5, in_a_row=4, seats=3)
    for ply, action in enumerate([0, 5, 10, 1, 6, 11, 2, 7, 12, 19]):
        assert game.to_move == ply % 3
        game.play(action)
    assert game.winner is None
    game.play(8)
    assert game.winner == 1
    assert game.over
    assert game.legal() == set()
    with pytest.raises(ValueError, match=r"must be|illegal"):
        game.play(9)


def test_gomoku_full_board_is_a_draw():
    game = draw_gomoku("XOX XOO O.X", in_a_row=3)
    game.play(7)
    assert game.over
    assert game.winner is None
    assert game.legal() == set()


def test_gomoku_last_stone_can_win():
    game = draw_gomoku("XOX OXO OX.", in_a_row=3)
    game.play(8)
    assert game.over
    assert game.winner == 0


def test_tic_tac_toe_has_255168_games():
    # By symmetry the first move is one of 4 corners, one of 4 edges, or the centre.
    first_moves = {0: 4, 1: 4, 4: 1}
    games = {0: 0, 1: 0, None: 0}
    for action, copies in first_moves.items():
        game = Gomoku(3, 3, in_a_row=3)
        game.play(action)
        _, endings = gomoku.count_games(game)
        for (winner, _), count in endings.items():
            games[winner] += copies * count
    assert games == {0: 131184, 1: 77904, None: 46080}
    assert sum(games.values()) == 255168
