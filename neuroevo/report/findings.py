"""What a study concludes: claims, tables, figures, games."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from neuroevo.report.claims import Claim

if TYPE_CHECKING:
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


@dataclass
class Findings:
    """`size`: how large the run was, in words; `arrays`: what is kept in history.npz; `sample`: (record, drawing) of
    some games; `champions`: genomes[replicas, genes], of which number `best` is the best.
    """

    size: str
    games: int
    claims: list[Claim]
    pictures: list[Path]
    tables: list[Table] = field(default_factory=list)
    sample: list[tuple[str, "Drawing"]] = field(default_factory=list)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    champions: np.ndarray | None = None
    best: int = 0
