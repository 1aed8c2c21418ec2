"""The hand-coded players of Pente against plain Python: every move of whole games, and hand-drawn positions.

Drawings: X, O and Z are the seat to move and those after it, + are the permitted moves, none if X may play anywhere.
A is the stone of X on which its line is anchored; a is an anchor without a stone, o one with a stone of O.
"""

from collections import Counter
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import pente
from oracles import pente_players as oracle

from jaxgames import Schedule, play_games
from jaxgames import bitboard as bb
from jaxgames.core import Game, Leaf
from jaxgames.games.pente.rules import Pente, PenteState
from jaxgames.players import Better, Blocker, Capturer, Random, Simple
from jaxgames.players.line_builder import Line
from jaxgames.randomness import mix

PLAYERS = [Random, Blocker, Capturer, Simple, Better]
RANDOM, BLOCKER, CAPTURER, SIMPLE, BETTER = range(len(PLAYERS))
ORACLES = [getattr(oracle, name) for name in ("anywhere", "blocker", "capturer", "simple", "better")]
QUICKLY = {"xla_backend_optimization_level": 0}  # to compile; each program runs a few times


# A game and how many games each line-up plays.
COMPARED = [
    (Pente(5, 3), 3),
    (Pente(7, tournament_rule="3x3"), 10),
]
COMPARED_THOROUGHLY = [
    *((game, 10 * games) for game, games in COMPARED),
    (Pente(7, 3), 20),
    (Pente(9), 80),
    (Pente(5), 100),
    (Pente(6, 4), 2),
    (Pente(7, tournament_rule="5x5", keryo=True), 40),
    (Pente(19), 10),
]


# ---------------------------------------------------------------- every move of whole games
@flax.struct.dataclass
class AnyOf:
    """Plays as one of PLAYERS at each seat, so that one program plays all line-ups."""

    game: Game = flax.struct.field(pytree_node=False)
    lineup: Leaf  # Int[seats], in PLAYERS

    @property
    def players(self):
        return [player(self.game) for player in PLAYERS]

    def reset(self, word, seat):
        return tuple(player.reset(word, seat) for player in self.players)

    def watch(self, seat, state, memory):
        return tuple(player.watch(seat, state, own) for player, own in zip(self.players, memory, strict=True))

    def act(self, word, seat, state, memory):
        choices = [player.act(word, seat, state, own) for player, own in zip(self.players, memory, strict=True)]
        actions, memories = zip(*choices, strict=True)
        return jnp.stack(actions)[self.lineup[seat]], memories


def play_lineups(game, games):
    """Every line-up of players and the moves of its games."""
    lineups = jnp.array(list(product(range(len(PLAYERS)), repeat=game.num_seats)))
    schedule = Schedule(games=games, lanes=games, record_moves=True)

    @partial(jax.jit, compiler_options=QUICKLY)
    def play(lineups, streams):
        return play_games(game, [AnyOf(game, lineups)] * game.num_seats, streams, schedule).moves

    moves = play(lineups, jnp.arange(len(lineups), dtype=jnp.uint32))
    return zip(lineups.tolist(), np.asarray(moves).tolist(), strict=True)


def follow(game, lineup, moves, tally):
    """One game: fails at the first move that the oracle does not permit, and counts what was seen."""
    position = pente.Pente(game.size, game.num_seats, game.captures, game.keryo, game.tournament_rule)
    memory = [None] * game.num_seats
    for ply, move in enumerate(moves):
        seat, line = position.to_move, memory[position.to_move]
        player, playable = lineup[seat], position.legal()
        permitted = ORACLES[player](position, line)
        assert move in permitted, f"{PLAYERS[player]} at ply {ply} of {moves} in {game}: not in {sorted(permitted)}"
        memory[seat] = permitted[move]
        tally["moves"] += 1
        tally[player, "has a preference"] += len(permitted) < len(playable)
        if line is not None:
            tally[player, "lost its anchor"] += position.board[line[0]] != seat
            tally[player, "turned"] += memory[seat][0] == line[0] and memory[seat] != line
            tally[player, "was boxed in"] += memory[seat][0] != line[0] and position.board[line[0]] == seat
        position.play(move)
    assert position.over, f"{game} is not over after {moves}"
    tally["games"] += 1


def compare(game, games):
    """So many games of every line-up."""
    tally = Counter()
    for lineup, played in play_lineups(game, games):
        for moves in played:
            follow(game, lineup, [move for move in moves if move >= 0], tally)
    return tally


@pytest.mark.parametrize(("game", "games"), COMPARED, ids=str)
def test_every_move_is_one_that_the_oracle_permits(game, games):
    tally = compare(game, games)
    assert tally["games"] == games * len(PLAYERS) ** game.num_seats
    assert all(tally[player, "has a preference"] for player in (BLOCKER, CAPTURER, SIMPLE, BETTER))
    events = "lost its anchor", "turned", "was boxed in"
    assert all(tally[player, event] for player in (SIMPLE, BETTER) for event in events)


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "games"), COMPARED_THOROUGHLY, ids=str)
def test_every_move_of_many_games_is_one_that_the_oracle_permits(game, games):
    compare(game, games)


# ---------------------------------------------------------------- hand-drawn positions
class Case(NamedTuple):
    name: str
    player: int
    drawing: str  # rows from the top, without empty points at the end of rows or board; anywhere if there is no +
    before: int = 0  # direction of the line
    after: int = 0  # the same when the line has grown
    seats: int = 2


SIZE = 7
OWNERS = {"X": 0, "A": 0, "O": 1, "o": 1, "Z": 2}
THREE = {"seats": 3}
CASES = [
    Case("anywhere", RANDOM, "XXXX.OO"),
    Case("four before three", BLOCKER, "+OOOO+. ....... ....... OOO...."),
    Case("four at the edge", BLOCKER, "..+OOOO ......."),
    Case("four on a diagonal", BLOCKER, "+...... .O..... ..O.... ...O... ....O.. .....+."),
    Case("two fours", BLOCKER, "OOOO+.. ....... +OOOO+."),
    Case("closed four and three", BLOCKER, "OOOOX.. ....... +OOO+.."),
    Case("four with one end and three", BLOCKER, "OOOO+.. ....... .OOO..."),
    Case("three with one end", BLOCKER, "XOOO+.."),
    Case("two", BLOCKER, ".OO...."),
    Case("split four", BLOCKER, "OO.OO.."),
    Case("three and one", BLOCKER, "OOO+O.."),
    Case("own four", BLOCKER, ".XXXX.."),
    Case("row of two colours", BLOCKER, ".OOZZO.", **THREE),
    Case("fours of both opponents", BLOCKER, "+OOOO+. ....... .ZZZZ..", **THREE),
    Case("threes of both opponents", BLOCKER, ".ZZZ... ....... +OOO+..", **THREE),
    Case("three of the sooner and four of the later opponent", BLOCKER, ".OOO... ....... +ZZZZ+.", **THREE),
    Case("three of the later opponent", BLOCKER, "+ZZZ+.. OO.....", **THREE),
    Case("two pairs before one", CAPTURER, "+OOX... O...... O...... X...... ....... ....... ..XOO.."),
    Case("one pair here or there", CAPTURER, "+OOX... ....... ....... ....... ..XOO+."),
    Case("pairs of two opponents", CAPTURER, "XZZ+OOX ....... .OOX...", **THREE),
    Case("pair of the later opponent", CAPTURER, "+ZZX... ....... .....O.", **THREE),
    Case("pair of two colours", CAPTURER, ".OZX...", **THREE),
    Case("three are no pair", CAPTURER, ".OOOX.."),
    Case("threats around a stone", CAPTURER, "....... ....... ..+++.. ..+O+.. ..+++.."),
    Case("threats to the later opponent", CAPTURER, "....... ....... ..+++.. ..+Z+.. ..+++..", **THREE),
    Case("threats near the edge", CAPTURER, "++..... +O....."),
    Case("no threat at the edge", CAPTURER, "O......"),
    Case("no threat if the second point is taken", CAPTURER, ".O.X..."),
    Case("no threat to oneself", CAPTURER, "....... ....... ....... ...X..."),
    Case("no line yet", SIMPLE, "X.O...."),
    Case("row", SIMPLE, ".+XA+.."),
    Case("row with one end", SIMPLE, "OAX+O.."),
    Case("row at the edge", SIMPLE, ".....+A ......."),
    Case("row beside a gap", SIMPLE, "A+XX..."),
    Case("boxed in", SIMPLE, ".+..... OAXO... .+.....", after=1),
    Case("boxed in by the edge", SIMPLE, "AXO.... +......", after=1),
    Case("column", SIMPLE, ".+..... .X..... .A..... .+.....", before=1, after=1),
    Case("boxed in both ways", SIMPLE, ".O..... OAO.... .O....."),
    Case("column boxed in", SIMPLE, ".O..... .A..... .O.....", before=1),
    Case("captured anchor", SIMPLE, ".XaX..."),
    Case("captured anchor of a column", SIMPLE, ".XaX...", before=1),
    Case("an opponent's stone on the anchor", SIMPLE, ".XoX..."),
    Case("a third seat's stones box in", SIMPLE, "..+.... .ZAO... ..+....", after=1, **THREE),
    Case("no line yet", BETTER, "X.O...."),
    Case("room for five", BETTER, "O+A+..O"),
    Case("room for five with own stones", BETTER, "O+XA+XO"),
    Case("room for four", BETTER, "O.A..O. ..+....", after=1),
    Case("room for four at the edge", BETTER, "A...O.. +......", after=1),
    Case("room for four with own stones", BETTER, "OXA.XO. ..+....", after=1),
    Case("falling diagonal", BETTER, "....... ..+O... ..OAO.. ...O+..", after=2),
    Case("rising diagonal", BETTER, "....... ..OO+.. ..OAO.. ..+OO..", after=3),
    Case("boxed in four ways", BETTER, "....... ..OOO.. ..OAO.. ..OOO.."),
    Case("diagonals too short", BETTER, "...A...", before=2),
    Case("never back", BETTER, ".+O.... ..AX... ..O+...", before=1, after=2),
    Case("captured anchor", BETTER, ".XaX...", before=3),
]


def grid(case):
    """The drawing as one character per point."""
    rows = [f"{row:.<{SIZE}}" for row in case.drawing.split()]
    return np.array([list(row) for row in rows + ["." * SIZE] * (SIZE - len(rows))])


def sides(case):
    """What it looks like from all sides, if the player does not tell rows from columns."""
    points = grid(case)
    if case.player in (SIMPLE, BETTER):
        return [points.ravel()]
    return [np.rot90(side, quarter).ravel() for side in (points, points.T) for quarter in range(4)]


def marked(points, marks):
    """The points that carry one of several marks."""
    return np.flatnonzero(np.isin(points, list(marks))).tolist()


def permitted(case, points):
    """The memory after each permitted move, as drawn."""
    (anchor,) = marked(points, "Aao") or (None,)
    if ends := marked(points, "+"):
        return dict.fromkeys(ends, None if anchor is None else (anchor, case.after))
    return {point: (point, 0) if case.player in (SIMPLE, BETTER) else None for point in marked(points, ".a")}


def line_before(case, points):
    """The memory before the move, as drawn."""
    anchors = marked(points, "Aao")
    return (anchors[0], case.before) if anchors else None


names = [f"{PLAYERS[case.player].__name__}: {case.name}" for case in CASES]
every_case = pytest.mark.parametrize("case", CASES, ids=names)


@every_case
def test_oracle_permits_what_is_drawn(case):
    for points in sides(case):
        position: Any = pente.Pente(SIZE, case.seats)
        position.plies = 8 * case.seats
        position.board = [OWNERS.get(mark) for mark in points]
        assert ORACLES[case.player](position, line_before(case, points)) == permitted(case, points)


WORDS = 1 << 12


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def draw(seats, stones, line):
    """The moves of every player with many words in a position, and the memory after them."""
    game, words = Pente(SIZE, seats), mix(jnp.arange(WORDS, dtype=jnp.uint32))
    state = PenteState(
        stones=tuple(bb.from_mask(mask, SIZE) for mask in stones),
        captured=(jnp.int32(0),) * seats,
        plies=jnp.int32(8 * seats),
    )
    memories = [Line(*line, jnp.asarray(player is Better)) if player in (Simple, Better) else () for player in PLAYERS]
    return [
        jax.vmap(player(game).act, (0, None, None, None))(words, jnp.int32(0), state, memory)
        for player, memory in zip(PLAYERS, memories, strict=True)
    ]


@every_case
def test_player_draws_evenly_among_what_is_drawn(case):
    for points in sides(case):
        stones = [[OWNERS.get(mark) == seat for mark in points] for seat in range(case.seats)]
        anchor, direction = line_before(case, points) or (-1, 0)
        drawn = draw(case.seats, np.array(stones), (jnp.int32(anchor), jnp.int32(direction)))
        moves, line = jax.device_get(drawn[case.player])
        expected = permitted(case, points)
        counts = np.bincount(moves, minlength=SIZE**2)
        assert set(np.flatnonzero(counts).tolist()) == set(expected)
        mean = WORDS / len(expected)
        assert (abs(counts[list(expected)] - mean) <= 6 * mean**0.5).all()
        if case.player in (SIMPLE, BETTER):
            seen = zip(moves.tolist(), line.anchor.tolist(), line.direction.tolist(), strict=True)
            assert all(expected[move] == (anchor, direction) for move, anchor, direction in seen)
