"""A game written plainly, with no more than its rules and planes, is learned by the tasks of networks."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toys import TicTacToe

from jaxgames import Othello
from jaxgames.games import board_game
from jaxgames.players import PLAYERS
from neuroevo.evolution import Evolution
from neuroevo.networks import MLP
from neuroevo.strategies import ES
from neuroevo.tasks import VersusOpponent


def evolved(rules, generations, games, opponent):
    """Mean fitness of the population in each generation."""
    game = board_game(rules)
    task = VersusOpponent(game, MLP(6), PLAYERS[opponent](rules), games=games, lanes=games)
    evolution = Evolution(ES(mu=8, lambda_=8), task, replicas=1, seed=3)
    evolution.check()
    states, step, fitness = evolution.init(), jax.jit(evolution.step), []
    for number in range(generations):
        states, generation = step(states, jnp.int32(number))
        fitness.append(float(np.mean(generation.evaluation.fitness)))
    return fitness


def test_tic_tac_toe_is_learned():
    """Against the random player the mean score rises by more than 0.3."""
    fitness = evolved(TicTacToe(), generations=30, games=60, opponent="random")
    assert fitness[-1] - fitness[0] > 0.3, fitness


@pytest.mark.thorough
def test_othello_is_played_by_networks_against_naive():
    assert np.isfinite(evolved(Othello(), generations=1, games=4, opponent="naive")).all()
