"""Champions on disk: their genomes, and the config of the game, network and task that they play with."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import console, files
from jaxgames.players import Greedy
from neuroevo.app import config
from neuroevo.players.champion import Champion
from neuroevo.runtime.settings import ConfigError, RunConfig

GENOMES, ABOUT = "champion.npz", "champion.json"
GROUPS = "game", "network", "task"  # the config groups that a champion is built from
MOST = 1_000_000  # largest number in ABOUT; chosen by judgement
MOST_ABOUT = 2**20  # largest number of bytes of ABOUT; chosen by judgement


def save(folder: Path, genomes: np.ndarray, best: int, run: RunConfig) -> None:
    """Writes genomes[replicas, genes], the number `best` of the best one, and the configs to play them with."""
    buffer = io.BytesIO()
    np.savez(buffer, genomes=genomes, best=best)
    files.write(folder / GENOMES, buffer.getvalue())
    about = {key: value for key, value in run.shown().items() if key in GROUPS}
    files.write_json(folder / ABOUT, {"experiment": run.experiment, **about})


def load(run_folder: Path | str, replica: int | None = None) -> Champion:
    """The champion of a run as a player: the best one, or the one of replica `replica`.

    Raises FileNotFoundError or NotADirectoryError if the run has no champion, and ConfigError, which names the file,
    for whatever else is wrong with it: a game, network or task that is not registered here, genes that do not fit,
    content of another kind. Also raises ConfigError if the game is backgammon. Nothing in the files is executed.
    """
    champion = _load(run_folder, replica)
    if isinstance(champion, Greedy):
        raise ConfigError(f"the champion of {run_folder} plays backgammon: see python -m neuroevo.serve fibs")
    return champion


def load_backgammon(run_folder: Path | str, replica: int | None = None) -> Greedy:
    """As `load`, but for runs of backgammon only. Raises ConfigError for any other game."""
    champion = _load(run_folder, replica)
    if not isinstance(champion, Greedy):
        raise ConfigError(f"the champion of {run_folder} plays {champion.game.title}, not backgammon")
    return champion


def _load(run_folder: Path | str, replica: int | None) -> Champion | Greedy:
    if not str(run_folder):
        raise ConfigError("the path of a run's folder is missing")
    folder = Path(run_folder) / "champion"
    with _blaming(folder / ABOUT):
        about = _about(files.read(folder / ABOUT, MOST_ABOUT))
    with _blaming(folder / GENOMES):
        try:
            genome = _genome(files.read(folder / GENOMES), replica)
        except FileNotFoundError as error:
            raise ConfigError("there is no such file") from error
    with _blaming(folder / ABOUT):
        _check_numbers(about["network"], genome.size, "its genome has")
        task = config.task_of(RunConfig(**{group: about[group] for group in GROUPS}))
        return jax.tree.map(lambda leaf: leaf[0], task.player(jnp.asarray(_genes(genome, task))[None]))


@contextmanager
def _blaming(file: Path) -> Iterator[None]:
    """Turns all errors of the block into a ConfigError about this file, which may hold anything.

    FileNotFoundError and NotADirectoryError stay: there is no such file.
    """
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise ConfigError(console.one_line(error)) from error
    except RecursionError as error:
        raise ConfigError(console.one_line(f"{file}: it is nested too deeply")) from error
    except Exception as error:
        raise ConfigError(console.one_line(f"{file}: {error or type(error).__name__}")) from error


def _about(content: bytes) -> dict[str, Any]:
    """The configs of a champion's game, network and task. Raises ValueError for other content."""
    about = json.loads(content.decode(), parse_constant=_refuse)
    if not isinstance(about, dict) or not all(isinstance(about.get(group), dict) for group in GROUPS):
        raise ValueError(f"a champion has {', '.join(GROUPS)}, each with its values")
    for group in GROUPS:
        _check_numbers(about[group], MOST, "there may be")
    return about


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _check_numbers(values: Any, most: int, why: str) -> None:
    """Raises ValueError for a number larger than `most`, so that nothing huge is built."""
    if isinstance(values, dict | list):
        for key, value in values.items() if isinstance(values, dict) else enumerate(values):
            if isinstance(value, int | float) and not abs(value) <= most:
                raise ValueError(f"{key} = {value} is too much: {why} {most:,}")
            _check_numbers(value, most, why)


def _genome(content: bytes, replica: int | None) -> np.ndarray:
    """The genome of a replica, or the best one, from a file of `save`. Raises ValueError for other content."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(member.file_size for member in packed.infolist()) > files.MOST_BYTES:
            raise ValueError(f"unpacked it has more than {files.MOST_BYTES:,} bytes")
    with np.load(io.BytesIO(content), allow_pickle=False) as saved:
        genomes, best = saved["genomes"], saved["best"]
    if genomes.ndim != 2 or not genomes.size or genomes.dtype.kind not in "fiu" or best.shape != ():
        raise ValueError("genomes must be numbers of [replicas, genes], and best the number of a replica")
    chosen = int(best) if replica is None else replica
    if not 0 <= chosen < len(genomes):
        raise ValueError(f"there is no replica {chosen}: they are 0 to {len(genomes) - 1}")
    if not np.isfinite(genomes[chosen]).all():
        raise ValueError(f"not all genes of replica {chosen} are finite numbers")
    return genomes[chosen]


def _genes(genome: np.ndarray, task: Any) -> np.ndarray:
    """The genome with the type of the task's genes. Raises ValueError if it does not fit the task's network."""
    if genome.size != task.genes:
        raise ValueError(f"such a network has {task.genes:,} genes, and the genome has {genome.size:,}")
    genes = genome.astype(task.gene_type)
    if genes.dtype.kind in "iu" and (genes != genome).any():
        raise ValueError(f"not all genes are of type {genes.dtype}")
    return genes
