"""Figures of Muijrers' thesis."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from neuroevo.report.plots import STYLE

PUBLISHED_CYCLES = 1740  # table 1, at α = 0.001
WINDOW = 50  # number of games over which the share of wins is averaged; chosen by judgement


def total_errors(cycles: np.ndarray, errors: dict[str, np.ndarray], printed: dict[str, float], what: str) -> Figure:
    """Total errors over the number of presentations: the median and the central 90 % of the runs.

    cycles: Int[cycles], numbers of presentations
    errors: learning rate → Float[games cycles replicas]
    printed: learning rate → the paper's last error
    """
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(5.2, 3.4))
        for number, (name, values) in enumerate(errors.items()):
            finite = np.nan_to_num(np.moveaxis(values, 1, 0).reshape(len(cycles), -1), nan=np.inf, posinf=np.inf)
            low, median, high = np.quantile(finite, [0.05, 0.5, 0.95], axis=1, method="nearest")
            colour = f"C{number}"
            axes.plot(cycles + 1, median, color=colour, linewidth=1, label=name)
            axes.fill_between(cycles + 1, low, high, color=colour, alpha=0.2, linewidth=0)
            if name in printed:
                axes.plot(cycles[-1] + 1, printed[name], "o", color=colour, markersize=5, clip_on=False)
        axes.axhline(0.1, color="black", linewidth=0.6, linestyle="--")
        axes.set(xscale="log", yscale="log", xlim=(1, cycles[-1] + 1), xlabel="games shown + 1", ylabel="total error")
        axes.set_title(f"{what}; bands: 5 to 95 %, dots: published", fontsize=8)
        axes.legend(fontsize=7)
        return figure


def cycles_needed(cycles: dict[str, np.ndarray], what: str) -> Figure:
    """Histogram of the number of presentations until the error is small, with the published number as a line.

    cycles: learning rate → Int[runs that converged]
    """
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(5.2, 2.8))
        some = [values for values in cycles.values() if values.size]
        bins = np.geomspace(100, max([values.max() for values in some], default=100) + 1, 40).tolist()
        for number, (name, values) in enumerate(cycles.items()):
            axes.hist(values, bins, color=f"C{number}", alpha=0.6, label=f"{name} ({values.size} runs converged)")
        axes.axvline(PUBLISHED_CYCLES, color="black", linewidth=0.8, linestyle="--", label="published, α = 0.001")
        axes.set(xscale="log", xlabel="games shown", ylabel="runs")
        axes.set_title(what, fontsize=8)
        axes.legend(fontsize=7)
        return figure


def stones(counts: dict[str, np.ndarray]) -> Figure:
    """Heat maps of counts[rows, columns], the number of stones put on each point, by name."""
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, panels = plt.subplots(1, len(counts), figsize=(1 + 2.4 * len(counts), 2.9), squeeze=False)
        for axes, (name, values) in zip(panels[0], counts.items(), strict=True):
            axes.imshow(values / max(values.sum(), 1) * values.size, cmap="viridis", vmin=0, vmax=4)
            axes.set(xticks=[], yticks=[])
            axes.set_title(name, fontsize=7)
        figure.colorbar(panels[0][0].images[0], ax=panels[0], label="stones (1: evenly spread)", shrink=0.7)
        return figure


def waves(results: dict[str, np.ndarray], printed: float) -> Figure:
    """Moving averages of the share of games that seat 0 wins, one panel for each of the results.

    results: name → Float[replicas games], for seat 0
    printed: the published share
    """
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(len(results), 1, figsize=(5.6, 0.6 + 1.9 * len(results)), squeeze=False)
        for axes, (name, values) in zip(panels[:, 0], results.items(), strict=True):
            window = min(WINDOW, values.shape[1])
            for wins in values > 0:
                axes.plot(np.convolve(wins, np.ones(window) / window, "valid"), linewidth=0.8)
            axes.axhline(printed, color="black", linewidth=0.6, linestyle="--")
            axes.set(ylim=(-0.02, 1.02), xlabel="game", ylabel="seat 0 wins")
            axes.set_title(f"{name}: means of {window} games, {len(values)} replicas; dashed: published", fontsize=8)
        return figure
