"""Figures for print, and the style of all figures: one idea each, axes with units, n in the title."""

import io
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from jaxgames import files

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "figure.dpi": 200,
    "figure.constrained_layout.use": True,
}
BEST, AVERAGE = "#b2182b", "#2166ac"


def fitness_curves(fitness: dict[str, np.ndarray], what: str, unit: str) -> Figure:
    """Best and average of fitness[generations, replicas, population], one panel for each kind of network.

    Thin lines are the best of each replica.
    """
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            1, len(fitness), figsize=(1.4 + 3.4 * len(fitness), 3.2), sharey=True, squeeze=False
        )
        for axes, (name, values) in zip(panels[0], fitness.items(), strict=True):
            best = values.max(2)
            axes.plot(best, color=BEST, linewidth=0.4, alpha=0.35)
            axes.plot(best.mean(1), color=BEST, linewidth=1, label="best, mean of the replicas")
            axes.plot(values.mean((1, 2)), color=AVERAGE, linewidth=1, label="average")
            axes.set(xlabel="generation", title=f"{name}, {values.shape[1]} replicas")
        panels[0][0].set_ylabel(f"fitness ({unit})")
        panels[0][0].legend(loc="lower right", fontsize=7)
        figure.suptitle(what, fontsize=8)
        return figure


def cross_table(names: tuple[str, ...], score: np.ndarray, rating: np.ndarray, game: str, games: int) -> Figure:
    """The heat map of score[players, players], points per game of row against column, strongest player first."""
    order = np.argsort(-rating, kind="stable")
    with plt.rc_context({**STYLE, "axes.grid": False}):
        side = 1.6 + 0.55 * len(names)
        figure, axes = plt.subplots(figsize=(side + 1.2, side))
        cells = np.where(np.eye(len(names), dtype=bool), np.nan, score)[np.ix_(order, order)]
        image = axes.imshow(cells, cmap="RdBu_r", vmin=0, vmax=1)
        for row, column in np.argwhere(np.isfinite(cells)):
            colour = "white" if abs(cells[row, column] - 0.5) > 0.3 else "black"
            axes.text(column, row, f"{cells[row, column]:.2f}", ha="center", va="center", fontsize=7, color=colour)
        labels = [f"{names[i]} ({rating[i]:+.0f})" for i in order]
        axes.set_yticks(range(len(names)), labels)
        axes.set_xticks(range(len(names)), [names[i] for i in order], rotation=60, ha="right")
        figure.colorbar(image, ax=axes, label="points per game of row against column", shrink=0.8)
        axes.set_title(f"{game}, {games} games a pair; in brackets: Bradley–Terry rating", fontsize=8)
        return figure


def save(figure: Figure, path: Path) -> None:
    """Writes a figure as a PNG file and closes it."""
    buffer = io.BytesIO()
    with plt.rc_context(STYLE):
        figure.savefig(buffer, format="png")
    plt.close(figure)
    files.write(path, buffer.getvalue())
