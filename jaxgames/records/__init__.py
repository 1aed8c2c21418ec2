"""Records of real games: Pente as pente.org's text or as a table of tab-separated values, Othello as WTHOR.

`read`, `write` and `replay` are for Pente; for Othello see `othello.wthor` and `othello.replay`, and for the games that
our own runs keep, of any board game, `playthrough`.
`python -m jaxgames.records check FILE…` replays every game of a file by the rules.
"""

from jaxgames.records.errors import RecordError
from jaxgames.records.pente.files import parse, read, write
from jaxgames.records.pente.record import Record
from jaxgames.records.pente.replay import replay
from jaxgames.records.replaying import Replayed

__all__ = ["Record", "RecordError", "Replayed", "parse", "read", "replay", "write"]
