"""Neuroevolution of board-game players at the speed of the hardware."""

from jaxgames import __version__

__all__ = ["__version__"]
