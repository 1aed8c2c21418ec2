"""Figures for print: one idea each, axes with units, n in the title."""

import io
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from neuroevo import files

matplotlib.use("Agg")
from matplotlib import pyplot as plt

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


def evolution_curves(path: Path, fitness: np.ndarray, game: str, games: int) -> None:
    """fitness[generations, replicas, population] → best and average, mean ± one standard deviation over replicas."""
    _, replicas, population = fitness.shape
    evaluations = population * np.arange(1, len(fitness) + 1)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(5.2, 3.2))
        for values, label, colour in ((fitness.max(2), "best", BEST), (fitness.mean(2), "average", AVERAGE)):
            middle, spread = values.mean(1), values.std(1)
            axes.plot(evaluations, middle, color=colour, label=label, marker="o" if len(fitness) == 1 else None)
            axes.fill_between(evaluations, middle - spread, middle + spread, color=colour, alpha=0.2, linewidth=0)
        axes.axhline(0, color="black", linewidth=0.6)
        axes.set(ylim=(-1, 1), xlim=(0, evaluations[-1]), xlabel="evaluations", ylabel="fitness (mean score per game)")
        axes.set_title(f"{game}\n{replicas} replicas, {games} games per evaluation; bands: ± 1 s.d.", fontsize=8)
        axes.legend(loc="lower right")
        _save(figure, path)


def _save(figure: plt.Figure, path: Path) -> None:  # type: ignore[name-defined]
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    files.write(path, buffer.getvalue())
