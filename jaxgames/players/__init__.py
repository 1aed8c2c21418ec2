"""Players that need no training, and `PLAYERS`: those that a name can choose."""

from collections.abc import Callable
from functools import partial
from typing import Any

from jaxgames.core import Player, WalkableGame
from jaxgames.games.any_game import AnyGame, board_game, numbered_game, title_of
from jaxgames.games.backgammon.rules import Backgammon
from jaxgames.games.othello.evaluations import EVALUATIONS
from jaxgames.games.othello.rules import Othello
from jaxgames.players.blocker import Blocker
from jaxgames.players.capturer import Capturer
from jaxgames.players.greedy import Greedy
from jaxgames.players.heuristic import Heuristic
from jaxgames.players.line_builder import Better, Simple
from jaxgames.players.naive import Naive
from jaxgames.players.pubeval import Pubeval, pubeval_player
from jaxgames.players.random import Random
from jaxgames.players.random_plays import RandomPlays
from jaxgames.players.search import EndingsOnly, Search
from jaxgames.search.trees import tree_of

__all__ = [
    "PLAYERS",
    "Better",
    "Blocker",
    "Capturer",
    "EndingsOnly",
    "Greedy",
    "Heuristic",
    "Naive",
    "Pubeval",
    "Random",
    "RandomPlays",
    "Search",
    "Simple",
    "players_of",
    "pubeval_player",
]
LEVELS = range(1, 7)  # of the searches that have a name


def _on_board(player: Callable[..., Player], game: Any) -> Player:
    return player(board_game(game))


def _random(game: Any) -> Random:
    return Random(numbered_game(game))


def _search(level: int, game: Any) -> Search:
    """By alpha-beta; with the positional evaluation in Othello, and by endings alone in other games of two seats."""
    rules = numbered_game(game)
    tree_of(rules)  # raises ValueError where it has no tree
    return Search(rules, EVALUATIONS["positional"]() if _is_othello(rules) else EndingsOnly(), level)


def _othello_search(name: str, level: int, game: Any) -> Search:
    if not _is_othello(game):
        raise ValueError(f"{name}-{level} plays Othello, not {title_of(game)}")
    return Search(game, EVALUATIONS[name](), level)


def _random_plays(game: Any) -> RandomPlays:
    if not isinstance(game, WalkableGame):
        raise ValueError(f"random_plays plays games whose plays are walked, such as Backgammon, not {title_of(game)}")
    return RandomPlays()


def _pubeval(game: Any) -> Greedy:
    if not isinstance(game, Backgammon):
        raise ValueError(f"pubeval plays Backgammon, not {title_of(game)}")
    return pubeval_player()


def _is_othello(game: Any) -> bool:
    return isinstance(game.rules if isinstance(game, AnyGame) else game, Othello)


# Name → what makes the player of a game: a Player, or in backgammon an AfterstatePlayer. Raises ValueError with one
# sentence for a game that it does not play.
PLAYERS: dict[str, Callable[[Any], Any]] = {
    "naive": partial(_on_board, Naive),
    "random": _random,
    "heuristic": partial(_on_board, Heuristic),
    "blocker": partial(_on_board, Blocker),
    "capturer": partial(_on_board, Capturer),
    "simple": partial(_on_board, Simple),
    "better": partial(_on_board, Better),
    **{f"search-{level}": partial(_search, level) for level in LEVELS},
    **{f"{name}-{level}": partial(_othello_search, name, level) for name in EVALUATIONS for level in LEVELS},
    "random_plays": _random_plays,
    "pubeval": _pubeval,
}


def players_of(game: Any) -> tuple[str, ...]:
    """The names of the players that play a game."""
    names = []
    for name, make in PLAYERS.items():
        try:
            make(game)
        except ValueError:
            continue
        names.append(name)
    return tuple(names)
