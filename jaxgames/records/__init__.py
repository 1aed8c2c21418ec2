"""Records of real games: Pente as pente.org's text or as a table of tab-separated values, Othello as WTHOR.

`read`, `write` and `replay` are for Pente; for Othello see `wthor` and `replay_othello`.
`python -m jaxgames.records check FILE…` replays every game of a file by the rules.
"""

from jaxgames.records.files import parse, read, write
from jaxgames.records.record import Record, RecordError
from jaxgames.records.replay import Replayed, replay

__all__ = ["Record", "RecordError", "Replayed", "parse", "read", "replay", "write"]
