"""Players of every strength that need no training."""

from jaxgames.players.heuristic import Heuristic
from jaxgames.players.naive import Naive
from jaxgames.players.random import Random

__all__ = ["Heuristic", "Naive", "Random"]
