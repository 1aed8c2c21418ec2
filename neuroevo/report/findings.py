"""The results of a study: claims, tables, figures, games."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jaxgames.arena.tables import Table
from neuroevo.report.claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jaxgames.render import Drawing

__all__ = ["Findings", "Table"]


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
