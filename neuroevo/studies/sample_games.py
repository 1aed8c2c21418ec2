"""Games of champions as records and pictures."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import render
from jaxgames.arena import Schedule, play_games
from jaxgames.core import StoneGame
from neuroevo.evolution import Evolution
from neuroevo.tasks import VersusOthers


def illustrative_games(
    evolution: Evolution, champions: np.ndarray, larger: int, count: int
) -> list[tuple[str, render.Drawing]]:
    """(record, drawing) of games of the last of champions[generations, genes] as seat 0 against those of other
    generations, on the board of evolution and on a larger one (figure 9).
    """
    boards = [evolution.task.game, evolution.task.game.resized(larger)]
    others = np.linspace(0, len(champions) - 1, max(count // 2, 1) + 1).astype(int)[: max(count // 2, 1)]
    return [_game(evolution, board, champions, int(other)) for board in boards for other in others][:count]


def _game(evolution: Evolution, board: StoneGame, champions: np.ndarray, other: int) -> tuple[str, render.Drawing]:
    assert isinstance(evolution.task, VersusOthers)
    task = replace(evolution.task, game=board)
    players = [task.player(jnp.asarray(champions[generation])[None]) for generation in (-1, other)]
    streams = jax.numpy.reshape(evolution.fresh_stream(), (1,))
    results = play_games(board, players, streams, Schedule(1, 1, record_moves=True))
    actions = [int(move) for move in np.asarray(results.moves[0, 0]) if move >= 0]
    last = len(champions) - 1
    title = f"{board.title}: champion of generation {last} (seat 0) – of generation {other} (seat 1)"
    return f"{title}\n{render.game_text(board, actions)}\n", render.draw_game(board, actions)
