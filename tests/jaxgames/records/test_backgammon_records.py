"""Position IDs and board lines of backgammon: known ones, there and back again, and every error by its words."""

import base64
from dataclasses import replace

import pytest
from backgammon_positions import FEW, side
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import backgammon as oracle

from jaxgames.games.backgammon.board import board_of, sides_of
from jaxgames.records import RecordError
from jaxgames.records.backgammon import fibs_board
from jaxgames.records.backgammon.fibs_board import FibsBoard
from jaxgames.records.backgammon.position_id import board_from_id, position_id

START_ID = "4HPwATDgc/ABMA"
AFTER_3_1 = "sGfwATDgc/ABMA"  # 8/5 6/5 has been played, and the other side is on roll
LINE = (  # the example in the server's help
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
PLAYED = tuple({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}.get(point, 0) for point in range(26))


def found(text):
    return sides_of(board_from_id(text))


# ---------------------------------------------------------------- position IDs
def test_known_position_ids():
    assert found(START_ID) == (oracle.START, oracle.START)
    assert found(AFTER_3_1) == (oracle.START, PLAYED)
    assert position_id(board_of(oracle.START, PLAYED)) == AFTER_3_1
    assert position_id(board_of(oracle.START, oracle.START)) == START_ID


def test_position_ids_there_and_back_again():
    for position, _, _ in oracle.positions(0, FEW)[:60]:
        assert found(position_id(board_of(*position))) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4HPwATDgc/ABM", "has 14 characters, and '4HPwATDgc/ABM' has 13"),
        ("4HPwATDgc/AB!A", "is not base64"),
        ("//////////////", "does not tell of all points"),
        ("AAAAAAAAAAAAAQ", "bits behind the last checker"),
        ("4HPwATDgc/ABMB", "bits behind the last checker"),
        ("//8AAAAAAAAAAA", "a side has 15 checkers"),
        ("AQAAAAAAAgAAAA", "both sides have checkers on point"),
    ],
)
def test_wrong_position_ids_are_refused(text, words):
    with pytest.raises(RecordError, match=words):
        board_from_id(text)


@given(st.binary(min_size=10, max_size=10))
@settings(max_examples=200, deadline=None)
def test_any_ten_bytes_are_a_board_or_an_error(content):

    text = base64.b64encode(content).decode().rstrip("=")
    try:
        board = board_from_id(text)
    except RecordError:
        return
    assert position_id(board) == text


# ---------------------------------------------------------------- board lines
def test_the_example_of_the_server():
    board = fibs_board.parse(LINE)
    assert (board.player, board.opponent, board.length) == ("You", "someplayer", 3)
    assert (board.own, board.other) == (oracle.START, oracle.START)
    assert (board.turn, board.dice, board.sign, board.can_move) == (1, (6, 2), 1, 2)
    assert fibs_board.line(board) == LINE
    state = board.state()
    assert sides_of(state.board) == (oracle.START, oracle.START)
    assert (int(state.seat), int(state.high), int(state.low)) == (0, 6, 2)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("direction", [-1, 1])
def test_board_lines_there_and_back_again(sign, direction):
    for position, high, low in oracle.positions(0, FEW)[:20]:
        for turn, seat in ((sign, 0), (-sign, 1)):
            dice = {"dice" if seat == 0 else "their_dice": (low, high)}
            board = FibsBoard(*position, turn=turn, sign=sign, direction=direction, **dice)
            read = fibs_board.parse(fibs_board.line(board))
            assert read == board
            expected = position if seat == 0 else oracle.turned(position)
            state = read.state()
            assert sides_of(state.board) == expected
            assert (int(state.seat), int(state.high), int(state.low)) == (seat, high, low)


def test_signs_and_directions_of_a_line():
    """A player whose checkers are negative and go up: its 24-point is number 1, its bar number 0."""
    board = FibsBoard(side(bar=2, p24=1, p6=3), side(p6=5), sign=-1, direction=1)
    checkers = [int(field) for field in fibs_board.line(board).split(":")[6:32]]
    assert {number: count for number, count in enumerate(checkers) if count} == {0: -2, 1: -1, 19: -3, 6: 5}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rawboard:1", "begins with 'board:' and has 53 fields, not 'rawboard', 2"),
        (LINE + ":0", "has 53 fields, not 'board', 54"),
        (LINE.replace(":-2:", ":two:"), "field 8 of a board line is a number, not 'two'"),
        (LINE.replace(":-2:", ":-3:"), "a side has 15 checkers, not 16 on the board and 0 off"),
        (LINE.replace(":1:-1:0:25:", ":2:-1:0:25:"), "colour and direction must be 1 or -1"),
        (LINE.replace(":6:2:", ":7:2:"), "a die shows 1 to 6"),
        (LINE.replace("3:0:0:0:-2", "3:0:0:1:-2"), "there are 1 checkers on the other side's bar"),
        (LINE.replace(":5:0:3:", ":5:0:\u0663:"), "is a number, not"),
        (LINE.replace(":5:0:3:", ":5:0:0_3:"), "is a number, not"),
        (LINE.replace(":0:0:0:0:2:0:0:0", ":0:0:1:0:2:0:0:0"), "there are 0 checkers on the bar, and the line says 1"),
    ],
)
def test_wrong_board_lines_are_refused(line, words):
    with pytest.raises(RecordError, match=words):
        fibs_board.parse(line)


def test_a_finished_game_has_no_turn():
    with pytest.raises(RecordError, match="nobody's turn"):
        replace(fibs_board.parse(LINE), turn=0).state()
    with pytest.raises(RecordError, match="no colon"):
        FibsBoard(oracle.START, oracle.START, player="a:b")
