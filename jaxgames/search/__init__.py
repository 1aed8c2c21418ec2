"""Alpha-beta search on one position, in steps of one node."""

from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.evaluation import Evaluation
from jaxgames.search.state import Counts, Effort, Window, Windows
from jaxgames.search.trees import GameTree, SearchableGame, Tree, tree_of

__all__ = [
    "AlphaBeta",
    "Counts",
    "Effort",
    "Evaluation",
    "GameTree",
    "SearchableGame",
    "Tree",
    "Window",
    "Windows",
    "tree_of",
]
