"""The games: a folder each, with its rules in `rules.py`."""

from jaxgames.games.any_game import AnyGame, board_game
from jaxgames.games.atari_go.rules import AtariGo
from jaxgames.games.backgammon.rules import Backgammon
from jaxgames.games.gomoku.rules import Gomoku
from jaxgames.games.othello.rules import Othello
from jaxgames.games.pente.rules import Pente

__all__ = ["GAMES", "AnyGame", "AtariGo", "Backgammon", "Gomoku", "Othello", "Pente", "board_game"]

GAMES: dict[str, type] = {
    "atari_go": AtariGo,
    "gomoku": Gomoku,
    "pente": Pente,
    "othello": Othello,
    "backgammon": Backgammon,
}
