"""Toy games whose value is known by hand."""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp


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
