"""Toy games whose value is known by hand."""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.core import last_mover_returns


@flax.struct.dataclass
class Marks:
    own: jax.Array  # Bool[9], of the seat to move
    other: jax.Array
    seat: jax.Array


LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])


@dataclass(frozen=True)
class TicTacToe:
    """As a stranger would write it: nothing but what `core.Game` asks for, and planes."""

    num_seats = 2
    num_actions = 9
    max_plies = 9

    def start(self):
        return Marks(jnp.zeros(9, bool), jnp.zeros(9, bool), jnp.int32(0))

    def to_move(self, state):
        return state.seat

    def legal(self, state):
        return ~(state.own | state.other) & ~self._won(state)

    def play(self, state, action):
        return Marks(state.other, state.own.at[action].set(True), 1 - state.seat)

    def terminal(self, state):
        return self._won(state) | (state.own | state.other).all()

    def returns(self, state):
        won = jnp.where(jnp.arange(2) == state.seat, -1.0, 1.0)
        return jnp.where(self._won(state), won, 0.0)

    def planes(self, state):
        return jnp.stack([state.own, state.other])

    def _won(self, state):
        return state.other[LINES].all(1).any()


@flax.struct.dataclass
class Height:
    total: jax.Array
    seat: jax.Array
    roll: jax.Array


@flax.struct.dataclass
class Step:
    cursor: jax.Array
    afterstate: jax.Array
    valid: jax.Array


@dataclass(frozen=True)
class Climb:
    """Seats take turns to climb by any number up to the roll, of 1 to 4; who comes to the goal wins."""

    goal: int = 9

    num_seats = 2
    num_outcomes = 4
    truncation_return = -0.5

    def start(self):
        return Height(jnp.int32(0), jnp.int32(0), jnp.int32(0))

    def to_move(self, state):
        return state.seat

    def outcome_probs(self, state):
        return jnp.full(4, 0.25)

    def draw_outcome(self, state, bits):
        return (bits >> 30).astype(jnp.int32)

    def resolve(self, state, outcome):
        return state.replace(roll=outcome + 1)

    def first(self, state):
        return 2 * state.roll

    def done(self, cursor):
        return cursor == 0

    def begin_step(self, state, cursor):
        return Step(cursor, state.total, jnp.bool_(False))

    def _step(self, state, step):
        """Every second step finds a play: the largest climb first."""
        climb = (step.cursor + 1) // 2
        return {
            "cursor": jnp.maximum(step.cursor - 1, 0),
            "afterstate": state.total + climb,
            "valid": step.cursor % 2 == 1,
        }

    @property
    def step_parts(self):
        return (self._step,)

    def next(self, state, cursor):
        return tuple(self._step(state, self.begin_step(state, cursor)).values())

    def play(self, state, afterstate):
        return Height(afterstate, 1 - state.seat, jnp.int32(0))

    def terminal(self, state):
        return state.total >= self.goal

    def returns(self, state):
        return last_mover_returns(2, 1 - state.seat, jnp.where(self.terminal(state), 1, 0))


@flax.struct.dataclass
class Heap:
    sticks: jax.Array
    seat: jax.Array


@dataclass(frozen=True)
class Nim:
    """Two seats take one to three sticks in turn; whoever takes the last one wins."""

    sticks: int = 9

    num_seats = 2
    num_actions = 3

    @property
    def max_plies(self):
        return self.sticks

    def start(self):
        return Heap(jnp.int32(self.sticks), jnp.int32(0))

    def to_move(self, state):
        return state.seat

    def legal(self, state):
        return jnp.arange(1, 4) <= state.sticks

    def play(self, state, action):
        return Heap(state.sticks - action - 1, 1 - state.seat)

    def terminal(self, state):
        return state.sticks == 0

    def returns(self, state):
        return jnp.where(self.terminal(state), jnp.where(jnp.arange(2) == state.seat, -1.0, 1.0), 0.0)
