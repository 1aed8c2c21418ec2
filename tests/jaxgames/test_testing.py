"""`check_game` passes a sound game, and names the fault of every game that has been broken on purpose."""

import jax
import jax.numpy as jnp
import pytest
from toys import Climb, Heap, Nim

from jaxgames import Gomoku, Othello
from jaxgames import bitboard as bb
from jaxgames.testing import check_game, check_walkable_game


@jax.custom_batching.custom_vmap
def one_or_two(x):
    """1, but 2 under vmap."""
    return jnp.ones_like(x)


@one_or_two.def_vmap
def _(axis_size, in_batched, x):
    return 2 * jnp.ones_like(x), in_batched[0]


def is_traced(x):
    return isinstance(x, jax.core.Tracer)


def turn(state, seat):
    return Heap(state.sticks - 1, seat)


FAULTS = {
    r"state is not closed under play: state\.sticks is int32\[\] before and float32\[\] after": {
        "play": lambda self, state, action: Heap(state.sticks - 1.0, 1 - state.seat)
    },
    r"state is not closed under play: state\.seat is int32\[\] before and int32\[1\] after": {
        "play": lambda self, state, action: turn(state, state.seat[None])
    },
    r"state is not closed under play: state\.seat is int32\[\] before and missing after": {
        "play": lambda self, state, action: {"seat": state.seat}
    },
    r"the game is over at the start": {"sticks": 0},
    r"to_move is 2, but the seats are 0 to 1, after the actions": {"to_move": lambda self, state: 2 * state.seat},
    r"no action is legal before the end after the actions": {
        "legal": lambda self, state: jnp.arange(1, 4) < state.sticks
    },
    r"legal is bool\[4\] instead of bool\[3\]": {"legal": lambda self, state: jnp.arange(1, 5) <= state.sticks},
    r"returns are \[1\. 0\.\] before the end at the start": {"returns": lambda self, state: jnp.array([1.0, 0.0])},
    r"returns \[1\. 0\.\] do not add up to zero": {
        "returns": lambda self, state: jnp.where(self.terminal(state), jnp.array([1.0, 0.0]), 0.0)
    },
    r"returns \[ 3\. -3\.\] are not within \[-1, 1\]": {
        "returns": lambda self, state: jnp.where(self.terminal(state), jnp.array([3.0, -3.0]), 0.0)
    },
    r"the game goes on after max_plies = 4 plies": {"max_plies": 4},
    r"state\.sticks differs with and without jit at ply 0": {
        "play": lambda self, state, action: turn(state, 1 - state.seat).replace(
            sticks=state.sticks - (1 if is_traced(action) else 2)
        )
    },
    r"state\.sticks differs when vmapped and when not at ply 0": {
        "sticks": 8,
        "legal": lambda self, state: jnp.arange(3) == 1,
        "play": lambda self, state, action: Heap(state.sticks - one_or_two(action), 1 - state.seat),
    },
    r"play compiles more than once": {"start": lambda self: Heap(jnp.asarray(9), jnp.int32(0))},
}


def broken(kind, members):
    return type("Broken", (kind,), members)


def test_nim_passes():
    check_game(Nim())


def test_a_game_that_is_not_zero_sum_passes_when_said_so():
    game = broken(Nim, {"returns": lambda self, state: jnp.where(self.terminal(state), jnp.ones(2), 0.0)})()
    check_game(game, zero_sum=False)
    with pytest.raises(AssertionError, match="add up to zero"):
        check_game(game)


@pytest.mark.parametrize("sentence", FAULTS)
def test_broken_game_is_named(sentence):
    members = dict(FAULTS[sentence])
    sticks = members.pop("sticks", 9)
    with pytest.raises(AssertionError, match=sentence):
        check_game(broken(Nim, members)(sticks), games=16)


STONE_FAULTS = {
    "tactics said no to whether the last move would win": {"tactics": lambda self, state: (bb.empty(self.rows),) * 2},
    "tactics said yes to whether the last move would lose": {
        "tactics": lambda self, state: (Gomoku.tactics(self, state)[0], self.empties(state))
    },
    "the points that may be played are not the legal ones": {
        "legal": lambda self, state: Gomoku.legal(self, state) & (jnp.arange(9) != 4)
    },
    "planes do not show the stone just placed": {
        "planes": lambda self, state: jnp.zeros((self.num_seats, self.num_actions), bool)
    },
    "planes show two stones on a point": {
        "planes": lambda self, state: jnp.ones((self.num_seats, self.num_actions), bool)
    },
    r"planes is bool\[2, 6\] instead of bool\[2, 9\]": {"planes": lambda self, state: jnp.zeros((2, 6), bool)},
    "two actions have the same name": {"action_name": lambda self, action: "A1"},
    "parse_action reads 'B3', the name of action 1, as 0": {"parse_action": lambda self, text: 0},
    r"a board of priorities has 2 rows, not 3": {"priorities": lambda self, state: (bb.empty(2),)},
}


def test_board_game_is_checked_where_any_empty_point_may_be_illegal():
    lost = {"planes": lambda self, state: jnp.roll(Othello.planes(self, state), 1, axis=1)}
    with pytest.raises(AssertionError, match="planes show two stones on a point or one where a stone may be played"):
        check_game(broken(Othello, lost)(), games=16)


@pytest.mark.parametrize("sentence", STONE_FAULTS)
def test_broken_stone_game_is_named(sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_game(broken(Gomoku, STONE_FAULTS[sentence])(3, 3, 3), games=16)


WALK_FAULTS = {
    r"state is not closed under resolve: state\.roll is int32\[\] before and float32\[\] after": {
        "resolve": lambda self, state, outcome: state.replace(roll=outcome + 1.0)
    },
    r"state is not closed under play: state\.roll is int32\[\] before and missing after": {
        "play": lambda self, state, afterstate: {"seat": state.seat}
    },
    r"outcome_probs is float32\[3\] instead of floating\[4\]": {
        "outcome_probs": lambda self, state: jnp.full(3, 1 / 3)
    },
    r"the probabilities of the outcomes sum to 1\.2": {"outcome_probs": lambda self, state: jnp.full(4, 0.3)},
    r"draw_outcome drew 3, which has probability 0": {
        "outcome_probs": lambda self, state: jnp.array([0.5, 0.25, 0.25, 0]),
        "draw_outcome": lambda self, state, bits: jnp.int32(3),
    },
    r"draw_outcome drew 4, which is no outcome": {"draw_outcome": lambda self, state, bits: jnp.int32(4)},
    r"there is no play, not even a pass": {"first": lambda self, state: 0 * state.roll},
    r"of \d+ afterstates some come twice": {
        "next": lambda self, state, cursor: (
            jnp.maximum(cursor - 1, 0),
            state.total + (cursor + 1) // 2,
            jnp.bool_(True),
        ),
        "step_parts": property(
            lambda self: (
                lambda state, step: dict(
                    zip(("cursor", "afterstate", "valid"), self.next(state, step.cursor), strict=True)
                ),
            )
        ),
    },
    r"next gives something else than step_parts": {
        "next": lambda self, state, cursor: (jnp.maximum(cursor - 1, 0), state.total + cursor, cursor % 2 == 1)
    },
    r"to_move is 2, which is no seat at ply 1": {"to_move": lambda self, state: 2 * state.seat},
    r"returns are \[1\. 0\.\] before the end": {"returns": lambda self, state: jnp.array([1.0, 0.0])},
    r"returns \[1\. 1\.\] do not add up to zero": {
        "returns": lambda self, state: jnp.where(self.terminal(state), jnp.ones(2), 0.0)
    },
    r"truncation_return is -2, not in \[-1, 1\]": {"truncation_return": -2},
}


def test_climb_passes():
    check_walkable_game(Climb())


@pytest.mark.parametrize("sentence", WALK_FAULTS)
def test_broken_walkable_game_is_named(sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_walkable_game(broken(Climb, WALK_FAULTS[sentence])(), games=8)
