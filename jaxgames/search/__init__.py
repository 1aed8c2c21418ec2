"""Alpha-beta search on one position, in steps of one node."""

from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.evaluation import StaticEvaluation
from jaxgames.search.state import Counts, Effort, FilterCounts, MoveFilter
from jaxgames.search.trees import GameTree, SearchableGame, Tree, tree_of

__all__ = [
    "AlphaBeta",
    "Counts",
    "Effort",
    "FilterCounts",
    "GameTree",
    "MoveFilter",
    "SearchableGame",
    "StaticEvaluation",
    "Tree",
    "tree_of",
]
