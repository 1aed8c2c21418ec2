"""One run, from its config to its folder:

outputs/<experiment>/<date_time>/
    results.json  report.html  figures/  games/  champion/  history.npz  checkpoints/  config.json
    wandb/  .hydra/
"""

import dataclasses
import io
import json
import logging
import subprocess
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neuroevo import __version__, champions, config, files, report, tracking
from neuroevo.checkpoint import CheckpointError, Checkpoints
from neuroevo.config import ConfigError, RunConfig
from neuroevo.evolution import Evolution
from neuroevo.interrupts import deferred_interrupts
from neuroevo.studies import training as study
from neuroevo.training import Trained, train

log = logging.getLogger(__name__)

MAY_CHANGE = "resume", "tracker", "devices", "checkpoint_every", "retest_games", "sample_games", "title"


def run(run: RunConfig, folder: Path) -> dict[str, Any]:
    """Evolves, concludes and reports. Returns the contents of results.json.

    Raises ConfigError if the folder holds another run, and SystemExit after SIGTERM (143) or Ctrl-C (130).
    """
    evolution = config.build(run)
    _claim(folder, run)
    checkpoints = Checkpoints(folder / "checkpoints")
    tracker_config = config.make("tracker", run.tracker)
    settings = {key: value for key, value in dataclasses.asdict(run).items() if key != "tracker"}
    tracker = tracking.start(tracker_config, folder, f"{run.experiment} seed {run.seed}", settings)
    exit_code = 1
    summary: dict[str, Any] = {}
    try:
        with deferred_interrupts() as interrupts:
            trained = train(evolution, run.generations, checkpoints, run.checkpoint_every, interrupts, tracker.log)
        results = _conclude(run, evolution, trained, folder, tracker)
        summary = {claim["id"]: claim["ours"] for claim in results["claims"]}
        exit_code = 0
        return results
    except CheckpointError as error:
        raise ConfigError(f"resume: {error}") from error
    except SystemExit as exit:
        exit_code = int(exit.code or 0)
        raise
    finally:
        checkpoints.close()
        tracker.finish(summary, exit_code)


def _claim(folder: Path, run: RunConfig) -> None:
    """Makes the folder this run's own, or checks that a resumed run is the one that the folder holds."""
    path, mine = folder / "config.json", dataclasses.asdict(run)
    if run.resume is None:
        if path.exists():
            raise ConfigError(f"{folder} holds a run already; go on with it by resume={folder}")
        files.write_json(path, mine)
        return
    if path.exists():
        theirs = json.loads(path.read_text(encoding="utf-8"))
        for key in mine:
            if key not in MAY_CHANGE and mine[key] != theirs.get(key):
                raise ConfigError(f"resume: {key} was {theirs.get(key)!r} in {folder} and is {mine[key]!r} now")
    else:
        files.write_json(path, mine)


def _conclude(
    run: RunConfig, evolution: Evolution, trained: Trained, folder: Path, tracker: tracking.Tracker
) -> dict[str, Any]:
    history = trained.history
    test = study.examine(evolution, history, run.retest_games)
    results = {
        "experiment": run.experiment,
        "paper": run.paper,
        "scale": run.scale,
        **_provenance(),
        "seeds": [run.seed],
        "replicas": run.replicas,
        "generations": run.generations,
        "games": run.generations * evolution.games_per_generation,
        "seconds": round(float(history.seconds.sum()), 2),
        "compile_seconds": round(trained.compile_seconds, 2),
        "games_per_second": round(run.generations * evolution.games_per_generation / float(history.seconds.sum())),
        "claims": [claim.json() for claim in study.claims(evolution, history, test)],
    }
    pictures = study.draw_figures(evolution, history, folder / "figures")
    sample = study.sample_games(evolution, history, test, run.sample_games)
    files.write(folder / "games" / "champion.txt", "\n".join(record for record, _ in sample))
    for number, (_, drawing) in enumerate(sample, 1):
        files.write(folder / "games" / f"champion_{number}.svg", drawing.svg)
    champions.save(folder / "champion", history.champions[-1], test.best, run)
    files.write(folder / "history.npz", _npz({**history.measures, "champions": history.champions}))
    page = report.page(run.title, results, pictures, sample)
    files.write(folder / "report.html", page)
    for picture in pictures:
        tracker.picture(picture.stem, picture)
    tracker.page("champion_games", report.games_page(sample))
    files.write_json(folder / "results.json", results)  # last: where it stands the run is complete
    return results


def _provenance() -> dict[str, Any]:
    device = jax.devices()[0]
    kind = f"{device.device_kind} × {jax.device_count()}" if device.platform != "cpu" else f"CPU × {jax.device_count()}"
    return {"commit": commit(), "version": __version__, "device": kind, "jax": jax.__version__}


def commit() -> str | None:
    """The commit of the checkout that the code runs from, with "+" if it was changed since; None elsewhere."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/jaxgames", ":/neuroevo", ":/conf")
        return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()
