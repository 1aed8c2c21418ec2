"""Players of every strength that need no training."""

from jaxgames.players.blocker import Blocker
from jaxgames.players.capturer import Capturer
from jaxgames.players.greedy import Greedy
from jaxgames.players.heuristic import Heuristic
from jaxgames.players.line_builder import Better, Simple
from jaxgames.players.naive import Naive
from jaxgames.players.pubeval import Pubeval, pubeval_player
from jaxgames.players.random import Random
from jaxgames.players.random_plays import RandomPlays
from jaxgames.players.search import Search

__all__ = [
    "Better",
    "Blocker",
    "Capturer",
    "Greedy",
    "Heuristic",
    "Naive",
    "Pubeval",
    "Random",
    "RandomPlays",
    "Search",
    "Simple",
    "pubeval_player",
]
