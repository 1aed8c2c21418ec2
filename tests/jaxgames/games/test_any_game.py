"""A game of numbered actions, written plainly, as a board game."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import pytest
from toys import Nim, TicTacToe

from jaxgames import Backgammon, Gomoku, Othello, Schedule, core, play_games
from jaxgames import bitboard as bb
from jaxgames.games import AnyGame, board_game
from jaxgames.games.othello.tree import OthelloTree
from jaxgames.players import PLAYERS
from jaxgames.render import draw_game, draw_position, game_text
from jaxgames.search.trees import tree_of

GAME = board_game(TicTacToe())
CLEARING = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]  # dark's last move takes all discs of light


def place(game, actions):
    state, play = game.start(), jax.jit(game.play)
    for action in actions:
        state = play(state, jnp.int32(action))
    return state


def points(board, columns):
    return set(jnp.flatnonzero(bb.to_mask(board, columns)).tolist())


# ---------------------------------------------------------------- what the rules leave open
def test_a_complete_game_stays_as_it_is():
    game = Gomoku(3, 3, 3)
    assert board_game(game) is game
    assert board_game(GAME) is GAME
    assert isinstance(GAME, core.StoneGame)
    assert not isinstance(TicTacToe(), core.BoardGame)


def test_a_plain_game_gets_a_board_and_names():
    assert (GAME.title, GAME.rows, GAME.columns, GAME.min_plies) == ("TicTacToe", 3, 3, 1)
    assert [GAME.action_name(action) for action in (0, 4, 8)] == ["A3", "B2", "C1"]
    assert GAME.parse_action("c1") == 8
    with pytest.raises(ValueError, match="'D1' is not a point from A1 to C3"):
        GAME.parse_action("D1")
    with pytest.raises(ValueError, match="TicTacToe has no board of 5 × 5"):
        GAME.resized(5)


@dataclass(frozen=True)
class Shaped(Nim):
    num_actions: int = 3
    rows: int | None = None
    columns: int | None = None


@pytest.mark.parametrize(
    ("rules", "shape"),
    [(Nim(), (1, 3)), (Shaped(9, 31), (1, 31)), (Shaped(9, 36), (6, 6)), (Shaped(9, 40, 5, 8), (5, 8))],
)
def test_shape_of_the_board(rules, shape):
    game = AnyGame(rules)
    assert (game.rows, game.columns) == shape


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Shaped(9, 40), "40 actions, which is no square number .* give the game `rows` and `columns`"),
        (Shaped(9, 40, 5, 7), "not 5 × 7"),
        (Shaped(9, 40, 1, 40), "at most 31 columns, not 1 × 40"),
        (Backgammon(), "Backgammon is not played by numbered actions: it has no num_actions, max_plies, legal"),
    ],
)
def test_a_board_that_is_not_known_is_asked_for(rules, sentence):
    with pytest.raises(ValueError, match=sentence):
        board_game(rules)


def test_planes_are_asked_for_only_where_they_are_needed():
    game = AnyGame(Nim())
    assert game.title == "Nim(sticks=9)"
    with pytest.raises(ValueError, match=r"Nim\(sticks=9\) has no planes\(state\) -> Bool\[2 seats, 3 points\]"):
        draw_position(Nim(), game.start())
    wrong = type("Wrong", (TicTacToe,), {"planes": lambda self, state: jnp.zeros((2, 8), bool)})
    with pytest.raises(ValueError, match=r"not an array of shape \(2, 8\)"):
        draw_position(wrong(), GAME.start())


# ---------------------------------------------------------------- what players ask
def test_tactics_are_those_of_the_same_game_written_for_speed():
    other = Gomoku(3, 3, 3)
    actions = [4, 0, 2, 6, 3, 5, 1, 7, 8]
    for plies in range(len(actions)):
        mine, theirs = (game.tactics(place(game, actions[:plies])) for game in (GAME, other))
        assert [points(board, 3) for board in mine] == [points(board, 3) for board in theirs]


def test_tactics_of_othello():
    game, rules = board_game(Othello()), Othello()
    *before, last = [rules.parse_action(name) for name in CLEARING]
    winning, losing = (points(board, 8) for board in game.tactics(place(rules, before)))
    assert last in winning
    assert losing == set()
    assert points(game.tactics(rules.start())[0], 8) == set()


def test_random_moves_are_those_of_the_rules():
    bits = jnp.arange(1 << 8, dtype=jnp.uint32) << 24
    for game in (Othello(), TicTacToe()):
        mine, theirs = (
            jax.vmap(lambda x, of=of: core.draw_legal(of, of.start(), x))(bits) for of in (board_game(game), game)
        )
        assert mine.tolist() == theirs.tolist()


def test_the_rules_keep_their_quickest_tree():
    assert isinstance(tree_of(board_game(Othello())), OthelloTree)
    assert tree_of(GAME).can_pass


def test_naive_wins_more_often_than_random():
    """The first of two random players wins 58 % of games of Tic-tac-toe."""
    players = tuple(PLAYERS[name](TicTacToe()) for name in ("naive", "random"))
    results = play_games(GAME, players, jnp.array([3], jnp.uint32), Schedule(400, 100), batched=False)
    wins = [(results.winner == player).mean() for player in (0, 1)]
    assert wins[0] > 0.6
    assert wins[1] < 0.3


# ---------------------------------------------------------------- drawn
def test_a_plain_game_is_drawn():
    expected = """\
 3 X1 O2 X3
 2 O4 X5 .
 1 O6 .  X7
   A  B  C
seat 0 wins after 7 plies"""
    assert draw_game(TicTacToe(), [0, 1, 2, 3, 4, 6, 8]).text == expected


def test_othello_is_drawn_from_the_top():
    expected = """\
  1 . . . . . . . .
  2 . . . . . . . .
  3 . . . X . . . .
  4 . . . X X . . .
  5 . . . X O . . .
  6 . . . . . . . .
  7 . . . . . . . .
  8 . . . . . . . .
    a b c d e f g h
seat 1 (O) to move"""
    game = Othello()
    drawing = draw_position(game, place(game, [game.parse_action("d3")]), last=19)
    assert drawing.text.splitlines() == [line.removeprefix(" ") for line in expected.splitlines()]
    assert drawing.svg.count('opacity="0.5"') == 0
    assert drawing.svg.count("M-16 ") == 1 + 9  # the frame of the squares: a line before the first column, and 9 rows


def test_a_skipped_seat_passes_in_the_text():
    game = Othello()
    actions = [game.parse_action(name) for name in ["d3", "c3", "f5", "d2", "d1", "e1", "b2", "c1", "b4"]]
    assert game_text(game, actions) == "1. d3 c3 2. f5 d2 3. d1 e1 4. b2 c1 5. pass b4 unfinished after 9 plies"
    with pytest.raises(ValueError, match="ply 2 cannot be at a1: the rules do not allow it"):
        game_text(game, [actions[0], 0])
