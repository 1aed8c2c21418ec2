"""Board games as pure state transitions in JAX, and an arena that plays thousands of them at once."""

from jaxgames.arena import Results, Schedule, play_crowd, play_games, play_walks
from jaxgames.core import BoardGame, Game, Player, StoneGame, WalkableGame
from jaxgames.games.atari_go.rules import AtariGo
from jaxgames.games.backgammon.rules import Backgammon
from jaxgames.games.gomoku.rules import Gomoku
from jaxgames.games.othello.rules import Othello
from jaxgames.games.pente.rules import Pente

__version__ = "0.1.0"

__all__ = [
    "AtariGo",
    "Backgammon",
    "BoardGame",
    "Game",
    "Gomoku",
    "Othello",
    "Pente",
    "Player",
    "Results",
    "Schedule",
    "StoneGame",
    "WalkableGame",
    "play_crowd",
    "play_games",
    "play_walks",
]
