"""Board games as pure state transitions in JAX, and an arena that plays thousands of them at once."""

from jaxgames.arena import Results, Schedule, play_crowd, play_games, play_walks
from jaxgames.core import BoardGame, Game, Player, StoneGame, WalkableGame
from jaxgames.games import GAMES, AtariGo, Backgammon, Gomoku, Othello, Pente, board_game
from jaxgames.players import PLAYERS

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "PLAYERS",
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
    "board_game",
    "play_crowd",
    "play_games",
    "play_walks",
]
