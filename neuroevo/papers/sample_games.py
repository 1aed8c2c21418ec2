"""Games of champions as records and pictures."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from jaxgames import render
from jaxgames.arena import Schedule, play_games
from jaxgames.core import StoneGame
from neuroevo.evolution import Evolution
from neuroevo.tasks import Gauntlet, VersusOthers

Sample = tuple[str, render.Drawing]  # record and drawing of one game


def sample(title: str, board: StoneGame, moves: np.ndarray) -> Sample:
    """The record and the drawing of one game. moves: Int[plies], −1 after the end.

    The record begins with the game's title, so that `jaxgames.records` can read it.
    """
    actions = [int(move) for move in moves if move >= 0]
    text = f"{board.title}: {title}\n{render.game_text(board, actions)}\n"
    return text, render.draw_game(board, actions)


def illustrative_games(evolution: Evolution, champions: np.ndarray, larger: int, count: int) -> list[Sample]:
    """`count` games of the last champion against earlier ones (Schaul & Schmidhuber 2008, figure 9).

    The last of champions[generations, genes] has seat 0. Half of the games are on the board of evolution, half on one
    of size `larger`.
    """
    boards = [evolution.task.game, evolution.task.game.resized(larger)]
    others = np.linspace(0, len(champions) - 1, -(-count // len(boards)), endpoint=False).astype(int)
    chosen = [(board, int(other)) for board in boards for other in others][:count]
    return [_game(evolution, board, champions, other) for board, other in chosen]


def _game(evolution: Evolution, board: StoneGame, champions: np.ndarray, other: int) -> Sample:
    assert isinstance(evolution.task, VersusOthers)
    task = replace(evolution.task, game=board)
    players = [task.player(jnp.asarray(champions[generation])[None]) for generation in (-1, other)]
    results = play_games(board, players, evolution.streams("illustrative games")[:1], Schedule(1, 1, record_moves=True))
    last = len(champions) - 1
    title = f"champion of generation {last} (seat 0) – of generation {other} (seat 1)"
    return sample(title, board, np.asarray(results.moves[0, 0]))


def drawn(task: Gauntlet, moves: np.ndarray, games: int) -> list[Sample]:
    """`games` of the games moves[seatings, plies], at even distances in the list of seatings."""
    names, samples = ("champion", *task.opponents), []
    for number in np.unique(np.linspace(0, len(task.seatings) - 1, games).astype(int)):
        sitting = ", ".join(f"seat {seat} {names[player]}" for seat, player in enumerate(task.seatings[number]))
        samples.append(sample(sitting, task.game, moves[number]))
    return samples
