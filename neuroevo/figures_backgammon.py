"""Figures of backgammon's experiments; for what all figures share see `figures`."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from neuroevo.figures import AVERAGE, BEST, STYLE, save

Curve = tuple[np.ndarray, np.ndarray]  # generations, and shares[generations, players]


def against_pubeval(path: Path, tests: Curve, truth: Curve, what: str) -> None:
    """The best and the average player of a generation in its tests, and in those with more games."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.4, 3.4))
        for (at, shares), style in ((tests, {"linewidth": 0.7}), (truth, {"linestyle": "", "marker": "o", "ms": 3})):
            for label, values, colour in (("best", shares.max(1), BEST), ("average", shares.mean(1), AVERAGE)):
                axes.plot(at, values, color=colour, label=label if "linewidth" in style else None, **style)
        axes.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
        axes.set(ylim=(0, 0.8), xlabel="generation", ylabel="share of games won against Pubeval")
        axes.set_title(what, fontsize=8)
        axes.legend(loc="upper left", fontsize=7)
        save(figure, path)


def weights(path: Path, at: np.ndarray, measures: np.ndarray, what: str) -> None:
    """measures[generations, 4]: plies of a game, share broken off, norm of the weights and diversity."""
    with plt.rc_context(STYLE):
        figure, (above, below) = plt.subplots(2, 1, figsize=(6.4, 4.4), sharex=True)
        above.plot(at, measures[:, 2], color=BEST, linewidth=0.8, label="norm of a player's weights, mean")
        above.plot(at, measures[:, 3], color=AVERAGE, linewidth=0.8, label="distance from the mean player, mean")
        above.set(ylabel="weights", yscale="log")
        above.legend(fontsize=7)
        below.plot(at, measures[:, 0], color="black", linewidth=0.6)
        below.set(ylabel="plies of a game", xlabel="generation")
        above.set_title(what, fontsize=8)
        save(figure, path)


def learning(path: Path, at: np.ndarray, tested: np.ndarray, errors: np.ndarray, batch: int) -> None:
    """tested[tests, networks] after `at` games; errors[batches, networks], each of `batch` games."""
    with plt.rc_context(STYLE):
        figure, (above, below) = plt.subplots(2, 1, figsize=(6.0, 4.4), sharex=True)
        above.plot(at, tested, color=BEST, linewidth=0.7)
        above.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
        above.set(ylabel="share of games won against Pubeval", ylim=(0, 0.8))
        above.set_title(f"TD(λ), {tested.shape[1]} networks", fontsize=8)
        below.plot(batch * np.arange(1, 1 + len(errors)), errors, color=AVERAGE, linewidth=0.5)
        below.set(ylabel="mean squared error of values", xlabel="games of self-play", yscale="log")
        save(figure, path)
