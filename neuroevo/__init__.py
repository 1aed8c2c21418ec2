"""Neuroevolution of board-game players at the speed of the hardware.

neuroevo.register("game", "my_game", MyGame)    makes a part of your own a choice of every config
neuroevo.load("outputs/…")                      the champion of a run as a player
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxgames import __version__
    from neuroevo.app.champions import load
    from neuroevo.app.registry import register

__all__ = ["__version__", "load", "register"]

_FACE = {
    "__version__": "jaxgames",
    "register": "neuroevo.app.registry",
    "load": "neuroevo.app.champions",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _FACE:
        raise AttributeError(f"module neuroevo has no attribute {name}")
    return getattr(import_module(_FACE[name]), name)
