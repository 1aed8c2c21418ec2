"""Who plays, and what: games and players by the names that a user types."""

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
    """A game of two seats with a player of it."""

    game: BoardGame
    player: Player
    name: str  # of the player


def games() -> Mapping[str, BoardGame]:
    """The games and presets of the config that have a board of points or squares, by name."""
    found = {}
    for name, values in ({name: {"kind": name} for name in GAMES} | PRESETS["game"]).items():
        try:
            found[name] = board_game(config.make("game", values))
        except ValueError:  # such as backgammon
            continue
    return found


def choose(player: str, game: str | None = None) -> Choice:
    """`player`: one of PLAYERS, which play Othello unless a game is named, or the folder of a run, which has a game of
    its own. Raises ConfigError.
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
