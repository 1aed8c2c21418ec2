"""Evolution without a config: MDRNN players of Atari-Go against the naive player, then a match of the champion.

python examples/evolve_without_hydra.py
"""

import jax
import jax.numpy as jnp

from jaxgames import AtariGo, Schedule, devices, play_games
from jaxgames.players import Naive
from neuroevo.evolution import Evolution
from neuroevo.networks import MDRNN
from neuroevo.strategies import ES
from neuroevo.tasks import VersusOpponent

devices.set_up()  # one device per CPU core; before JAX computes

game = AtariGo(5)
task = VersusOpponent(game, MDRNN(hidden=10), Naive(game), games=50)
evolution = Evolution(ES(mu=10, lambda_=10, sigma=0.1), task, replicas=2, seed=1)

states = evolution.init()
for generation in range(5):
    states, found = jax.device_get(evolution.step(states, jnp.int32(generation)))
    fitness = found.evaluation.fitness  # Float[replicas, population]
    print(f"generation {generation}: best {fitness.max(1).mean():+.3f}, average {fitness.mean():+.3f}")

# Champions, one a replica, are a batch of players: each plays in a block of its own.
players = task.player(found.champions)
opponents = jax.tree.map(lambda leaf: jnp.stack([leaf] * 2), Naive(game))
streams = evolution.streams("test")
results = play_games(game, (players, opponents), streams, Schedule(games=500, lanes=100))
for replica, share in enumerate((results.winner == 0).mean(1)):
    print(f"the champion of replica {replica} wins {float(share):.1%} of 500 fresh games")
