"""One run, from its config to its folder:

outputs/<experiment>/<date_time>/
    results.json  report.html  figures/  games/  champion/  history.npz  checkpoints/  config.json
    wandb/  .hydra/
"""

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from neuroevo import champions, config, files, report, tracking
from neuroevo.checkpoint import CheckpointError, Checkpoints
from neuroevo.config import ConfigError, RunConfig
from neuroevo.evolution import Evolution
from neuroevo.interrupts import deferred_interrupts
from neuroevo.provenance import provenance
from neuroevo.run_folder import claim_folder
from neuroevo.studies import training as study
from neuroevo.training import Trained, train


def run(run: RunConfig, folder: Path, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Evolves, concludes and reports. Returns the contents of results.json.

    `overrides` are kept in the results: what the user changed. Raises ConfigError if the folder holds another run, and
    SystemExit after SIGTERM (143) or Ctrl-C (130).
    """
    evolution = config.build(run)
    claim_folder(run, folder)
    checkpoints = Checkpoints(folder / "checkpoints")
    settings = {key: value for key, value in dataclasses.asdict(run).items() if key != "tracker"}
    name = f"{run.experiment} seed {run.seed}"
    tracker = tracking.start(config.make("tracker", run.tracker), folder, name, settings)
    exit_code, summary = 1, {}
    try:
        with deferred_interrupts() as interrupts:
            trained = train(evolution, run.generations, checkpoints, run.checkpoint_every, interrupts, tracker.log)
            interrupts.obey_at_once()  # all is saved
            results = _conclude(run, evolution, trained, folder, tracker, overrides)
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


def _conclude(
    run: RunConfig,
    evolution: Evolution,
    trained: Trained,
    folder: Path,
    tracker: tracking.Tracker,
    overrides: Sequence[str],
) -> dict[str, Any]:
    history = trained.history
    test = study.examine(evolution, history, run.retest_games)
    results = {
        "experiment": run.experiment,
        "paper": run.paper,
        "scale": run.scale,
        "overrides": list(overrides),
        **provenance(),
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


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()
