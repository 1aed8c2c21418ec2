"""Figures of Schaul & Schmidhuber's paper."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from neuroevo.report.plots import AVERAGE, BEST, STYLE


def evolution_curves(fitness: np.ndarray, game: str, games: int) -> Figure:
    """Best and average of fitness[generations, replicas, population], mean ± one s.d. over replicas (figure 6)."""
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
        return figure


def coevolution_run(absolute: np.ndarray, dominants: list[int], game: str) -> Figure:
    """The scores absolute[champions], of both populations in turn. Dominant champions are marked (figure 7)."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(5.2, 3.2))
        generations = np.arange(len(absolute))
        for population, colour in enumerate((BEST, AVERAGE)):
            mine = slice(population, None, 2)
            name = f"population {population + 1}"
            axes.plot(generations[mine], absolute[mine], color=colour, linewidth=0.8, alpha=0.7, label=name)
            marked = [g for g in dominants if g % 2 == population]
            axes.plot(marked, absolute[marked], "o", color=colour, markersize=4, label=f"dominant, {name}")
        axes.axhline(0, color="black", linewidth=0.6)
        axes.set(ylim=(-1, 1), xlabel="generation", ylabel="mean score against the naive player")
        axes.set_title(f"{game}: champions of one coevolution, {len(dominants)} dominant", fontsize=8)
        axes.legend(loc="lower right", fontsize=7, ncols=2)
        return figure


def ciao(cells: np.ndarray, later: np.ndarray, game: str) -> Figure:
    """The CIAO plot of cells[champions of population 1, champions of population 2] (figure 8).

    later: the same scores for the later champion of each pair
    """
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, both = plt.subplots(1, 2, figsize=(6.6, 3.2))
        titles = "score of population 1", "score of the later champion"
        for axes, values, title in zip(both, (cells, later), titles, strict=True):
            side = 2 * len(values)
            axes.imshow(values.T, cmap="gray", vmin=-1, vmax=1, origin="lower", extent=(0, side, 0, side))
            axes.set(xlabel="generation of population 1", ylabel="generation of population 2")
            axes.set_title(title, fontsize=8)
        figure.colorbar(both[0].images[0], ax=both, label="mean score (both start once)", shrink=0.8)
        figure.suptitle(f"{game}: {cells.size:,} pairs of champions, 2 games each", fontsize=8)
        return figure


def size_scatter(pairs: np.ndarray, what: str, sizes: tuple[int, int]) -> Figure:
    """One point for each of pairs[networks, 2], the scores on boards of two sizes (figures 5 and 10)."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(3.4, 3.4))
        axes.plot([-1, 1], [-1, 1], color="black", linewidth=0.6)
        axes.plot(pairs[:, 0], pairs[:, 1], "o", color=AVERAGE, markersize=2, alpha=0.4, markeredgewidth=0)
        labels = [f"mean score on {size}×{size}" for size in sizes]
        axes.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), xlabel=labels[0], ylabel=labels[1])
        axes.set_title(f"{what}\n{len(pairs):,} networks", fontsize=8)
        return figure


def activations(stones: np.ndarray, output: np.ndarray, what: str) -> Figure:
    """The board beside the output[rows, columns] of a network (figure 2).

    stones: [rows columns], 1 for black, −1 for white, 0 for none
    """
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, (board, map) = plt.subplots(1, 2, figsize=(6.2, 3.0), sharex=True, sharey=True)
        board.set_facecolor("#e3c08d")
        for stone, colour in ((1, "black"), (-1, "white")):
            rows, columns = np.nonzero(stones == stone)
            board.scatter(columns, rows, s=90, color=colour, edgecolors="black", linewidths=0.6, zorder=2)
        board.grid(True, color="black", alpha=0.4, linewidth=0.5)
        board.set(aspect="equal", title="board, White to move", xlabel="column", ylabel="row")
        image = map.imshow(output, cmap="gray", vmin=0, vmax=1)
        map.set(title="output, from White's side", xlabel="column")
        board.set(xticks=range(stones.shape[1]), yticks=range(stones.shape[0]))
        figure.colorbar(image, ax=map, label="preference (0 … 1)", shrink=0.8)
        figure.suptitle(f"{what}, one network", fontsize=8)
        return figure


def percentiles(scores: dict[tuple[str, str, int], np.ndarray], game: str) -> Figure:
    """Percentile curves of the scores of random networks, by (opponent, network, size) (figures 3 and 4)."""
    opponents = list(dict.fromkeys(opponent for opponent, _, _ in scores))
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(1, len(opponents), figsize=(6.6, 3.0), sharey=True, squeeze=False)
        for axes, opponent in zip(panels[0], opponents, strict=True):
            for (who, network, size), values in scores.items():
                if who == opponent:
                    share = 100 * (np.arange(len(values)) + 0.5) / len(values)
                    style = {"color": BEST if network == "mdrnn" else AVERAGE, "linestyle": "-" if size == 5 else "--"}
                    axes.plot(share, np.sort(values), label=f"{network.upper()}, {size}×{size}", **style)
            axes.axhline(0, color="black", linewidth=0.6)
            axes.set(xlim=(0, 100), ylim=(-1, 1), xlabel="percentile of random networks")
            axes.set_title(f"{game} against {opponent}", fontsize=8)
        panels[0][0].set_ylabel("mean score")
        panels[0][0].legend(fontsize=7)
        smallest = min(len(values) for values in scores.values())
        figure.suptitle(f"random weights, at least {smallest:,} networks a curve", fontsize=8)
        return figure
