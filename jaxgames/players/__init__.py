"""Players of every strength that need no training."""

from jaxgames.players.blocker import Blocker
from jaxgames.players.capturer import Capturer
from jaxgames.players.heuristic import Heuristic
from jaxgames.players.line_builder import Better, Simple
from jaxgames.players.naive import Naive
from jaxgames.players.random import Random
from jaxgames.players.searcher import Search

__all__ = ["Better", "Blocker", "Capturer", "Heuristic", "Naive", "Random", "Search", "Simple"]
