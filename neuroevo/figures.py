"""Figures for print: one idea each, axes with units, n in the title."""

import io
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from jaxgames import files

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
        save(figure, path)


def fitness_curves(path: Path, fitness: dict[str, np.ndarray], what: str, unit: str) -> None:
    """Network → fitness[generations, replicas, population]: the best of each replica, their mean, the average."""
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
        save(figure, path)


def wins_by_test(path: Path, wins: dict[tuple[str, str], np.ndarray], what: str, window: int) -> None:
    """(network, test) → wins of the best network, means over the replicas and over `window` generations."""
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
        save(figure, path)


def coevolution_run(path: Path, absolute: np.ndarray, dominants: list[int], game: str) -> None:
    """absolute[champions], of both populations in turn → their scores, the dominant ones marked (figure 7)."""
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
        save(figure, path)


def ciao(path: Path, cells: np.ndarray, later: np.ndarray, game: str) -> None:
    """cells[first population's champions, second's] as they are and from the side of the later champion (figure 8)."""
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
        save(figure, path)


def size_scatter(path: Path, pairs: np.ndarray, what: str, sizes: tuple[int, int]) -> None:
    """pairs[networks, 2] → one point per network (figures 5 and 10)."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(3.4, 3.4))
        axes.plot([-1, 1], [-1, 1], color="black", linewidth=0.6)
        axes.plot(pairs[:, 0], pairs[:, 1], "o", color=AVERAGE, markersize=2, alpha=0.4, markeredgewidth=0)
        labels = [f"mean score on {size}×{size}" for size in sizes]
        axes.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), xlabel=labels[0], ylabel=labels[1])
        axes.set_title(f"{what}\n{len(pairs):,} networks", fontsize=8)
        save(figure, path)


def activations(path: Path, stones: np.ndarray, output: np.ndarray, what: str) -> None:
    """stones[rows, columns] (1 black, −1 white, 0 none) beside the network's output there (figure 2)."""
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
        save(figure, path)


def cross_table(
    path: Path, names: tuple[str, ...], score: np.ndarray, rating: np.ndarray, game: str, games: int
) -> None:
    """score[players, players] of row against column, strongest first."""
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
        save(figure, path)


def percentiles(path: Path, scores: dict[tuple[str, str, int], np.ndarray], game: str) -> None:
    """(opponent, network, size) → scores of random networks, sorted (figures 3 and 4)."""
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
        save(figure, path)


def total_errors(
    path: Path, cycles: np.ndarray, errors: dict[str, np.ndarray], printed: dict[str, float], what: str
) -> None:
    """Rate → errors[games, cycles, replicas] after `cycles`: median, central 90 %; `printed`: the paper's last ones."""
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
        save(figure, path)


def cycles_needed(path: Path, cycles: dict[str, np.ndarray], what: str) -> None:
    """Rate → cycles[runs that converged]; the published 1740 as a line."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(5.2, 2.8))
        some = [values for values in cycles.values() if values.size]
        bins = np.geomspace(100, max([values.max() for values in some], default=100) + 1, 40).tolist()
        for number, (name, values) in enumerate(cycles.items()):
            axes.hist(values, bins, color=f"C{number}", alpha=0.6, label=f"{name} ({values.size} runs converged)")
        axes.axvline(1740, color="black", linewidth=0.8, linestyle="--", label="published, α = 0.001")
        axes.set(xscale="log", xlabel="games shown", ylabel="runs")
        axes.set_title(what, fontsize=8)
        axes.legend(fontsize=7)
        save(figure, path)


def stones(path: Path, counts: dict[str, np.ndarray]) -> None:
    """Name → how many stones were put on each point[rows, columns]."""
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, panels = plt.subplots(1, len(counts), figsize=(1 + 2.4 * len(counts), 2.9), squeeze=False)
        for axes, (name, values) in zip(panels[0], counts.items(), strict=True):
            axes.imshow(values / max(values.sum(), 1) * values.size, cmap="viridis", vmin=0, vmax=4)
            axes.set(xticks=[], yticks=[])
            axes.set_title(name, fontsize=7)
        figure.colorbar(panels[0][0].images[0], ax=panels[0], label="stones (1: evenly spread)", shrink=0.7)
        save(figure, path)


def waves(path: Path, results: dict[str, np.ndarray], printed: float) -> None:
    """Name → results[replicas, games] for seat 0: the share that it wins over fifty games."""
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(len(results), 1, figsize=(5.6, 0.6 + 1.9 * len(results)), squeeze=False)
        for axes, (name, values) in zip(panels[:, 0], results.items(), strict=True):
            window = min(50, values.shape[1])
            for wins in values > 0:
                axes.plot(np.convolve(wins, np.ones(window) / window, "valid"), linewidth=0.8)
            axes.axhline(printed, color="black", linewidth=0.6, linestyle="--")
            axes.set(ylim=(-0.02, 1.02), xlabel="game", ylabel="seat 0 wins")
            axes.set_title(f"{name}: means of {window} games, {len(values)} replicas; dashed: published", fontsize=8)
        save(figure, path)


def save(figure: plt.Figure, path: Path) -> None:  # type: ignore[name-defined]
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    files.write(path, buffer.getvalue())
