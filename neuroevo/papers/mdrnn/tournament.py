"""Games among the champions of a run, and their analysis: dominance tournaments, CIAO plots, cycles.

score[i, j] is the mean score of champion i against champion j over both starting orders; it is antisymmetric.
"""

from dataclasses import dataclass

import jax
import numpy as np

from neuroevo.runtime.lab import Lab
from neuroevo.tasks import VersusOthers


@dataclass(frozen=True)
class Tournament:
    """All champions of a replica against each other, in the order of their generations."""

    score: np.ndarray  # Float[replicas champions champions], of row against column
    plies: np.ndarray  # Float[replicas champions champions], mean number of plies of a game


def everybody(
    lab: Lab, name: str, task: VersusOthers, streams: jax.Array, champions: np.ndarray, tile: int
) -> Tournament:
    """Plays all pairs of champions[replicas, count, genes] within each replica.

    name: of the loop in the lab
    streams: UInt32[replicas]
    tile: `tile` × `tile` pairs of a replica are played at the same time
    """
    replicas, count, _ = champions.shape
    side = min(tile, count)
    corners = [(i, j) for i in range(0, count, side) for j in range(i, count, side)]
    tree = {key: np.zeros((replicas, count, count), np.float32) for key in ("score", "plies")}
    every = np.arange(replicas)

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        rows, columns = (np.minimum(np.arange(start, start + side), count - 1) for start in corners[number])
        score, plies = jax.device_get(_tile(task, streams + number, champions[:, rows], champions[:, columns]))
        upper = rows[:, None] < columns[None]
        at = np.ix_(every, rows, columns)
        for key, values, sign in (("score", score, -1), ("plies", plies, 1)):
            tree[key][at] = np.where(upper, values, tree[key][at])
            back = np.ix_(every, columns, rows)
            tree[key][back] = np.where(upper.T, sign * values.transpose(0, 2, 1), tree[key][back])
        return tree, {"tournament/tiles": number + 1}, f"{len(corners)} tiles of {side} × {side} pairs"

    return Tournament(**lab.loop(name, len(corners), tree, step))


def _play_tile(task: VersusOthers, streams: jax.Array, rows: jax.Array, columns: jax.Array) -> tuple:
    results = task.play(streams, rows, columns)
    return task.score(results).mean(-1), results.plies.mean(-1)


_tile = jax.jit(_play_tile, static_argnums=0)


def dominants(score: np.ndarray, ties_count: bool = False) -> list[int]:
    """The dominant champions of score[champions, champions] (Stanley & Miikkulainen 2002).

    The first champion is dominant, and so is each later one that beats all dominant champions before it.
    ties_count: whether a tie counts as a win.
    """
    members: list[int] = []
    for champion in range(len(score)):
        margins = score[champion, members]
        if ((margins >= 0) if ties_count else (margins > 0)).all():
            members.append(champion)
    return members


def cyclic_share(score: np.ndarray) -> float:
    """Share of intransitive triads (i beats j, j beats k, k beats i) among the triads without a tie; nan without these.

    It is 0 if the champions have an order of strength, and 1/4 on average if coin flips decide.
    """
    beats = (score > 0).astype(float)
    decided = beats + beats.T
    triads = np.trace(decided @ decided @ decided) / 6
    return float(np.trace(beats @ beats @ beats) / 3 / triads) if triads else float("nan")


def ciao(score: np.ndarray) -> np.ndarray:
    """The cells of a plot of current individual against ancestral opponent (Cliff & Miller 1995).

    Champions of score[champions, champions] alternate between the two populations. The cells [generations generations]
    are the scores of the first population's champions against those of the second.
    """
    return score[0::2, 1::2]


def later_against_earlier(cells: np.ndarray) -> np.ndarray:
    """The cells of a CIAO plot as scores of the champion of the later generation."""
    first, second = np.indices(cells.shape)
    return np.where(first >= second, cells, -cells)


def corners(cells: np.ndarray) -> tuple[float, float]:
    """Mean scores of late against early champions in cells[generations, generations] of a CIAO plot.

    First the last quarter of population 1 against the first quarter of population 2, then with populations exchanged.
    """
    quarter = max(len(cells) // 4, 1)
    return float(cells[-quarter:, :quarter].mean()), float(-cells[:quarter, -quarter:].mean())


def game_lengths(plies: np.ndarray) -> tuple[float, float]:
    """Mean plies among the champions of the first quarter of the generations, and among those of the last."""
    quarter = max(len(plies) // 4, 2)
    pairs = np.triu_indices(quarter, 1)
    return float(plies[:quarter, :quarter][pairs].mean()), float(plies[-quarter:, -quarter:][pairs].mean())
