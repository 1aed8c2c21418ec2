"""The arena of walked games: games as the oracle plays them with the same dice, and a toy game for everything else."""

import random
from functools import cache

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import backgammon as oracle
from toys import Climb

from jaxgames import Backgammon, Schedule, core, play_crowd, play_walks
from jaxgames.games.backgammon.board import number
from jaxgames.players import Greedy, RandomPlays, pubeval_player
from jaxgames.randomness import mix, random_bits

GAME, GAMES = Backgammon(), 24
STREAMS = jnp.array([5, 7, 11], jnp.uint32)  # an odd number of blocks, so that two devices do not get equally many
KINDS = {
    "hitter": (1000, 4000),
    "runner": (1000, 0),
}  # worth of a step forwards, and of a man of the other's on the bar


# ---------------------------------------------------------------- backgammon by the oracle
@flax.struct.dataclass
class Taste:
    """Adds up what a man at each location is worth: whole numbers, so that a float32 is exact."""

    own: jax.Array
    other: jax.Array

    def prepare(self, root):
        return ()

    def value(self, context, afterstate, seat):
        men = afterstate.own, afterstate.other
        counts = [jnp.stack([number(side, place) for place in range(26)]) for side in men]
        return (counts[0] * self.own).sum() + (counts[1] * self.other).sum()


@cache
def tastes(name):
    """Weights by the own count of points of either side, with noise so that hardly two plays are worth the same."""
    step, hit = KINDS[name]
    rng = random.Random(name)
    own = [step * (25 - point) + rng.randint(0, 999) for point in range(26)]
    other = [rng.randint(0, 999) + hit * (point == 25) for point in range(26)]
    return own, other


def players():
    both = [tastes(name) for name in KINDS]
    return tuple(Greedy(Taste(jnp.float32(np.array(own[::-1])), jnp.float32(np.array(other)))) for own, other in both)


@jax.jit
def outcomes(stream, game):
    """Of the first plies of a game."""
    words = jax.vmap(lambda ply: random_bits(stream, game, ply))(jnp.arange(500))
    later = Backgammon("alternate").start()
    first = GAME.draw_outcome(GAME.start(), mix(~words[0]))
    return jax.vmap(lambda word: GAME.draw_outcome(later, mix(~word)))(words).at[0].set(first)


def dice(stream, game):
    """(rolls of the plies from the start, whether seat 0 starts)."""
    rolls = [divmod(outcome, 6) for outcome in outcomes(jnp.uint32(stream), jnp.int32(game)).tolist()]
    return [(max(roll) + 1, min(roll) + 1) for roll in rolls], rolls[0][0] > rolls[0][1]


def by_oracle(stream, game):
    """(returns by player, plies, afterstates) of one game."""
    rolls, first_starts = dice(stream, game)
    seat, position, considered, weights = 0 if first_starts else 1, (oracle.START, oracle.START), 0, list(KINDS)
    for ply, roll in enumerate(rolls, 1):
        player = (seat + game) % 2
        own, other = tastes(weights[player])
        choices = oracle.plays(position, *roll)
        considered += len(choices)
        worth = {
            choice: sum(n * w for n, w in zip(choice[0] + choice[1], own + other, strict=True)) for choice in choices
        }
        position = max(worth, key=worth.get)
        if oracle.over(position):
            points = oracle.points(position) / 3
            return [points, -points] if player == 0 else [-points, points], ply, considered
        position, seat = oracle.turned(position), 1 - seat
    raise AssertionError("too long a game")


def test_games_are_those_of_the_oracle():
    results = jax.device_get(play_walks(GAME, players(), STREAMS, Schedule(GAMES, 5), batched=False))
    assert results.finished.all()
    for block, stream in enumerate(STREAMS.tolist()):
        for game in range(GAMES):
            returns, plies, considered = by_oracle(stream, game)
            assert (results.plies[block, game], results.considered[block, game]) == (plies, considered)
            np.testing.assert_allclose(results.returns[block, game], returns, rtol=1e-6)
    assert len(np.unique(results.considered)) > 0.9 * results.considered.size  # the games differ
    points = GAME.points_of(jnp.asarray(results.returns))
    assert {*np.abs(points[..., 0]).reshape(-1).tolist()} >= {1, 2}
    np.testing.assert_array_equal(points.sum(-1), 0)


@pytest.mark.thorough
def test_known_figures():
    """Pubeval against random and itself: measured with another implementation, in thousands of games."""
    schedule, streams = Schedule(2000, 200), jnp.arange(2, dtype=jnp.uint32)
    pubeval, anything = pubeval_player(), RandomPlays()
    against = play_walks(GAME, (pubeval, anything), streams, schedule, batched=False)
    assert 0.993 < float((against.winner == 0).mean()) < 0.999
    itself = play_walks(GAME, (pubeval, pubeval), streams, schedule, batched=False)
    points = np.abs(GAME.points_of(itself.returns[..., 0]))
    assert 0.25 < (points == 2).mean() < 0.30  # 27.5 %
    assert 0.02 < (points == 3).mean() < 0.04  # 2.9 %
    assert 61 < itself.plies.mean() < 65
    aimless = play_walks(GAME, (anything, anything), streams, schedule, batched=False)
    assert 94 < aimless.plies.mean() < 100
    assert all(bool(results.finished.all()) for results in (against, itself, aimless))


# ---------------------------------------------------------------- a toy game
@flax.struct.dataclass
class Worth:
    """The afterstate times a sign."""

    sign: jax.Array

    def prepare(self, root):
        return root.total

    def value(self, context, afterstate, seat):
        return self.sign * (afterstate - context).astype(jnp.float32)


def test_a_toy_game_is_walkable():
    assert isinstance(Climb(), core.WalkableGame)
    assert isinstance(Backgammon(), core.WalkableGame)


def test_seatings_say_who_starts():
    """With the goal 1 the seat that starts wins at once, having looked at as many plays as it rolled."""
    low, high = Greedy(Worth(jnp.float32(-1))), Greedy(Worth(jnp.float32(1)))
    schedule = Schedule(12, 4, seatings=((1, 0), (0, 1), (0, 1)))
    results = play_walks(Climb(goal=1), (low, high), STREAMS, schedule, batched=False)
    np.testing.assert_array_equal(results.winner, [[1, 0, 0] * 4] * 3)
    np.testing.assert_array_equal(results.plies, 1)
    words = [random_bits(STREAMS[1], jnp.int32(game), jnp.int32(0)) for game in range(12)]
    rolls = [int(Climb().draw_outcome(None, mix(~word))) + 1 for word in words]
    assert results.considered[1].tolist() == rolls


@pytest.mark.parametrize(("goal", "finished"), [(30, True), (31, False)])
def test_a_broken_off_game_is_lost_by_both(goal, finished):
    """Blocks have their own players: those of block 1 climb by 1 whatever they roll, and come to the cap."""
    climbers = Greedy(Worth(jnp.array([1.0, -1.0, 1.0])))
    results = play_walks(Climb(goal), (climbers, climbers), STREAMS, Schedule(60, 16, ply_cap=30))
    np.testing.assert_array_equal(results.plies[1], 30)
    np.testing.assert_array_equal(results.finished, [[True] * 60, [finished] * 60, [True] * 60])
    assert results.plies[::2].max() < 30
    expected = [[-1, 1], [1, -1]] * 30 if finished else [[-0.5, -0.5]] * 60
    np.testing.assert_array_equal(results.returns[1], expected)
    np.testing.assert_array_equal(results.winner[1], [1, 0] * 30 if finished else [-1] * 60)


@cache
def level(lanes):
    """Games between a player to whom all plays are equal and one that draws among them."""
    both = Greedy(Worth(jnp.float32(0))), RandomPlays()
    return jax.device_get(play_walks(Climb(goal=2), both, STREAMS, Schedule(4000, lanes), batched=False))


@pytest.mark.parametrize(("player", "share"), [(0, 3 / 4), (1, (1 / 2 + 2 / 3 + 3 / 4) / 4)], ids=["first", "random"])
def test_of_equal_plays_the_first_is_made_and_of_random_ones_any(player, share):
    """The largest climb comes first in the walk. To 2 it takes one ply unless the climb is 1."""
    at_once = level(64).plies[:, player::2] == 1
    assert abs(at_once.mean() - share) < 0.026  # four standard errors


def test_number_of_lanes_does_not_matter():
    one, other = level(64), level(100)
    for name in ("returns", "plies", "finished", "considered"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    assert (one.busy != other.busy).any()


def test_fewer_lanes_for_the_last_games_do_not_matter():
    both = Greedy(Worth(jnp.float32(0))), RandomPlays()
    schedule = Schedule(4000, 64, narrower=(16, 3))
    one, other = level(64), play_walks(Climb(goal=2), both, STREAMS, schedule, batched=False)
    for name in ("returns", "plies", "finished", "considered"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    assert (other.busy > one.busy).all()


@flax.struct.dataclass
class Signs:
    """A crowd: the afterstate times a sign of one's own."""

    sign: jax.Array

    def prepare(self, root):
        return root.total

    def rate(self, member, word, seat, afterstate, context):
        return self.sign[member] * (afterstate - context).astype(jnp.float32), word


def test_a_crowd_plays_as_its_members_do():
    """Also, the afterstates that are kept are the heights that were climbed to."""
    assert isinstance(Signs(jnp.ones(2)), core.Crowd)
    signs = jnp.array([[1.0, -1.0, 0.5], [-1.0, -1.0, 1.0], [1.0, 1.0, -0.5]])  # of every block others
    seatings = ((1, 0), (0, 1), (2, 1), (1, 2))
    schedule = Schedule(40, 16, seatings, 40, record_moves=True, narrower=(4,))
    results = play_crowd(Climb(), Signs(signs), STREAMS, schedule)
    winning_seat, results = jax.device_get((results.winning_seat, results))
    alone = [Greedy(Worth(sign)) for sign in signs.T]
    found = play_walks(Climb(), alone, STREAMS, Schedule(40, 16, seatings))
    np.testing.assert_array_equal(results.plies, found.plies)
    np.testing.assert_array_equal(results.considered, found.considered)
    seated = np.resize(np.array(seatings), (40, 2))
    assert results.returns is None
    assert found.seat_returns is None
    np.testing.assert_array_equal(results.seat_returns, found.returns[:, np.arange(40)[:, None], seated])
    winners = np.take_along_axis(np.broadcast_to(seated, (3, 40, 2)), winning_seat[..., None], 2)[..., 0]
    np.testing.assert_array_equal(winners, found.winner)
    climbed, plies = results.afterstates, results.plies
    assert climbed.shape == (3, 40, 40)
    steps = np.diff(climbed, axis=2, prepend=0)
    during = np.arange(40) < plies[..., None]
    assert ((steps[during] >= 1) & (steps[during] <= 4)).all()
    assert (climbed[~during] == 0).all()
    assert (climbed.max(2) >= Climb().goal).all()


def test_random_plays_are_uniform():
    words = mix(jnp.arange(40_000, dtype=jnp.uint32))
    priorities = jax.vmap(lambda word: mix(word + jnp.arange(7, dtype=jnp.uint32)))(words)
    shares = np.bincount(np.asarray(priorities.argmax(1)), minlength=7) / len(words)
    np.testing.assert_allclose(shares, 1 / 7, atol=0.008)  # more than four standard errors


def test_wrong_schedules_are_refused():
    with pytest.raises(ValueError, match="a crowd needs seatings"):
        play_crowd(Climb(), Signs(jnp.ones((3, 2))), STREAMS, Schedule(2))
    with pytest.raises(ValueError, match=r"lanes must become fewer and fewer, not \(8, 8\)"):
        Schedule(20, 8, narrower=(8,))
    with pytest.raises(ValueError, match="2 seats but 3 players"):
        play_walks(GAME, (*players(), RandomPlays()), STREAMS, Schedule(2), batched=False)


@pytest.mark.parametrize("drawn", [False, True])
def test_openings_are_refused(drawn):
    """Plays have no numbers, by which they could be given."""
    schedule = Schedule(2, seatings=((0, 1),), openings=((1,), (2,)), drawn_openings=drawn)
    with pytest.raises(ValueError, match="play_walks cannot obey openings of its schedule"):
        play_walks(GAME, players(), STREAMS, schedule, batched=False)
    with pytest.raises(ValueError, match="play_crowd cannot obey openings of its schedule"):
        play_crowd(Climb(), Signs(jnp.ones((3, 2))), STREAMS, schedule)
