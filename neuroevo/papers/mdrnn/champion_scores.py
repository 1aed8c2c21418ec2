"""New games of many champions against a fixed opponent, outside evolution."""

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.runtime.lab import Lab
from neuroevo.tasks import VersusOpponent, retest


def absolute_scores(
    lab: Lab, name: str, task: VersusOpponent, stream: jax.Array, champions: np.ndarray, chunk: int
) -> np.ndarray:
    """Float[replicas count]: mean scores of champions over `task.games` games each.

    name: of the loop in the lab
    stream: random numbers of the games
    champions: [replicas count genes]
    chunk: number of champions of a replica that play at the same time
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
