"""Hand-drawn positions of Pente, the same for the plain-Python oracle and for jaxgames.

X, O, Z and W are the seat to move and those after it; * is the move of X, small letters are the stones it captures.
"""

from functools import partial
from typing import NamedTuple

import jax
import numpy as np
import pytest
from oracles import pente as oracle

from jaxgames import bitboard as bb
from jaxgames.games.pente.rules import Pente, PenteState

MARKS = "XOZW"


# ---------------------------------------------------------------- what is tested
class Fast:
    """`jaxgames.Pente`, with the attributes and functions of the oracle."""

    def __init__(self, size=19, seats=2, **options):
        self.game, self.size, self.seats = Pente(size, seats, **options), size, seats
        self.board, self.captured_counts, self.plies = [None] * size**2, [0] * seats, 0

    to_move = property(lambda self: self.plies % self.seats)
    over = property(lambda self: bool(self._seen.over))

    @property
    def winner(self):
        returns = self._seen.returns
        return int(returns.argmax()) if returns.any() else None

    def legal(self):
        return set(np.flatnonzero(self._seen.legal).tolist())

    def tactics(self):
        return tuple(set(np.flatnonzero(mask).tolist()) for mask in jax.device_get(tactics(self.game, self._state)))

    def play(self, action):
        after, planes = jax.device_get(play(self.game, self._state, action))
        self.plies = int(after.plies)
        owner = np.full(self.size**2, None)
        for seat, captured, plane in zip(self._order, after.captured, planes, strict=True):
            self.captured_counts[seat] = int(captured)
            owner[plane] = seat
        self.board = owner.tolist()

    @property
    def _order(self):
        return [(self.plies + i) % self.seats for i in range(self.seats)]

    @property
    def _state(self):
        owners = np.array([-1 if stone is None else stone for stone in self.board]).reshape(self.size, self.size)
        words = [((owners == seat) << np.arange(self.size)).sum(1).astype(np.uint32) for seat in self._order]
        captured = [np.int32(self.captured_counts[seat]) for seat in self._order]
        return PenteState(tuple(map(tuple, words)), tuple(captured), np.int32(self.plies))

    @property
    def _seen(self):
        return jax.device_get(look(self.game, self._state))


class Seen(NamedTuple):
    legal: np.ndarray
    over: np.ndarray
    returns: np.ndarray


QUICKLY = {"xla_backend_optimization_level": 0}  # to compile; each program runs a few times


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def play(game, state, action):
    after = game.play(state, action)
    return after, game.planes(after)


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def look(game, state):
    return Seen(game.legal(state), game.terminal(state), game.returns(state))


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def tactics(game, state):
    return tuple(bb.to_mask(board, game.columns) for board in game.tactics(state))


@pytest.fixture(params=[oracle.Pente, Fast], ids=["oracle", "jaxgames"])
def pente(request):
    return request.param


# ---------------------------------------------------------------- one move
class Case(NamedTuple):
    name: str
    drawing: str  # rows from the top, without empty points at the end of rows or board
    end: str = "goes on"  # or "wins", "draw"
    captured: tuple = ()  # stones that each seat has captured before, the seat to move first
    options: dict = {}  # noqa: RUF012


KERYO, PLAIN = {"keryo": True}, {"captures": False}
THREE, FOUR = {"seats": 3}, {"seats": 4}
SMALL = {"size": 5}  # otherwise 7
CASES = [
    Case("a pair", ".*ooX.."),
    Case("a pair at the edge", "*ooX"),
    Case("one stone is no pair", ".*OX"),
    Case("three are no pair", ".*OOOX"),
    Case("four are no pair", ".*OOOOX"),
    Case("a pair with a gap", ".*O.OX"),
    Case("a pair and a gap before the bracket", ".*OO.X"),
    Case("nothing beyond the pair", ".*OO"),
    Case("the edge beyond the pair", "....*OO"),
    Case("up and down", "...X... ...o... ...o... ...*... ...o... ...o... ...X..."),
    Case("eight pairs", "X..X..X .o.o.o. ..ooo.. Xoo*ooX ..ooo.. .o.o.o. X..X..X", "wins"),
    Case("two pairs", "*ooX o...... o...... X......"),
    Case("two pairs in one line", "Xoo*ooX"),
    Case("a pair beside three in a row", "*ooX O...... O...... O...... X......"),
    Case("into a bracket", ".OX*O.."),
    Case("into a bracket from outside", ".O*XO.."),
    Case("into a bracket and a pair", ".OX*ooX"),
    # index arithmetic must not carry a line over the edge of the board
    Case("pair beyond the right edge", ".....*O OX....."),
    Case("bracket beyond the right edge", "....*OO X......"),
    Case("bracket beyond the left edge", "......X OO*...."),
    Case("falling diagonal beyond the edge", ".....*. ......O ....... O...... .X....."),
    Case("rising diagonal beyond the edge", ".*..... O.....O .....X."),
    Case("beyond the bottom", "..O.... ..X.... ....... ....... ....... ..*.... ..O...."),
    Case("five beyond the edge", "...XXX* X......"),
    Case("diagonal five beyond the edge", "....... .....X. ......* ....... X...... .X..... ..X...."),
    # five in a row
    Case("five", ".XX*XX.", "wins"),
    Case("five at the edge", "XXXX*..", "wins"),
    Case("five down", "..X.... ..X.... ..X.... ..X.... ..*....", "wins"),
    Case("five on a diagonal", ".X..... ..X.... ...X... ....*.. .....X.", "wins"),
    Case("six", "XXX*XX.", "wins"),
    Case("seven", "XXX*XXX", "wins"),
    Case("four", ".X*XX.X"),
    Case("five with an opponent in it", ".XX*OXX"),
    Case("five in a board without captures", ".XX*XX.", "wins", options=PLAIN),
    # captured stones
    Case("fourth pair", ".*ooX", captured=(6, 8)),
    Case("fifth pair", ".*ooX", "wins", captured=(8, 8)),
    Case("fourth and fifth pair", "Xoo*ooX", "wins", captured=(6, 0)),
    Case("fifth and sixth pair", "Xoo*ooX", "wins", captured=(8, 0)),
    Case("others' pairs do not count", ".*.OOX", captured=(0, 8)),
    Case("five and fifth pair", "X...... .X..... ..X.... Xoo*... ....X..", "wins", captured=(8, 0)),
    Case("five and first pair", "X...... .X..... ..X.... Xoo*... ....X..", "wins"),
    Case("no captures", ".*OOX", options=PLAIN),
    # Keryo-Pente
    Case("three in Keryo-Pente", ".*oooX", options=KERYO),
    Case("two in Keryo-Pente", ".*ooX", options=KERYO),
    Case("two and three in Keryo-Pente", ".*oooX. .o..... .o..... .X.....", options=KERYO),
    Case("one in Keryo-Pente", ".*OX", options=KERYO),
    Case("four in Keryo-Pente", ".*OOOOX", options=KERYO),
    Case("ten stones in Keryo-Pente", ".*ooX", captured=(8, 0), options=KERYO),
    Case("fourteen stones in Keryo-Pente", ".*ooX", captured=(12, 0), options=KERYO),
    Case("fifteen stones in Keryo-Pente", ".*oooX", "wins", captured=(12, 0), options=KERYO),
    # three and four seats
    Case("a pair of the next seat", ".*ooX", options=THREE),
    Case("a pair of the seat after that", ".*zzX", options=THREE),
    Case("a pair of two colours", ".*OZX", options=THREE),
    Case("a pair of two colours, the other way", ".*ZOX", options=THREE),
    Case("three of two colours", ".*OOZX", options=THREE),
    Case("a bracket of a third seat", ".*OOZ", options=THREE),
    Case("pairs of two opponents", "Xzz*ooX", captured=(0, 8, 8), options=THREE),
    Case("pairs of two opponents win", "Xzz*ooX", "wins", captured=(6, 0, 0), options=THREE),
    Case("fifth pair of any opponent", ".*zzX", "wins", captured=(8, 0, 0), options=THREE),
    Case("pairs of three opponents", "X...... .o..... ..o.... Xzz*wwX", "wins", captured=(4, 8, 8, 8), options=FOUR),
    Case("five of four seats", ".XX*XX. OO.ZZ.. WWW....", "wins", options=FOUR),
    # a full board of 5 × 5
    Case("full board", "XOXOX XOXOO OXOXO OXOXO XOXO*", "draw", options=SMALL),
    Case("five on a full board", "XOXOX XOXOX OXOXX OXOXX XOXO*", "wins", options=SMALL),
    Case("a capture makes room on a full board", "XOXOX XOXOX OXOXo OXOXo XOXO*", options=SMALL),
    Case("full board without captures", "XOXOX XOXOX OXOXO OXOXO XOXO*", "draw", options=SMALL | PLAIN),
    Case("one point left", "XOXO. XOXOO OXOXO OXOXO XOXO*", options=SMALL),
]


def grid(case):
    """The drawing as one character per point."""
    size = {"size": 7, **case.options}["size"]
    rows = [f"{row:.<{size}}" for row in case.drawing.split()]
    return np.array([list(row) for row in rows + ["." * size] * (size - len(rows))])


def images(points):
    """A board as it looks from its eight sides."""
    return [np.rot90(side, quarter) for side in (points, points.T) for quarter in range(4)]


def check_move(pente, case, points, mover):
    """Sets a drawing up with `mover` to move, plays and compares all there is to see."""
    game = pente(**{"size": 7, **case.options})
    seats = [(mover + i) % game.seats for i in range(game.seats)]
    of_mark = dict(zip(MARKS, seats, strict=False))
    game.plies = 8 * game.seats + mover
    before = dict(zip(seats, case.captured or (0,) * game.seats, strict=True))
    game.captured_counts = [before[seat] for seat in range(game.seats)]
    game.board = [of_mark.get(mark.upper()) for mark in points.ravel()]
    after = [of_mark["X"] if mark == "*" else of_mark.get(mark) for mark in points.ravel()]
    move = points.ravel().tolist().index("*")
    assert not game.over
    assert game.legal() == {point for point, stone in enumerate(game.board) if stone is None}
    winning, losing = game.tactics()
    assert (move in winning, losing) == (case.end == "wins", set())

    game.play(move)
    assert game.board == after
    before[mover] += sum(mark.islower() for mark in points.ravel())
    assert game.captured_counts == [before[seat] for seat in range(game.seats)]
    assert game.to_move == (mover + 1) % game.seats
    assert game.winner == (mover if case.end == "wins" else None)
    assert game.over == (case.end != "goes on")
    assert game.legal() == (set() if game.over else {p for p, stone in enumerate(after) if stone is None})


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_move_does_what_is_drawn(pente, case):
    for mover in range(case.options.get("seats", 2)):
        check_move(pente, case, grid(case), mover)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_move_does_the_same_from_all_sides(pente, case):
    for points in images(grid(case)):
        check_move(pente, case, points, mover=0)


# ---------------------------------------------------------------- several moves
def play_all(game, moves):
    """Plays points such as d4, named by column and row from the bottom."""
    for move in moves.split():
        game.play(action(game, move))


def action(game, name):
    return (game.size - int(name[1:])) * game.size + "abcdefgh".index(name[0])


def test_captured_points_are_played_and_captured_again(pente):
    game = pente(7)
    play_all(game, "d4 e4 e3 f4 g4")
    assert game.captured_counts == [2, 0]
    assert {action(game, "e4"), action(game, "f4")} <= game.legal()
    play_all(game, "e4 a1 f4 b1")  # back into the bracket, which is safe
    assert [game.board[action(game, name)] for name in ("e4", "f4")] == [1, 1]
    play_all(game, "e5 e6")
    assert [game.board[action(game, name)] for name in ("e4", "e5", "f4")] == [None, None, 1]
    assert game.captured_counts == [4, 0]


@pytest.mark.parametrize(("size", "seats"), [(6, 2), (7, 2), (7, 3), (7, 4)])
@pytest.mark.parametrize(("rule", "nearest"), [("none", 0), ("3x3", 2), ("5x5", 3)])
def test_tournament_rule_concerns_the_second_stone_of_seat_0_only(pente, size, seats, rule, nearest):
    game = pente(size, seats, tournament_rule=rule)
    empty, middle = set(range(size**2)), size // 2
    centre, *others = [middle * size + middle, *range(seats)]
    assert game.legal() == {centre}
    far = {p for p in empty if max(abs(p // size - middle), abs(p % size - middle)) >= nearest}
    for ply, point in enumerate([centre, *others]):
        assert game.to_move == ply % seats
        if ply > 0:
            assert game.legal() == (empty & far if ply == seats else empty)
        game.play(point)
        empty.remove(point)
    assert game.legal() == empty


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 4}, "size"),
        ({"size": 20}, "size"),
        ({"seats": 1}, "seats"),
        ({"seats": 5}, "seats"),
        ({"tournament_rule": "7x7"}, "tournament_rule"),
        ({"size": 5, "tournament_rule": "5x5"}, "5"),
        ({"captures": False, "keryo": True}, "captures"),
    ],
)
def test_impossible_rules_are_refused(pente, options, message):
    with pytest.raises(ValueError, match=message):
        pente(**options)


def test_oracle_refuses_illegal_moves_and_copies_are_independent():
    game = oracle.Pente(5)
    with pytest.raises(ValueError, match="illegal"):
        game.play(0)
    other = game.copy()
    other.play(12)
    assert (game.plies, game.board[12], game.legal()) == (0, None, {12})
    with pytest.raises(ValueError, match="illegal"):
        other.play(12)
