"""Hand-drawn positions of Othello, played by the plain oracle and by jaxgames.

X is the seat to move, O the other; * is the move of X, small o are the discs that it turns over.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import othello as oracle
from squares import squares, words

from jaxgames import Othello
from jaxgames import bitboard as bb
from jaxgames.games.othello.rules import FIRST_MOVES, OthelloState
from jaxgames.games.othello.squares import flips, moves, square_name

GAME = Othello()
QUICKLY = {"xla_backend_optimization_level": 0}
few = settings(max_examples=60, deadline=None)

FLIPS = {
    "all eight directions": """
        X . . X . . X .
        . o . o . o . .
        . . o o o . . .
        X o o * o o o X
        . . o o o . . .
        . o . o . o . .
        X . . o . . X .
        . . . X . . . .
    """,
    "six discs from a corner": """
        * o o o o o o X
        o o . . . . . .
        o . o . . . . .
        o . . o . . . .
        o . . . o . . .
        o . . . . o . .
        o . . . . . o .
        X . . . . . . X
    """,
    "six discs to the other corner": """
        X . . . . . . X
        . o . . . . . o
        . . o . . . . o
        . . . o . . . o
        . . . . o . . o
        . . . . . o . o
        . . . . . . o o
        X o o o o o o *
    """,
    "six discs up the other diagonal": """
        . . . . . . . X
        . . . . . . o .
        . . . . . o . .
        . . . . o . . .
        . . . o . . . .
        . . o . . . . .
        . o . . . . . .
        * . . . . . . .
    """,
    "up and down across the halves": """
        . . . . . . . .
        . . . X . . X .
        . X . o . o . .
        . . o o o . . .
        . . . * . . . .
        . . . o X . . .
        . . . o . . . .
        . . . X . . . .
    """,
    "rows do not wrap around": """
        . . . . . . O X
        X o o o o o * O
        X O . . . . . .
        . . . . . . . .
        . . . . . . O X
        X O . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
    "diagonals do not wrap around on the right": """
        . . . . . . . .
        X . . . . . . O
        . . . . . . * .
        . . . . . . o O
        . . . . . . X .
        X . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
    "diagonals do not wrap around on the left": """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . X
        . . . . . . . .
        O . . . . . . .
        . * o X . . . .
        O . . . . . . X
        . . . . . . . .
    """,
    "columns end at the edge": """
        . O . . . O . .
        . O . . O . . .
        O O . O . . . .
        O * o o X . . .
        O O O . . . . .
        . O . O . . . .
        . O . . O . . .
        . O . . . O . .
    """,
    "a gap protects what is behind it": """
        . . . . . . . .
        . . . . . . . .
        . * O . O X . .
        . o . O . . . .
        . X . . . . . .
        . O . . . X . .
        . X . . . . . .
        . . . . . . . .
    """,
}

ENDS = {  # the returns after a move that ends the game
    "all discs lost": (
        1,
        """
        X o * . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
    ),
    "neither can move": (
        1,
        """
        X o * . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        O X X X X X X X
    """,
    ),
    "the last to move loses": (
        -1,
        """
        X o * . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . O O . .
        . . . . O O . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
    ),
    "as many discs for both": (
        0,
        """
        X o * . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . O O . .
        . . . . . O . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
    ),
    "full board": (
        1,
        """
        X o o o o o o *
        O O O O O O o o
        X X X X X X X o
        X X X X X X X X
        X X X X X X X X
        X X X X X X X X
        X X X X X X X X
        X X X X X X X X
    """,
    ),
}


@partial(jax.jit, compiler_options=QUICKLY)
def play_once(own, other, action):
    """The moves, the discs that this one turns over, and the position after it."""
    can, turned = moves(own, other), flips(own, other, bb.one_hot(action, 2, 32))
    after = GAME.play(OthelloState(own, other, can, jnp.int32(0)), action)
    return can, turned, after, GAME.terminal(after), GAME.returns(after), GAME.discs(after)


def drawn(drawing, marks):
    return {i for i, mark in enumerate(drawing.split()) if mark in marks}


def position(own, other):
    """The oracle's game with these discs, dark to move."""
    game = oracle.Othello()
    game.board = {divmod(square, 8): seat for seat, side in enumerate((own, other)) for square in side}
    return game


def play_drawn(drawing):
    """Plays the drawn move by both programs, which must agree, and returns ours."""
    own, other, (action,) = drawn(drawing, "X"), drawn(drawing, "Oo"), drawn(drawing, "*")
    can, turned, after, *outcome = jax.device_get(play_once(words(own), words(other), np.int32(action)))
    game = position(own, other)
    assert squares(can) == game.moves(0)
    assert squares(turned) == {8 * row + column for row, column in game.turned(0, action)}
    game.play(action)
    assert (squares(after.own), squares(after.other)) == (game.squares(game.to_move), game.squares(1 - game.to_move))
    assert squares(after.moves) == game.legal()
    assert after.seat == game.to_move
    return turned, after, *outcome


@pytest.mark.parametrize("name", FLIPS)
def test_enclosed_discs_are_turned_over(name):
    turned, after, *_ = play_drawn(FLIPS[name])
    assert squares(turned) == drawn(FLIPS[name], "o")
    mover = after.own if after.seat == 0 else after.other
    assert squares(mover) == drawn(FLIPS[name], "Xo*")


@pytest.mark.parametrize("name", ENDS)
def test_game_ends_when_neither_seat_can_move(name):
    expected, drawing = ENDS[name]
    _, after, over, returns, discs = play_drawn(drawing)
    assert over
    assert returns.tolist() == [expected, -expected]
    assert discs.tolist() == [len(drawn(drawing, "Xo*")), len(drawn(drawing, "O"))]
    assert not squares(after.moves)


def test_seat_that_cannot_move_is_skipped():
    drawing = "X o * . . . . ." + " . . . . . . . ." * 6 + " . O X X X X X X"
    _, after, over, returns, discs = play_drawn(drawing)
    assert (after.seat, squares(after.own), squares(after.moves)) == (0, drawn(drawing, "Xo*"), {56})
    assert not over
    assert returns.tolist() == [0, 0]
    assert discs.tolist() == [9, 1]


SIDES = st.lists(st.sampled_from(".XO"), min_size=64, max_size=64)


@few
@given(SIDES, st.integers(0, 63))
def test_any_position_is_played_as_by_the_oracle(marks, square):
    own, other = drawn(" ".join(marks), "X"), drawn(" ".join(marks), "O")
    game = position(own, other)
    action = min(game.moves(0), key=lambda move: abs(move - square), default=square)
    can, turned, after, over, *_ = jax.device_get(play_once(words(own), words(other), np.int32(action)))
    assert squares(can) == game.moves(0)
    if not game.moves(0):
        return
    assert squares(turned) == {8 * row + column for row, column in game.turned(0, action)}
    game.play(action)
    assert (int(after.seat), bool(over)) == (game.to_move, game.over)
    assert (squares(after.own), squares(after.other)) == (game.squares(game.to_move), game.squares(1 - game.to_move))
    assert squares(after.moves) == game.legal()


# ---------------------------------------------------------------- the start and names
def test_start_is_as_by_the_oracle():
    start, game = GAME.start(), oracle.Othello()
    assert (squares(start.own), squares(start.other)) == (game.squares(0), game.squares(1))
    assert squares(start.moves) == game.legal() == set(FIRST_MOVES)
    assert [square_name(action) for action in FIRST_MOVES] == ["d3", "c4", "f5", "e6"]


def test_names_of_squares_count_from_the_top():
    assert [square_name(action) for action in (0, 7, 8, 63)] == ["a1", "h1", "a2", "h8"]
    with pytest.raises(ValueError, match="action 64 is not one of the 64 squares"):
        square_name(64)
