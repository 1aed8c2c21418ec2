"""What is measured: a module per kind. Games, players and networks are those of the registries.

A case has the names `game`, `size` and `players`, and `row(repeats)` checks it, times it and returns its row.
"""

from collections.abc import Iterator

from benchmarks.cases import games, networks, searches, walks
from benchmarks.cases.case import Case, Choice
from benchmarks.cases.networks import NetworkCase

__all__ = ["Case", "Choice", "NetworkCase", "chosen", "game_names", "player_names"]


def chosen(choice: Choice) -> Iterator[Case | NetworkCase]:
    """The cases that fit a choice; each is built when its turn comes."""
    for kind in (games, searches, walks, networks):
        yield from kind.chosen(choice)


def game_names() -> list[str]:
    """What can be chosen as a game."""
    return sorted([*games.board_games(), walks.GAME])


def player_names() -> list[str]:
    """What can be chosen as players, a network by itself among them."""
    return list(dict.fromkeys([*games.names(), *walks.NAMES, *games.networks()]))
