"""Checks that every game must pass. Call them in a test of your own, and your game gets the same checks as ours."""

from jaxgames.testing.numbered import check_game
from jaxgames.testing.walkable import check_walkable_game

__all__ = ["check_game", "check_walkable_game"]
