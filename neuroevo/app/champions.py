"""Champions on disk: the genomes with all that is needed to play them again."""

import io
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import files
from jaxgames.players import Greedy
from neuroevo.app import config
from neuroevo.players.champion import Champion
from neuroevo.runtime.settings import ConfigError, RunConfig

GENOMES, ABOUT = "champion.npz", "champion.json"


def save(folder: Path, genomes: np.ndarray, best: int, run: RunConfig) -> None:
    """Writes genomes[replicas, genes] and which of them is the best."""
    buffer = io.BytesIO()
    np.savez(buffer, genomes=genomes, best=best)
    files.write(folder / GENOMES, buffer.getvalue())
    about = {key: value for key, value in run.shown().items() if key in ("game", "network", "task")}
    files.write_json(folder / ABOUT, {"experiment": run.experiment, **about})


def load(run_folder: Path | str, replica: int | None = None) -> Champion:
    """The champion of a run as a player: the best one, or that of one replica.

    Raises FileNotFoundError where the run has no champion, and ConfigError for a game or network unknown here.
    """
    champion = _load(run_folder, replica)
    if isinstance(champion, Greedy):
        raise ConfigError(f"the champion of {run_folder} plays backgammon: see python -m neuroevo.serve fibs")
    return champion


def load_backgammon(run_folder: Path | str, replica: int | None = None) -> Greedy:
    """As `load`, of a run of backgammon."""
    champion = _load(run_folder, replica)
    if not isinstance(champion, Greedy):
        raise ConfigError(f"the champion of {run_folder} plays {champion.game.title}, not backgammon")
    return champion


def _load(run_folder: Path | str, replica: int | None) -> Champion | Greedy:
    folder = Path(run_folder) / "champion"
    about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    with np.load(folder / GENOMES) as saved:
        genome = saved["genomes"][int(saved["best"]) if replica is None else replica]
    task = config.task_of(RunConfig(**{group: about[group] for group in ("game", "network", "task")}))
    return jax.tree.map(lambda leaf: leaf[0], task.player(jnp.asarray(genome)[None]))
