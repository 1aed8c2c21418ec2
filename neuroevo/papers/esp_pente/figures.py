"""Figures of Schrum's paper."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from neuroevo.report.plots import STYLE


def wins_by_test(wins: dict[tuple[str, str], np.ndarray], what: str, window: int) -> Figure:
    """One curve for each (network, test), one panel for each network.

    wins: shares of games that the best network wins, means over the replicas and over `window` generations
    """
    networks = list(dict.fromkeys(network for network, _ in wins))
    with plt.rc_context(STYLE):
        size = 1.4 + 3.4 * len(networks), 3.2
        figure, panels = plt.subplots(1, len(networks), figsize=size, sharey=True, squeeze=False)
        for axes, network in zip(panels[0], networks, strict=True):
            for (kind, test), curve in wins.items():
                if kind == network:
                    axes.plot(curve, linewidth=0.9, label=test)
            axes.set(ylim=(0, 1.02), xlabel="generation (first of the mean)", title=network)
        panels[0][0].set_ylabel(f"share of games won (mean of {window} generations)")
        panels[0][-1].legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
        figure.suptitle(what, fontsize=8)
        return figure
