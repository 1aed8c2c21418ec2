"""A game of your own: `python examples/your_game.py` checks tic-tac-toe, plays it and evolves players of it."""

from dataclasses import dataclass

import flax.struct
import jax
import jax.numpy as jnp

from jaxgames.games import board_game
from jaxgames.players import Naive
from jaxgames.testing import check_game
from neuroevo.evolution import Evolution
from neuroevo.networks import MDRNN
from neuroevo.strategies import ES
from neuroevo.tasks import VersusOpponent

LINES = jnp.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])


@flax.struct.dataclass
class Position:
    stones: jax.Array  # Int[points]: 1 of the seat to move, -1 of the other one, 0 none
    seat: jax.Array  # Int[""], to move


@dataclass(frozen=True)
class TicTacToe:
    num_seats, num_actions, max_plies = 2, 9, 9

    def start(self):
        return Position(jnp.zeros(9, jnp.int32), jnp.int32(0))

    def to_move(self, state):
        return state.seat

    def legal(self, state):
        return state.stones == 0

    def play(self, state, action):
        return Position((-state.stones).at[action].set(-1), 1 - state.seat)

    def terminal(self, state):
        return (self.returns(state) != 0).any() | (state.stones != 0).all()

    def returns(self, state):  # only the seat that has just moved can have won
        return (state.stones[LINES] == -1).all(1).any() * jnp.where(jnp.arange(2) == state.seat, -1.0, 1.0)

    def planes(self, state):  # what a network sees
        return jnp.stack([state.stones == 1, state.stones == -1])


if __name__ == "__main__":
    check_game(TicTacToe())
    game = board_game(TicTacToe())
    evolution = Evolution(ES(mu=5, lambda_=5), VersusOpponent(game, MDRNN(5), Naive(game), games=20), replicas=2)
    states = evolution.init()
    for number in range(2):
        states, found = jax.device_get(evolution.step(states, jnp.int32(number)))
        print(f"generation {number}: best fitness {found.evaluation.fitness.max(1).mean():+.3f}")
