"""Players for other programs, by the Go Text Protocol and by the board lines of FIBS."""

from neuroevo.serve.gtp import Engine, serve
from neuroevo.serve.seated import Choice, choose
from neuroevo.serve.table import IllegalMoveError, Table

__all__ = ["Choice", "Engine", "IllegalMoveError", "Table", "choose", "serve"]
