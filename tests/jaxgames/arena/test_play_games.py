"""The arena: every game is played once, by the right players, and independently of lanes, blocks and devices."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import PLAYERS
from replay import oracle

from jaxgames import AtariGo, Gomoku, Schedule, play_games
from jaxgames.arena import all_seatings, games, rotations
from jaxgames.arena.alike import answer_alike
from jaxgames.arena.lanes import set_before
from jaxgames.core import Memoryless
from jaxgames.players import Better, Naive, Random, Simple
from jaxgames.xla import jit_by_class, structure

BLOCKS, GAMES = 3, 48  # an odd number of blocks, so that two devices do not get equally many
STREAMS = jnp.array([5, 7, 11], jnp.uint32)
ATARI_GO, THREE_SEATS = AtariGo(5), Gomoku(4, 4, 3, num_seats=3)
TABLES = {  # the players of a game, and the seatings
    ATARI_GO: ((Random(ATARI_GO), Naive(ATARI_GO)), rotations(2)),
    THREE_SEATS: ((Random(THREE_SEATS), Naive(THREE_SEATS), Random(THREE_SEATS)), all_seatings(3)),
}


@cache
def played(game, lanes=8, ply_cap=None):
    players, seatings = TABLES[game]
    schedule = Schedule(GAMES, lanes, seatings, ply_cap, record_moves=True)
    return jax.device_get(play_games(game, players, STREAMS, schedule, batched=False))


def assert_same_games(one, other):
    for name in ("returns", "plies", "finished", "moves"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)


# ---------------------------------------------------------------- independence
@pytest.mark.parametrize("lanes", [37, 64])
def test_number_of_lanes_does_not_matter(lanes):
    assert_same_games(played(ATARI_GO, lanes), played(ATARI_GO))


def test_order_of_the_blocks_does_not_matter():
    players, seatings = TABLES[ATARI_GO]
    order = np.array([2, 0, 1])
    schedule = Schedule(GAMES, 8, seatings, record_moves=True)
    results = jax.device_get(play_games(ATARI_GO, players, STREAMS[order], schedule, batched=False))
    assert_same_games(results, jax.tree.map(lambda x: x[order], played(ATARI_GO)))


def test_number_of_devices_does_not_matter():
    assert len(jax.devices()) == 2
    players, seatings = TABLES[ATARI_GO]
    schedule = Schedule(GAMES, 8, seatings, record_moves=True)
    on_one_device = jax.jit(lambda streams: games.Arena(ATARI_GO, schedule, players, streams).play())(STREAMS)
    assert_same_games(on_one_device, played(ATARI_GO))


# ---------------------------------------------------------------- the games
def test_players_of_different_classes_have_different_structures():
    """JAX 0.10 calls their trees equal, so that `jit` could play one in the place of the other."""
    structures = [structure(player(AtariGo(5))) for player in PLAYERS]
    assert len(set(structures)) == len(structures)
    assert structure(Random(AtariGo(5))) == structure(Random(AtariGo(5))) != structure(Random(AtariGo(7)))
    assert structure((Random(AtariGo(5)),)) != structure((Naive(AtariGo(5)),))


@pytest.mark.parametrize("game", TABLES, ids=str)
def test_recorded_moves_lead_to_the_recorded_results(game):
    results, (_, seatings) = played(game), TABLES[game]
    winners = jax.tree.map(jnp.asarray, results).winner
    for block, number in np.ndindex(BLOCKS, GAMES):
        position, seating = oracle(game), seatings[number % len(seatings)]
        moves = [int(move) for move in results.moves[block, number] if move >= 0]
        for move in moves:
            position.play(move)
        assert position.over
        assert results.finished[block, number]
        assert results.plies[block, number] == len(moves)
        winner = -1 if position.winner is None else seating[position.winner]
        others = -1 / (game.num_seats - 1)
        expected = [0.0 if winner < 0 else 1.0 if winner == player else others for player in range(game.num_seats)]
        assert results.returns[block, number].tolist() == expected
        assert winners[block, number] == winner


@pytest.mark.parametrize("game", TABLES, ids=str)
def test_all_games_are_distinct(game):
    moves = played(game).moves.reshape(BLOCKS * GAMES, -1)
    assert len(np.unique(moves, axis=0)) == BLOCKS * GAMES


def test_a_single_seating_is_that_of_every_game():
    game, streams = AtariGo(3), jnp.zeros(1, jnp.uint32)
    one, other = (
        play_games(game, (Random(game), Random(game)), streams, Schedule(4, 2, (order,), record_moves=True))
        for order in ((0, 1), (1, 0))
    )
    np.testing.assert_array_equal(one.moves, other.moves)
    np.testing.assert_array_equal(one.returns, other.returns[..., ::-1])


@pytest.mark.parametrize("lanes", [8, 37, 64])
def test_every_game_is_played_exactly_once(lanes):
    """All plies that were played are recorded: each device's loop has made a whole number of rounds."""
    results = played(ATARI_GO, lanes)
    assert (results.plies >= ATARI_GO.min_plies).all()
    assert ((results.moves >= 0).sum(-1) == results.plies).all()
    rounds = results.plies.sum(1) / (results.busy * 2 * lanes)
    np.testing.assert_allclose(rounds, np.round(rounds), rtol=1e-5)
    assert round(float(rounds[0])) == round(float(rounds[1]))  # blocks 0 and 1 share a device


def test_ply_cap_breaks_games_off():
    whole, capped, cap = played(ATARI_GO), played(ATARI_GO, ply_cap=9), 9
    short = whole.plies <= cap
    assert 0 < short.sum() < short.size
    np.testing.assert_array_equal(capped.finished, short)
    np.testing.assert_array_equal(capped.plies, np.minimum(whole.plies, cap))
    np.testing.assert_array_equal(capped.moves, whole.moves[..., :cap])
    np.testing.assert_array_equal(capped.returns, np.where(short[..., None], whole.returns, 0))


# ---------------------------------------------------------------- players
@flax.struct.dataclass
class Height:
    total: jax.Array
    plies: jax.Array


@dataclass(frozen=True)
class Climb:
    """Seats take turns to climb by one to nine; the one that comes to 30 wins."""

    num_seats: int = 2

    num_actions = 9
    max_plies = 30

    def start(self):
        return Height(jnp.int32(0), jnp.int32(0))

    def to_move(self, state):
        return state.plies % self.num_seats

    def legal(self, state):
        return jnp.ones(9, bool)

    def play(self, state, action):
        return Height(state.total + action + 1, state.plies + 1)

    def terminal(self, state):
        return state.total >= 30

    def returns(self, state):
        mine = jnp.arange(self.num_seats) == (state.plies - 1) % self.num_seats
        return jnp.where(self.terminal(state), jnp.where(mine, 1.0, -1 / (self.num_seats - 1)), 0.0)


WRONG = 8


@flax.struct.dataclass
class Bookkeeper:
    """Counts how often it is called, and plays WRONG from when its counts do not fit the position."""

    num_seats: int = flax.struct.field(pytree_node=False)
    leaf: Any = ()

    def reset(self, word, seat):
        return {"seat": seat, "watched": jnp.int32(0), "acted": jnp.int32(0), "fine": jnp.bool_(True)}

    def watch(self, seat, state, memory):
        fine = memory["fine"] & (seat == memory["seat"]) & (state.plies == memory["watched"] + 1)
        return memory | {"watched": memory["watched"] + 1, "fine": fine}

    def act(self, word, seat, state, memory):
        fine = memory["fine"] & (seat == memory["seat"]) & (seat == state.plies % self.num_seats)
        fine &= (memory["watched"] == state.plies) & (memory["acted"] == state.plies // self.num_seats)
        action = jnp.where(fine, (word >> 29).astype(jnp.int32), WRONG)
        return action, memory | {"acted": memory["acted"] + 1, "fine": fine}


def climb(*players, seatings=None, games=50, batched=True):
    schedule = Schedule(games, 8, seatings, record_moves=True)
    return jax.device_get(play_games(Climb(len(players)), players, STREAMS, schedule, batched))


def keepers():
    two, leaf = Bookkeeper(2), jnp.zeros(BLOCKS)
    three, with_leaf = Bookkeeper(3), Bookkeeper(3, leaf)
    return {
        "two equal ones": (Bookkeeper(2), Bookkeeper(2)),
        "the same one twice": (two, two),
        "two different ones": (two, Bookkeeper(2, leaf)),
        "three equal ones": (three, three, three),
        "the same one with weights at two of three seats": (with_leaf, three, with_leaf),
    }


@pytest.mark.parametrize("case", keepers())
def test_every_player_is_called_once_per_ply(case):
    results = climb(*keepers()[case])
    assert (results.plies > 3).all()
    assert len(np.unique(results.plies)) > 3  # lanes take their next games at different times
    assert not (results.moves == WRONG).any()


def test_one_player_at_two_seats_moves_for_both_in_one_step():
    player, other = (Bookkeeper(2, jnp.zeros(BLOCKS)) for _ in range(2))
    once, twice = climb(player, player), climb(player, other)
    assert_same_games(once, twice)
    assert (once.busy > 0.7).all()
    assert (twice.busy < once.busy).all()  # a round has an idle step where a game ends on its first


def test_bookkeeper_notices_calls_that_do_not_fit():
    assert (climb(Bookkeeper(3), Bookkeeper(3)).moves == WRONG).any(-1).all()


@flax.struct.dataclass
class Speaker(Memoryless):
    """Plays its number."""

    number: jax.Array

    def act(self, word, seat, state, memory):
        return self.number, memory


@pytest.mark.parametrize(("name", "seatings"), [("rotations", rotations(3)), ("all", all_seatings(3))])
def test_every_player_sits_everywhere_equally_often(name, seatings):
    results = climb(*(Speaker(jnp.full(BLOCKS, number)) for number in range(3)), seatings=seatings)
    for block in range(BLOCKS):
        seated = [tuple(moves[:3].tolist()) for moves in results.moves[block]]
        assert seated == [seatings[number % len(seatings)] for number in range(50)]
        by_seat = [Counter(sitters[seat] for sitters in seated[:48]) for seat in range(3)]
        assert by_seat == [{0: 16, 1: 16, 2: 16}] * 3


def test_rotations_keep_the_order_of_play():
    assert rotations(3) == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    assert len(set(all_seatings(4))) == 24


def test_every_block_has_its_own_players():
    results = climb(Speaker(jnp.array([1, 2, 3])), Speaker(jnp.array([4, 5, 6])))
    assert results.moves[:, 0, :2].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert results.moves[:, 1, :2].tolist() == [[4, 1], [5, 2], [6, 3]]
    same = climb(Speaker(jnp.int32(2)), Speaker(jnp.int32(5)), batched=False)
    np.testing.assert_array_equal(same.moves, np.broadcast_to(results.moves[1], same.moves.shape))


def test_impossible_schedules_are_refused():
    with pytest.raises(ValueError, match="has 2 seats but 3 players"):
        play_games(ATARI_GO, (Random(ATARI_GO),) * 3, STREAMS, Schedule(1), batched=False)
    for sizes in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least one game and one lane, not"):
            Schedule(*sizes)
    with pytest.raises(ValueError, match="drawn_openings needs openings"):
        Schedule(1, drawn_openings=True)


def test_fewer_lanes_for_the_last_games_are_refused():
    with pytest.raises(ValueError, match="play_games cannot obey narrower of its schedule"):
        play_games(ATARI_GO, TABLES[ATARI_GO][0], STREAMS, Schedule(8, 4, narrower=(2,)), batched=False)


# ---------------------------------------------------------------- which players are alike
@dataclass(frozen=True)
class Sure:
    """Has no leaves."""

    number: int

    def act(self, bits, seat, state, memory):
        return self._number(), memory

    def reset(self, bits, seat):
        return 0

    def _number(self):
        return self.number


class Reset(Sure):
    def reset(self, bits, seat):
        return 1


class Otherwise(Sure):
    def _number(self):
        return self.number + 1


def test_players_answer_alike_who_differ_in_their_reset_at_most():
    jax.tree_util.register_static(Sure)
    for kind in (Reset, Otherwise):
        jax.tree_util.register_static(kind)
    assert answer_alike(Sure(1), Sure(1))
    assert answer_alike(Sure(1), Reset(1))
    assert answer_alike(Simple(Gomoku(9, 9)), Better(Gomoku(9, 9)))
    assert not answer_alike(Sure(1), Sure(2))
    assert not answer_alike(Sure(1), Otherwise(1))  # it overrides what `act` calls
    assert not answer_alike(Random(ATARI_GO), Naive(ATARI_GO))


def test_players_with_leaves_answer_alike_only_if_they_are_one():
    one, other = (Speaker(jnp.zeros(1)) for _ in range(2))
    assert answer_alike(one, one)
    assert not answer_alike(one, other)


def test_functions_of_players_have_a_program_for_each_class():
    @jit_by_class(static_argnums=(0,))
    def name(prefix, player, number):
        return jnp.int32(number + len(prefix + type(player).__name__))

    assert name("", Random(ATARI_GO), 1) == 7
    assert name("", Naive(ATARI_GO), 1) == 6
    assert name("a", Naive(ATARI_GO), 2) == 8


# ---------------------------------------------------------------- known shares of wins, random against naive
@pytest.mark.parametrize(
    ("game", "wins", "draws", "plies"),
    [
        (AtariGo(5), 0.136, 0, 12.8),
        (AtariGo(9), 0.076, 0, 30.4),
        (Gomoku(5, 5), 0.150, 0.495, None),
        (Gomoku(9, 9), 0.116, None, None),
    ],
    ids=str,
)
def test_random_wins_against_naive_as_often_as_is_known(game, wins, draws, plies):
    games, of_reference = 1 << 13, 0.01  # per block; the reference is as precise as that
    streams = jnp.arange(2, dtype=jnp.uint32)
    results = play_games(game, (Random(game), Naive(game)), streams, Schedule(games, 512), batched=False)
    sample = {"wins": results.returns[..., 0] > 0, "draws": results.returns[..., 0] == 0, "plies": results.plies}
    for name, expected in {"wins": wins, "draws": draws, "plies": plies}.items():
        if expected is not None:
            values = np.asarray(sample[name], float)
            error = 4 * values.std() / np.sqrt(values.size)
            assert abs(values.mean() - expected) <= error + of_reference * max(expected, 1), name


@pytest.mark.parametrize("lanes", [1, 31, 32, 33, 200])
def test_set_before_counts_the_flags_before_each(lanes):
    flags = np.random.default_rng(lanes).random((3, lanes)) < 0.3
    np.testing.assert_array_equal(set_before(jnp.asarray(flags)), np.cumsum(flags, 1) - flags)


@pytest.mark.parametrize(
    ("wrong", "word"), [({"games": 0}, "game"), ({"lanes": 0}, "lane"), ({"ply_cap": 0}, "ply_cap")]
)
def test_an_impossible_schedule_is_refused(wrong, word):
    with pytest.raises(ValueError, match=word):
        Schedule(**{"games": 4, **wrong})
