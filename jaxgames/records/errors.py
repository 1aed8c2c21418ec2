"""What can be wrong with a record, and where it stands."""

from dataclasses import dataclass

from jaxgames.console import one_line


@dataclass(frozen=True)
class Place:
    """Where a game stands: file, number of the game in it from 1, its id; None where that is not known."""

    file: str
    game: int | None = None
    game_id: str | None = None  # as its source names it

    def __str__(self) -> str:
        number = "" if self.game is None else f", game {self.game}"
        return f"{self.file}{number}" + ("" if self.game_id is None else f" ({self.game_id})")


class RecordError(ValueError):
    """What is wrong with a record, in one line, and where: its place and the ply from 1, None where not known."""

    def __init__(self, reason: str, ply: int | None = None, place: Place | None = None):
        self.reason, self.ply, self.place = one_line(reason), ply, place
        where = ", ".join(one_line(part) for part in (place, ply and f"ply {ply}") if part)
        super().__init__(f"{where}: {self.reason}" if where else self.reason)

    def at(self, place: Place) -> "RecordError":
        """The same error in a known place."""
        return RecordError(self.reason, self.ply, place)
