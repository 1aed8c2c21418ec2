"""Figures about searching players of Othello."""

import numpy as np
from matplotlib.figure import Figure

from neuroevo.report.plots import AVERAGE, BEST, STYLE, plt


def points_by_level(panels: dict[str, dict[str, list]], what: str) -> Figure:
    """Bars of points per game with intervals (Moriarty & Miikkulainen 1994, figures 7 and 8).

    panels: title → who searches → an Estimate for each level of the opponent
    """
    names = {"focus": "focus network", "full": "full-width", "three": "best three moves"}
    with plt.rc_context(STYLE):
        figure, both = plt.subplots(1, len(panels), figsize=(1 + 3 * len(panels), 3.0), sharey=True, squeeze=False)
        for axes, (title, bars) in zip(both[0], panels.items(), strict=True):
            for number, (who, points) in enumerate(bars.items()):
                at = np.arange(1, len(points) + 1) + 0.26 * (number - (len(bars) - 1) / 2)
                reach = [[e.value - e.low for e in points], [e.high - e.value for e in points]]
                axes.bar(at, [e.value for e in points], 0.24, yerr=reach, label=names[who], error_kw={"linewidth": 0.8})
            axes.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
            axes.set(ylim=(0, 1), xlabel="level of the full-width opponent", title=title)
        both[0][0].set_ylabel("points per game")
        both[0][0].legend(fontsize=7)
        figure.suptitle(what, fontsize=8)
        return figure


def agreement(shares: dict[str, np.ndarray], kept: dict[str, float]) -> Figure:
    """How often the window holds the choice of a search (Moriarty & Miikkulainen 1994, figure 10).

    shares: side → Float[replicas levels]
    kept: side → share of all legal moves in the window, drawn dashed
    """
    networks, levels = next(iter(shares.values())).shape
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(4.2, 3.2))
        at = np.arange(1, levels + 1)
        for (side, values), colour in zip(shares.items(), (BEST, AVERAGE), strict=True):
            axes.plot(at, values.T, color=colour, linewidth=0.5, alpha=0.5)
            axes.plot(at, values.mean(0), color=colour, marker="o", label=f"{side} moves")
            axes.axhline(kept[side], color=colour, linewidth=0.7, linestyle="--")
        axes.set(xticks=at, xlabel="level of the full-width search", ylabel="share of its choices in the window")
        axes.set_title(f"{networks} networks; dashed: share of all legal moves", fontsize=8)
        axes.legend(fontsize=7)
        return figure


def calibration(curves: dict[str, tuple], what: str) -> Figure:
    """Calibration curves: the predicted chance to win and the share of positions won.

    curves: name → (chance, share, number of positions), each an array of bins
    """
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(3.8, 3.6))
        axes.plot([0, 1], [0, 1], color="black", linewidth=0.6)
        for (name, (said, came, _)), colour in zip(curves.items(), (BEST, AVERAGE), strict=True):
            axes.plot(said, came, color=colour, marker="o", markersize=3, linewidth=0.9, label=name)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="chance to win that is given", ylabel="share that is won")
        axes.set_title(what, fontsize=8)
        axes.legend(fontsize=7)
        return figure
