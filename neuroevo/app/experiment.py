"""One run, from its config to its folder:

outputs/<experiment>/<date_time>/
    results.json  report.html  figures/  tables/  games/  champion/  history.npz  checkpoints/  config.json
    wandb/  .hydra/
"""

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxgames import files
from neuroevo.app import champions, config
from neuroevo.report import page
from neuroevo.report.findings import Findings
from neuroevo.runtime import tracking
from neuroevo.runtime.checkpoint import CheckpointError
from neuroevo.runtime.interrupts import deferred_interrupts
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.provenance import provenance
from neuroevo.runtime.run_folder import claim_folder
from neuroevo.runtime.settings import ConfigError, RunConfig


def run(run: RunConfig, folder: Path, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Runs the study of the config and reports. Returns the contents of results.json.

    `overrides` are kept in the results: what the user changed. Raises ConfigError if the folder holds another run, and
    SystemExit after SIGTERM (143) or Ctrl-C (130).
    """
    evolution, study = config.build(run), config.make("study", run.study)
    claim_folder(run, folder)
    settings = {key: value for key, value in dataclasses.asdict(run).items() if key != "tracker"}
    name = f"{run.experiment} seed {run.seed}"
    tracker = tracking.start(config.make("tracker", run.tracker), folder, name, settings)
    exit_code, summary = 1, {}
    try:
        with deferred_interrupts() as interrupts:
            lab = Lab(run, folder, interrupts, tracker.log, config.make("data", run.data))
            findings = study.run(evolution, lab)
            results = _results(lab, findings, overrides)
            _write(lab, findings, results, tracker)
        summary = {claim["id"]: claim["ours"] for claim in results["claims"]}
        exit_code = 0
        return results
    except CheckpointError as error:
        raise ConfigError(f"resume: {error}") from error
    except SystemExit as exit:
        exit_code = int(exit.code or 0)
        raise
    finally:
        tracker.finish(summary, exit_code)


def _results(lab: Lab, findings: Findings, overrides: Sequence[str]) -> dict[str, Any]:
    run = lab.run
    return {
        "experiment": run.experiment,
        "paper": run.paper,
        "scale": run.scale,
        "overrides": list(overrides),
        **provenance(),
        "seeds": [run.seed],
        "size": findings.size,
        "games": findings.games,
        "seconds": round(lab.seconds, 2),
        "compile_seconds": round(lab.compile_seconds, 2),
        "games_per_second": round(findings.games / max(lab.seconds, 1e-9)),
        "claims": [claim.json() for claim in findings.claims],
        "tables": [table.json() for table in findings.tables],
    }


def _write(lab: Lab, findings: Findings, results: dict[str, Any], tracker: tracking.Tracker) -> None:
    run, folder, sample = lab.run, lab.folder, findings.sample
    if sample:
        files.write(folder / "games" / "champion.txt", "\n".join(record for record, _ in sample))
        tracker.page("champion_games", page.games_page(sample))
    for number, (_, drawing) in enumerate(sample, 1):
        files.write(folder / "games" / f"champion_{number}.svg", drawing.svg)
    if findings.champions is not None:
        champions.save(folder / "champion", findings.champions, findings.best, run)
    for table in findings.tables:
        files.write(folder / "tables" / f"{table.id}.csv", page.table_csv(table.json()))
    files.write(folder / "history.npz", _npz(findings.arrays))
    report = page.report_page(run.title, results, findings.pictures, sample)
    files.write(folder / "report.html", report)
    for picture in findings.pictures:
        tracker.picture(picture.stem, picture)
    files.write_json(folder / "results.json", results)  # last: where it stands the run is complete


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()
