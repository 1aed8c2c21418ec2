"""The results of a study: claims, tables, figures, games."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from neuroevo.report.claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jaxgames.render import Drawing


@dataclass(frozen=True)
class Table:
    """A table of the report and of the paper's page. All cells are text.

    id: name of the table, unique within its study
    title: what it shows
    columns: the heads of the columns
    rows: each with one cell per column
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def json(self) -> dict[str, Any]:
        """The fields by name, as they are written to results.json."""
        return {"id": self.id, "title": self.title, "columns": list(self.columns), "rows": [list(r) for r in self.rows]}


@dataclass(frozen=True)
class Findings:
    """The results of a study. The runner saves all of them.

    size: the size of the run in words.
    games: number of games that were played.
    claims: the paper's claims, tested.
    figures: figures by the name of their file, without suffix.
    tables: tables of the report.
    sample: (record, drawing) of some games.
    arrays: arrays to be kept in history.npz, by name.
    champions: [replicas genes], None if the run has no champions.
    best: number of the best champion.
    files: further files of the run folder, by name.
    """

    size: str
    games: int
    claims: list[Claim]
    figures: dict[str, "Figure"] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    sample: list[tuple[str, "Drawing"]] = field(default_factory=list)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    champions: np.ndarray | None = None
    best: int = 0
    files: dict[str, str] = field(default_factory=dict)
