"""Tables of text, and the one place that writes them: as markdown, CSV, JSON and aligned text."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """A table. All cells are text.

    id: name of the table, unique where it stands
    title: what it shows
    columns: the heads of the columns
    rows: each with one cell per column
    """

    id: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def json(self) -> dict[str, Any]:
        """The fields by name, as they are written to results.json."""
        return {"id": self.id, "title": self.title, "columns": list(self.columns), "rows": [list(r) for r in self.rows]}

    def markdown(self) -> str:
        """One line per row after the head; without the title."""
        head, *rows = ("| " + " | ".join(line) + " |\n" for line in (self.columns, *self.rows))
        return head + "|---" * len(self.columns) + "|\n" + "".join(rows)

    def csv(self) -> str:
        """One line per row after the head."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()

    def text(self) -> str:
        """One line per row after the head, for a terminal: the first column to the left, all others to the right."""
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in lines
        )
