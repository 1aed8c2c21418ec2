"""Board games as pure state transitions in JAX, and an arena that plays thousands of them at once."""

from jaxgames.arena import Results, Schedule, play_games
from jaxgames.atari_go import AtariGo
from jaxgames.backgammon import Backgammon
from jaxgames.core import BoardGame, Game, Player, StoneGame, WalkableGame
from jaxgames.gomoku import Gomoku
from jaxgames.othello import Othello
from jaxgames.pente import Pente
from jaxgames.walk_arena import WalkResults, play_crowd, play_walks

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
    "WalkResults",
    "WalkableGame",
    "play_crowd",
    "play_games",
    "play_walks",
]
