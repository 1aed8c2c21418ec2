"""Board games as pure state transitions in JAX, and an arena that plays thousands of them at once."""

from jaxgames.arena import Results, Schedule, play_games
from jaxgames.atari_go import AtariGo
from jaxgames.core import BoardGame, Game, Player, StoneGame
from jaxgames.gomoku import Gomoku
from jaxgames.othello import Othello
from jaxgames.pente import Pente

__version__ = "0.1.0"

__all__ = [
    "AtariGo",
    "BoardGame",
    "Game",
    "Gomoku",
    "Othello",
    "Pente",
    "Player",
    "Results",
    "Schedule",
    "StoneGame",
    "play_games",
]
