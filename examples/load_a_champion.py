"""Loads the champion of a run and plays it.

python -m neuroevo +exp=mdrnn_atarigo scale=smoke
    python examples/load_a_champion.py outputs/mdrnn_atarigo/*
"""

import sys

import jax.numpy as jnp

import neuroevo
from jaxgames import Schedule, play_games
from jaxgames.players import Random

player = neuroevo.load(sys.argv[1])
game = player.game
print(f"a player of {game.title} with {player.genome.size} genes")

streams = jnp.zeros(1, jnp.uint32)
results = play_games(game, (player, Random(game)), streams, Schedule(games=200, lanes=50), batched=False)
print(f"it wins {float((results.winner == 0).mean()):.1%} of 200 games against the random player")

state = game.start()
preferences = player.preferences(state).reshape(game.rows, game.columns)
print("its preferences on the empty board:")
print("\n".join(" ".join(f"{value:+.2f}" for value in row) for row in preferences.tolist()))
