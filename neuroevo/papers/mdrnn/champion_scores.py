"""Fresh games of many champions against a fixed opponent, which no evolution has seen."""

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.runtime.lab import Lab
from neuroevo.tasks import VersusOpponent, retest


def absolute_scores(
    lab: Lab, name: str, task: VersusOpponent, stream: jax.Array, champions: np.ndarray, chunk: int
) -> np.ndarray:
    """Mean scores[replicas, count] over `task.games` games of champions[replicas, count, genes], in a loop of the lab
    with `chunk` champions a replica at a time.
    """
    replicas, count, _ = champions.shape
    side = min(chunk, count)
    starts = range(0, count, side)

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        which = np.minimum(np.arange(starts[number], starts[number] + side), count - 1)
        score, _ = retest(task, stream, jnp.asarray(champions[:, which]), task.games)
        tree["score"][:, which] = np.asarray(score).mean(-1)
        return tree, {"tested": (number + 1) * side * replicas}, f"{task.games} games each"

    return lab.loop(name, len(starts), {"score": np.zeros((replicas, count), np.float32)}, step)["score"]
