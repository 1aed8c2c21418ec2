"""Players of every kind at the service of other programs, by the protocols that these speak."""

from neuroevo.serve.gtp import Engine, serve
from neuroevo.serve.seated import Choice, choose
from neuroevo.serve.table import IllegalMoveError, Table

__all__ = ["Choice", "Engine", "IllegalMoveError", "Table", "choose", "serve"]
