"""Records of real Pente games: pente.org's text and a table of tab-separated values.

`python -m jaxgames.records check FILE…` replays every game of a file by the rules.
"""

from jaxgames.records.files import parse, read, write
from jaxgames.records.record import Record, RecordError
from jaxgames.records.replay import Replayed, replay

__all__ = ["Record", "RecordError", "Replayed", "parse", "read", "replay", "write"]
