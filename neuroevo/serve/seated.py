"""Games and players by the names that a user types."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jaxgames.core import BoardGame, Player
from jaxgames.games import GAMES, board_game
from jaxgames.games.othello.rules import Othello
from jaxgames.players import PLAYERS
from neuroevo.app import champions, config
from neuroevo.app.registry import PRESETS
from neuroevo.runtime.settings import ConfigError


@dataclass(frozen=True)
class Choice:
    """A game of two seats, a player of it, and the player's name."""

    game: BoardGame
    player: Player
    name: str


def games() -> Mapping[str, BoardGame]:
    """The config's games and presets that are played on a board of points or squares, by name."""
    boards = {}
    for name, values in ({name: {"kind": name} for name in GAMES} | PRESETS["game"]).items():
        try:
            boards[name] = board_game(config.make("game", values))
        except ValueError:  # such as backgammon
            continue
    return boards


def choose(player: str, game: str | None = None) -> Choice:
    """The player and the game that it plays. Raises ConfigError.

    player: one of PLAYERS, or the folder of a run.
    game: one of `games()`; by default the game of the run, and Othello for one of PLAYERS.
    """
    if game is not None and game not in games():
        raise ConfigError(f"game must be one of {', '.join(games())}, not {game!r}")
    asked = None if game is None else games()[game]
    if player in PLAYERS:
        board = board_game(Othello()) if asked is None else asked
        try:
            return _choice(board, PLAYERS[player](board), player)
        except ValueError as error:
            raise ConfigError(str(error)) from error
    try:
        champion = champions.load(player)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigError(f"{player} is neither a run with a champion nor one of {', '.join(PLAYERS)}") from error
    board = board_game(champion.game)
    if asked not in (None, board):
        raise ConfigError(f"the champion of {player} plays {board.title}, not {game}")
    return _choice(board, champion, f"champion of {Path(player).resolve().name}")


def _choice(game: BoardGame, player: Player, name: str) -> Choice:
    if game.num_seats != 2:
        raise ConfigError(f"only games of two seats are played here, and {game.title} has {game.num_seats}")
    return Choice(game, player, name)
