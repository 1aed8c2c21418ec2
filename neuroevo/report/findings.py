"""What a study concludes: claims, tables, figures, games."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from neuroevo.report.claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jaxgames.render import Drawing


@dataclass(frozen=True)
class Table:
    """A table of the report and of the paper's page, of numbers written out as text."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def json(self) -> dict[str, Any]:
        return {"id": self.id, "title": self.title, "columns": list(self.columns), "rows": [list(r) for r in self.rows]}


@dataclass(frozen=True)
class Findings:
    """What a study concludes; the runner saves all of it.

    size: how large the run was, in words.
    games: number of games that were played.
    figures: by the name of their file, without its ending.
    sample: (record, drawing) of some games.
    arrays: what is kept in history.npz.
    champions: Float[replicas genes]; number `best` of them is the best. None where the run has none.
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
