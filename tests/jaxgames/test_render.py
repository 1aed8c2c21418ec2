"""Names of points, and drawings that a person has looked at once."""

import re
from xml.etree import ElementTree

import jax.numpy as jnp
import pytest

from jaxgames import AtariGo, Gomoku
from jaxgames.render import Drawing, draw_game, draw_position, game_text

SVG = "{http://www.w3.org/2000/svg}"
TIC_TAC_TOE, FOUR_SEATS = Gomoku(3, 3, 3), Gomoku(3, 5, 3, num_seats=4)
TAKING_TWO = AtariGo(3, captures_to_win=2)
TAKEN_ONCE = [1, 0, 3, 8, 4, 0]  # B3 and A2 take A3, where white plays a suicide later on


def place(game, actions):
    state = game.start()
    for action in actions:
        state = game.play(state, jnp.int32(action))
    return state


def shapes(drawing: Drawing, tag: str):
    """The attributes and the text of all shapes of one kind; fails unless the SVG is well formed."""
    root = ElementTree.fromstring(drawing.svg)
    assert root.tag == f"{SVG}svg"
    return [(shape.attrib, shape.text) for shape in root.iter(SVG + tag)]


@pytest.mark.parametrize(
    ("game", "action", "name"),
    [(AtariGo(9), 0, "A9"), (AtariGo(9), 80, "J1"), (AtariGo(19), 360, "T1"), (Gomoku(4, 7, 4), 8, "B3")],
)
def test_columns_are_letters_without_i_and_rows_count_from_below(game, action, name):
    assert game.action_name(action) == name


@pytest.mark.parametrize("game", [AtariGo(3), Gomoku(4, 7, 4), Gomoku(19, 19)], ids=str)
def test_names_of_points_can_be_read_back(game):
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert [game.parse_action(name) for name in names] == list(range(game.num_actions))
    assert [game.parse_action(name.lower()) for name in names] == list(range(game.num_actions))


@pytest.mark.parametrize("name", ["", "A", "3", "A0", "A10", "K1", "I5", "A-1", "AA1", "A1 ", " A1", "A²", "1A", "A1A"])
def test_what_is_not_a_point_is_named(name):
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        AtariGo(9).parse_action(name)


@pytest.mark.parametrize("action", [-1, 81])
def test_action_off_the_board_has_no_name(action):
    with pytest.raises(ValueError, match=str(action)):
        AtariGo(9).action_name(action)


def test_position_as_text():
    expected = """\
 3 X O #
 2 @ X .
 1 . . .
   A B C
seat 1 (O) to move"""
    game = Gomoku(3, 3, 3, num_seats=4)
    assert str(draw_position(game, place(game, [0, 1, 2, 3, 4]))) == expected


def test_finished_position_tells_the_winner():
    assert draw_position(AtariGo(3), place(AtariGo(3), [1, 0, 3])).text.endswith("\nseat 0 wins")
    assert draw_position(TIC_TAC_TOE, place(TIC_TAC_TOE, [4, 0, 2, 6, 3, 5, 1, 7, 8])).text.endswith("\ndraw")


def test_game_as_text():
    expected = """\
 3 X1 O2 X3
 2 O4 X5 .
 1 O6 .  X7
   A  B  C
seat 0 wins after 7 plies"""
    assert draw_game(TIC_TAC_TOE, [0, 1, 2, 3, 4, 6, 8]).text == expected


def test_captured_stones_are_listed():
    expected = """\
 3 O6 X1 .
 2 X3 X5 .
 1 .  .  O4
   A  B  C
seat 0 wins after 6 plies
captured: 2 at A3"""
    assert draw_game(TAKING_TWO, TAKEN_ONCE).text == expected


def test_captured_stone_is_pale_until_its_point_is_taken_again():
    def pale(actions):
        return sum("opacity" in attributes for attributes, _ in shapes(draw_game(TAKING_TWO, actions), "circle"))

    assert [pale(TAKEN_ONCE[:plies]) for plies in (2, 3, 5, 6)] == [0, 1, 1, 0]


def test_game_in_one_line():
    assert game_text(TIC_TAC_TOE, [0, 1, 2, 3, 4]) == "1. A3 B3 2. C3 A2 3. B2 unfinished after 5 plies"
    assert game_text(FOUR_SEATS, [0, 5, 10, 14, 1]) == "1. A3 A2 A1 E1 2. B3 unfinished after 5 plies"
    assert game_text(AtariGo(3), [1, 0, 3, -1, -1]) == "1. B3 A3 2. A2 seat 0 wins after 3 plies"
    assert game_text(AtariGo(3), []) == "unfinished after 0 plies"


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        ([1, 0, 3, 5], "ply 4 cannot be at C2: the game is over"),
        ([1, 1], "ply 2 cannot be at B3: there is a stone"),
        ([9], "9"),
        ([0, -1, 3], "-1"),
    ],
)
def test_illegal_game_is_refused(actions, fault):
    with pytest.raises(ValueError, match=fault):
        game_text(AtariGo(3), actions)


def test_svg_shows_every_stone_in_the_colour_of_its_seat():
    drawing = draw_game(FOUR_SEATS, [0, 5, 10, 14, 1])
    stones = [attributes for attributes, _ in shapes(drawing, "circle") if attributes["fill"] != "none"]
    assert len({stone["fill"] for stone in stones}) == 4
    assert len({(stone["cx"], stone["cy"]) for stone in stones}) == 5
    written = [text for _, text in shapes(drawing, "text")]
    assert written[:8] == ["A", "B", "C", "D", "E", "3", "2", "1"]
    assert written[-1] == "unfinished after 5 plies"
    assert set("12345") <= set(written[8:])
    assert drawing._repr_svg_() == drawing.svg


def test_svg_marks_the_last_move():
    def rings(last):
        drawing = draw_position(TIC_TAC_TOE, place(TIC_TAC_TOE, [0, 4]), last)
        return [(a["cx"], a["cy"]) for a, _ in shapes(drawing, "circle") if a["fill"] == "none"]

    assert rings(None) == []
    assert rings(4) == [("32", "32")]


def test_svg_has_room_for_everything():
    for game in (AtariGo(3), Gomoku(2, 19, 5), AtariGo(19)):
        drawing = draw_position(game, game.start())
        left, top, width, height = map(float, ElementTree.fromstring(drawing.svg).attrib["viewBox"].split())
        for attributes, text in shapes(drawing, "text"):
            x, y = float(attributes["x"]), float(attributes["y"])
            half = len(text) * float(attributes["font-size"]) / 4
            assert left <= x - half
            assert x + half <= left + width
            assert top <= y - 8
            assert y + 8 <= top + height
