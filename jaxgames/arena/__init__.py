"""The arena plays thousands of games at once: one loop per way of playing, and what the loops share."""

from jaxgames.arena.cross_table import CrossTable, ratings, round_robin
from jaxgames.arena.games import play_games
from jaxgames.arena.openings import all_openings
from jaxgames.arena.pairs import play_pairs
from jaxgames.arena.results import Results
from jaxgames.arena.schedule import Schedule, Seating, all_seatings, rotations
from jaxgames.arena.searches import play_searches
from jaxgames.arena.unbatched import afterstates, best_play
from jaxgames.arena.walks import play_crowd, play_walks

__all__ = [
    "CrossTable",
    "Results",
    "Schedule",
    "Seating",
    "afterstates",
    "all_openings",
    "all_seatings",
    "best_play",
    "play_crowd",
    "play_games",
    "play_pairs",
    "play_searches",
    "play_walks",
    "ratings",
    "rotations",
    "round_robin",
]
