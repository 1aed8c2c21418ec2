"""Alpha-beta search against plain minimax: values, all best moves, and the positions evaluated on the way."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import ROOT
from oracles import gomoku, othello
from oracles.minimax import WON, Problem
from replay import source, write_between
from squares import squares, words
from toys import Heap, Nim

from jaxgames import Gomoku, Othello
from jaxgames import bitboard as bb
from jaxgames.arena import all_openings
from jaxgames.arena.openings import states_after
from jaxgames.games.othello.positional import TABLES, Positional, weights
from jaxgames.games.othello.rules import OthelloState
from jaxgames.games.othello.squares import moves
from jaxgames.games.othello.tree import OthelloTree
from jaxgames.players import Search
from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.state import Effort
from jaxgames.search.trees import GameTree

QUICKLY = {"xla_backend_optimization_level": 0}
LANES = 128
ALL, WINDOW = 0, -1  # breadths; a positive one is that of the search
MAX_LEVEL, MAX_BREADTH = 4, 3
BEGIN = "<!-- begin of searches, by `python -m pytest -m thorough` -->"


# ---------------------------------------------------------------- problems
class Case(NamedTuple):
    game: othello.Othello
    level: int
    breadth: int
    ordered: int


@flax.struct.dataclass
class Thirds:
    """Keeps a third of the squares, another one at every ply and for every number of discs; so it often keeps none, and
    then takes the first legal move.
    """

    def reset(self):
        return ()

    def keep(self, node, moves, ply, memory):
        third = (bb.count(node.own) + ply) % 3
        kept = [words(range(first, 64, 3)) for first in range(3)]
        return tuple(jnp.stack([board[i] for board in kept])[third] for i in range(2)), bb.lowest(moves), memory


def thirds(game, ply):
    legal = sorted(game.legal())
    third = (game.discs()[game.to_move] + ply) % 3
    return [a for a in legal if a % 3 == third] or legal[:1]


def positional(game, side, table="classic", corners=False):
    total = 0
    for (row, column), seat in game.board.items():
        corner = 7 * (row > 3), 7 * (column > 3)
        beside = 0 < max(abs(row - corner[0]), abs(column - corner[1])) < 2
        weight = TABLES[table][min(row, 7 - row)][min(column, 7 - column)]
        if corners and beside and corner in game.board:
            weight = 5
        total += weight if seat == side else -weight
    return total


def lead(game, side):
    discs = game.discs()
    return discs[side] - discs[1 - side]


def problem(case):
    result = Problem(positional, lead)
    if case.breadth == WINDOW:
        result.keep = thirds
    elif case.breadth:
        result.keep = result.best_first(case.breadth)
    return result


def position(rng, plies):
    """The position after so many random plies, or the last one before the end."""
    game = othello.Othello()
    for _ in range(plies):
        after = game.copy()
        after.play(rng.choice(sorted(game.legal())))
        if after.over:
            break
        game = after
    return game


def cases(rng, number, plies):
    """Random positions. `plies`: for each level, from where on, as plain minimax is slow on an empty board."""
    for i in range(number):
        level = sorted(plies)[i % len(plies)]
        breadth = rng.choice([ALL, ALL, WINDOW, 1, 2, 3])
        yield Case(position(rng, rng.randrange(plies[level], 60)), level, breadth, rng.randrange(3))


# ---------------------------------------------------------------- by jaxgames
class Found(NamedTuple):
    value: np.ndarray
    best_moves: np.ndarray
    counts: np.ndarray
    filters: np.ndarray


@cache
def searcher():
    """Searches many positions, each in its own way: compiled once."""
    player = Search(Othello(), Positional(), MAX_LEVEL, move_filter=Thirds(), breadth=MAX_BREADTH, by_class=False)

    def search(own, other, level, breadth, ordered):
        effort = Effort(level, ordered, jnp.maximum(breadth, 0), breadth == WINDOW)
        node, legal = OthelloTree(Othello()).root(OthelloState(own, other, moves(own, other), jnp.int32(0)))
        search = player.finish(player.rules.begin(node, legal, effort, jnp.uint32(1)))
        return Found(search.frames[0].best, search.best_moves, search.counts, search.filter_counts)

    return jax.jit(jax.vmap(search), compiler_options=QUICKLY)


def found(cases):
    padded = (cases * LANES)[:LANES]
    boards = [boards_of(case.game) for case in padded]
    own, other = (tuple(jnp.array([board[side][i] for board in boards]) for i in range(2)) for side in range(2))
    numbers = [jnp.array([getattr(case, name) for case in padded], jnp.int32) for name in Case._fields[1:]]
    return jax.device_get(searcher()(own, other, *numbers))


def boards_of(game):
    """The discs of the side to move and of the other one."""
    return words(game.squares(game.to_move)), words(game.squares(1 - game.to_move))


def compare(cases):
    """Fails where search and minimax differ; counts what was compared."""
    cases, tally = list(cases), Counter()
    for first in range(0, len(cases), LANES):
        chunk = cases[first : first + LANES]
        results = found(chunk)
        for i, case in enumerate(chunk):
            plain = problem(case)
            value, best = plain.best(case.game, case.level)
            assert int(results.value[i]) == value, case
            assert squares([board[i] for board in results.best_moves]) == best, case
            assert plain.alpha_beta(case.game, case.level, case.ordered) == (value, best), case
            if case.breadth <= 0:
                assert int(results.counts.leaves[i]) == plain.leaves, case
            tally["positions"] += 1
            tally[f"level {case.level}"] += 1
            tally["several best moves"] += len(best) > 1
            tally["the end in sight"] += abs(value) >= WON
            tally["with a window"] += case.breadth == WINDOW
            tally["a window without moves"] += bool(results.filters.empty[i])
            tally["with a breadth"] += case.breadth > 0
    return tally


def test_search_finds_what_minimax_finds():
    rng = random.Random(1)
    tally = compare([*cases(rng, 90, {1: 0, 2: 0}), *cases(rng, 38, {3: 44, 4: 51})])
    assert min(tally.values()) > 0


@pytest.mark.thorough
def test_search_finds_what_minimax_finds_in_2000_positions():
    tally = compare(cases(random.Random(2), 2048, {1: 0, 2: 0, 3: 30, 4: 44}))
    assert tally["positions"] >= 2000
    text = ", ".join(f"{number:,} {name}" for name, number in tally.items())
    write_between(ROOT / "docs" / "verification.md", BEGIN, f"{source()}: {text}; no difference was found.\n")


# ---------------------------------------------------------------- other games
@flax.struct.dataclass
class Nothing:
    """Knows nothing of the game."""

    bound = 0

    def value(self, node):
        return jnp.int32(0)


@flax.struct.dataclass
class Numbers:
    """The numbers of one's own points of Gomoku, less those of the other seat's."""

    bound = 36

    def value(self, node):
        stones = GOMOKU.planes(node.state).astype(jnp.int32) @ jnp.arange(GOMOKU.num_actions)
        mine = stones[0] - stones[1]
        return jnp.where(node.seat == GOMOKU.to_move(node.state), mine, -mine)


GOMOKU = Gomoku(3, 3, 3)


def searched(player, states, levels):
    """(best moves as a mask, value) of every state, each searched to a level of its own."""

    def search(state, level):
        leveled = replace(player, level=level)
        search = leveled.finish(leveled.begin(jnp.uint32(0), player.game.to_move(state), state, ()))
        return bb.to_mask(search.best_moves, 32)[: player.game.num_actions], search.frames[0].best

    return jax.device_get(jax.jit(jax.vmap(search), compiler_options=QUICKLY)(states, levels))


def test_the_only_winning_move_of_nim_is_found():
    heaps = np.arange(1, 9)
    states = Heap(jnp.array(heaps), jnp.zeros(len(heaps), jnp.int32))
    best, value = searched(Search(Nim(8), Nothing(), 8, ordered=0), states, heaps)
    for sticks, mask, result in zip(heaps, best, value, strict=True):
        lost = sticks % 4 == 0
        expected = range(min(3, sticks)) if lost else [sticks % 4 - 1]  # action 0 takes one stick
        assert set(np.flatnonzero(mask)) == set(expected)
        assert result == (-1 if lost else 1) * (WON + 1)


def test_tic_tac_toe_is_searched_as_by_minimax():
    openings = all_openings(GOMOKU, 3)[::5]
    levels = np.arange(len(openings)) % 6 + 1
    best, value = searched(Search(GOMOKU, Numbers(), 6), states_after(GOMOKU, openings), levels)
    plain = Problem(
        lambda game, side: sum(game.stones[side]) - sum(game.stones[1 - side]),
        lambda game, side: 0 if game.winner is None else 1 if game.winner == side else -1,
    )
    for actions, level, mask, result in zip(openings, levels, best, value, strict=True):
        game = gomoku.Gomoku(3, 3, 3)
        for action in actions:
            game.play(action)
        assert plain.best(game, level) == (result, set(np.flatnonzero(mask)))


# ---------------------------------------------------------------- evaluations
def test_tables_add_up_to_their_published_sums():
    for name, quarter in TABLES.items():
        assert sum(weights(name)) == 4 * sum(map(sum, quarter))
        assert [weights(name)[square] for square in (0, 7, 56, 63, 9, 27)] == [quarter[0][0]] * 4 + [
            quarter[1][1],
            quarter[3][3],
        ]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("corners", [False, True])
def test_positional_value_is_a_sum_over_the_discs(table, corners):
    rng = random.Random(3)
    games = [position(rng, plies) for plies in range(0, 60, 2)]
    states = [OthelloState(*jax.tree.map(jnp.asarray, boards_of(game)), (), ()) for game in games]
    values = [Positional(table, corners).value(state) for state in states]
    assert [int(value) for value in values] == [positional(game, game.to_move, table, corners) for game in games]
    assert max(map(abs, values)) <= Positional(table, corners).bound


def test_impossible_searches_are_refused():
    with pytest.raises(ValueError, match="table must be one of classic, norvig"):
        Positional("iago")
    with pytest.raises(ValueError, match=r"two sides, but .* has 3 seats"):
        GameTree(Gomoku(5, 5, num_seats=3))
    with pytest.raises(ValueError, match="at least one ply"):
        AlphaBeta(OthelloTree(Othello()), 0)
