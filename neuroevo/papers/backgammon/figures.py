"""Figures of the experiments with backgammon."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from neuroevo.report.plots import AVERAGE, BEST, STYLE

Curve = tuple[np.ndarray, np.ndarray]  # generations, and shares[generations, players]


def against_pubeval(tests: Curve, truth: Curve, what: str) -> Figure:
    """Best and average player of each generation: lines for the tests, dots for those with more games."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.4, 3.4))
        for name, how, colour in (("best", np.max, BEST), ("average", np.mean, AVERAGE)):
            axes.plot(tests[0], how(tests[1], axis=1), color=colour, label=name, linewidth=0.7)
            axes.plot(truth[0], how(truth[1], axis=1), "o", color=colour, markersize=3)
        axes.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
        axes.set(ylim=(0, 0.8), xlabel="generation", ylabel="wins against Pubeval")
        axes.set_title(what, fontsize=8)
        axes.legend(loc="upper left", fontsize=7)
        return figure


def weights(at: np.ndarray, measures: np.ndarray, what: str) -> Figure:
    """Curves of measures[generations, 4]: plies of a game, share truncated, norm of the weights, diversity."""
    with plt.rc_context(STYLE):
        figure, (above, below) = plt.subplots(2, 1, figsize=(6.4, 4.4), sharex=True)
        above.plot(at, measures[:, 2], color=BEST, linewidth=0.8, label="norm of a player's weights, mean")
        above.plot(at, measures[:, 3], color=AVERAGE, linewidth=0.8, label="distance from the mean player, mean")
        above.set(ylabel="weights", yscale="log", ylim=(None, 100))  # room for the legend
        above.legend(fontsize=7, loc="upper right")
        below.plot(at, measures[:, 0], color="black", linewidth=0.6)
        below.set(ylabel="plies of a game", xlabel="generation")
        above.set_title(what, fontsize=8)
        return figure


def learning(at: np.ndarray, tested: np.ndarray, errors: np.ndarray, batch: int) -> Figure:
    """Curves of tested[tests, networks] after `at` games, and of errors[batches, networks], `batch` games each."""
    with plt.rc_context(STYLE):
        figure, (above, below) = plt.subplots(2, 1, figsize=(6.0, 4.4), sharex=True)
        above.plot(at, tested, color=BEST, linewidth=0.7)
        above.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
        above.set(ylabel="wins against Pubeval", ylim=(0, 0.8))
        above.set_title(f"TD(λ), {tested.shape[1]} networks", fontsize=8)
        below.plot(batch * np.arange(1, 1 + len(errors)), errors, color=AVERAGE, linewidth=0.5)
        below.set(ylabel="mean squared error of values", xlabel="games of self-play", yscale="log")
        return figure


def cells(curves: dict[str, Curve]) -> Figure:
    """One curve for each design: (games played, mean shares that its champions win against Pubeval)."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.0, 3.8))
        for number, (name, (games, shares)) in enumerate(curves.items()):
            style = "--" if name.endswith("/all") else ":" if name.endswith("/mirrored") else "-"
            axes.plot(games, shares, style, linewidth=0.9, label=name, color=plt.get_cmap("tab20")(number % 20))
        axes.axhline(0.5, color="black", linewidth=0.6, linestyle="--")
        axes.set(xlabel="games played", ylabel="wins against Pubeval", ylim=(0, 0.7))
        axes.set_title(
            "champions of designs players/rivals/games a pair/past champions/variation, mean of replicas", fontsize=8
        )
        axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
        return figure
