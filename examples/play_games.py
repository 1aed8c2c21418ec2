"""Plays thousands of games at once: a naive player against a random one in Atari-Go.

python examples/play_games.py
"""

import jax.numpy as jnp

from jaxgames import AtariGo, Schedule, play_games
from jaxgames.players import Naive, Random

game = AtariGo(9)
streams = jnp.arange(2, dtype=jnp.uint32)  # two blocks, each with random numbers of its own
schedule = Schedule(games=1000, lanes=250, record_moves=True)  # in each block; the players take turns to start

results = play_games(game, (Naive(game), Random(game)), streams, schedule, batched=False)

naive_wins = float((results.winner == 0).mean())
print(f"{results.winner.size} games of {game.title}: naive wins {naive_wins:.1%}")
print(f"a game has {float(results.plies.mean()):.1f} plies on average")

first = [int(action) for action in results.moves[0, 0] if action >= 0]
print("the first game:", " ".join(game.action_name(action) for action in first))
