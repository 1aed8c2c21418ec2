"""Toy games whose value is known by hand."""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np


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
