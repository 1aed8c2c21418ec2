"""The flat arena plays the games that the ordinary arena plays with the same searching players."""

from dataclasses import replace
from functools import cache
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import Gomoku, Othello, Schedule, play_games
from jaxgames import bitboard as bb
from jaxgames.arena import all_openings, play_searches
from jaxgames.games.othello.positional import Positional
from jaxgames.games.othello.tree import OthelloTree
from jaxgames.players import Search
from jaxgames.search.trees import GameTree

STREAMS = jnp.array([3, 5], jnp.uint32)
SCHEDULE = Schedule(12, 6, openings=all_openings(Othello(), 2), record_moves=True)


@flax.struct.dataclass
class Half:
    """Keeps the squares of every other column; the others with `shift`, and in turn from one position to the next."""

    shift: Any

    def reset(self):
        return jnp.zeros(2, jnp.int32)

    def keep(self, node, moves, ply, memory):
        columns = jnp.uint32(0x55555555) << ((ply + self.shift + memory[1]) % 2).astype(jnp.uint32)
        return (columns, columns), bb.lowest(moves), memory + jnp.array([2, 3])


def players():
    """Two that differ in everything in which they may."""
    level, random = jnp.array([1, 2]), jnp.array([0.0, 0.3])
    first = Search(Othello(), Positional(), 2, level, random, Half(jnp.array([0, 1])), ordered=1)
    return first, Search(Othello(), Positional("norvig", corners=True), 1, None, jnp.array([0.2, 0.0]), breadth=3)


@cache
def played(schedule=SCHEDULE):
    return jax.device_get(play_searches(players(), STREAMS, schedule))


def assert_same_games(one, other):
    blank = {"busy": None, "counts": None, "filter_counts": None}
    jax.tree.map(np.testing.assert_array_equal, replace(one, **blank), replace(other, **blank))


def test_games_are_those_of_the_ordinary_arena():
    """Whatever the number of lanes."""
    ordinary = jax.device_get(play_games(Othello(), players(), STREAMS, replace(SCHEDULE, lanes=5)))
    assert_same_games(played(), ordinary)
    assert played().finished.all()
    assert len(np.unique(played().moves.reshape(24, -1), axis=0)) == 24


@pytest.mark.thorough
def test_number_of_lanes_does_not_matter():
    other = played(replace(SCHEDULE, lanes=5))
    jax.tree.map(np.testing.assert_array_equal, replace(played(), busy=None), replace(other, busy=None))


def test_both_seatings_of_an_opening_follow_each_other():
    begun = played().moves[:, :, :2].reshape(2, 6, 2, 2)
    assert (begun[:, :, 0] == begun[:, :, 1]).all()
    assert (begun[0, :, 0] == np.array(SCHEDULE.openings)[:6]).all()


def test_filters_and_leaves_are_counted_for_the_player_whose_search_it_is():
    counts, filters = played().counts, played().filter_counts
    assert (filters.asked[..., 0] > 0).all()
    assert (filters.asked[..., 1] == 0).all()
    assert (filters.kept <= filters.legal).all()
    assert 0.4 < filters.kept.sum() / filters.legal.sum() < 0.6
    assert 0 < filters.empty.sum() < filters.asked.sum() / 4
    assert (counts.leaves[..., 1] <= 3 * 32).all()  # at most three moves of at most 32 turns, one ply deep
    assert (counts.leaves > 0).all()
    assert (counts.nodes >= counts.leaves).all()


# ---------------------------------------------------------------- any game
@flax.struct.dataclass
class Seen:
    """An evaluation of states, as nodes of a GameTree have them."""

    of_state: Any
    bound: int = flax.struct.field(pytree_node=False, default=1000)

    def value(self, node):
        value = self.of_state.value(node.state)
        return jnp.where(node.seat == node.state.seat, value, -value)


@flax.struct.dataclass
class Rank:
    """The numbers of one's own points, less those of the other seat's."""

    bound: int = flax.struct.field(pytree_node=False, default=100)

    def value(self, node):
        points = GOMOKU.planes(node.state).astype(jnp.int32) @ jnp.arange(GOMOKU.num_actions)
        lead = points[0] - points[1]
        return jnp.where(node.seat == GOMOKU.to_move(node.state), lead, -lead)


GOMOKU = Gomoku(4, 4, 3)


class ByRules(OthelloTree):
    """Knows no more than the rules say: all wins are alike, whatever the discs, and so are all squares."""

    @property
    def classes(self):
        return ()

    def lead(self, node):
        return jnp.sign(super().lead(node))


@pytest.mark.thorough
def test_othello_by_its_rules_alone_is_searched_alike():
    own = Search(Othello(), Positional(), 2, random=0.1, tree=ByRules(Othello()))
    general = Search(Othello(), Seen(Positional(), 784), 2, random=0.1, tree=GameTree(Othello()))
    one, other = (
        jax.device_get(play_searches((player, player), STREAMS, SCHEDULE, batched=False)) for player in (own, general)
    )
    assert_same_games(one, other)
    np.testing.assert_array_equal(one.counts.leaves, other.counts.leaves)


def test_gomoku_is_played_as_in_the_ordinary_arena():
    players = Search(GOMOKU, Rank(), 2, random=0.2), Search(GOMOKU, Rank(), 3)
    schedule = Schedule(12, 6, record_moves=True)
    flat = jax.device_get(play_searches(players, STREAMS, schedule, batched=False))
    assert flat.filter_counts is None
    assert_same_games(flat, jax.device_get(play_games(GOMOKU, players, STREAMS, schedule, batched=False)))
    assert len(np.unique(flat.moves.reshape(24, -1), axis=0)) > 12


def test_players_that_cannot_share_a_loop_are_refused():
    one = Search(Othello(), Positional(), 1)
    with pytest.raises(ValueError, match="must share their game"):
        play_searches((one, Search(GOMOKU, Rank(), 1)), STREAMS, SCHEDULE, batched=False)
    with pytest.raises(ValueError, match="level must be from 1 to max_level, 1, not 2"):
        play_searches((one, replace(one, level=2)), STREAMS, SCHEDULE, batched=False)
    with pytest.raises(ValueError, match="same number of plies"):
        Schedule(1, openings=((1, 2), (3,)))
    with pytest.raises(ValueError, match="play_searches cannot obey narrower"):
        play_searches((one, one), STREAMS, Schedule(8, 4, narrower=(2,)), batched=False)
