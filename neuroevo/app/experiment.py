"""One run, from its config to its folder.

outputs/<experiment>/<date_time>/
    results.json  report.html  figures/  tables/  games/  champion/  history.npz  checkpoints/  config.json
    wandb/  .hydra/
"""

import io
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxgames import files
from jaxgames.games.any_game import title_of as game_title
from neuroevo.app import champions
from neuroevo.app.config import Built
from neuroevo.app.registry import GROUPS
from neuroevo.papers import Study
from neuroevo.report import page, plots
from neuroevo.report.findings import Findings
from neuroevo.runtime import tracking
from neuroevo.runtime.checkpoint import CheckpointError
from neuroevo.runtime.interrupts import deferred_interrupts
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.provenance import provenance
from neuroevo.runtime.run_folder import claim_folder, locked
from neuroevo.runtime.settings import ConfigError, RunConfig


def run(built: Built, folder: Path, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Computes and concludes the study of a config and saves everything. Returns the contents of results.json.

    `overrides`: the user's changes of the config, which are kept in the results. Raises ConfigError if the folder holds
    another run, and SystemExit after SIGTERM (code 143) or Ctrl-C (code 130).
    """
    with locked(folder):
        return _run(built, folder, overrides)


def _run(built: Built, folder: Path, overrides: Sequence[str]) -> dict[str, Any]:
    settings, study = built.run, built.study
    commits = claim_folder(settings, folder)
    if len(commits) > 1:
        print(f"the run goes on with other code: it began with {commits[0]}, this is {commits[-1]}", file=sys.stderr)
    shown = {key: value for key, value in settings.shown().items() if key != "tracker"}
    tracker = tracking.start(built.tracker, folder, f"{settings.experiment} seed {settings.seed}", shown)
    exit_code, summary = 1, {}
    try:
        with deferred_interrupts() as interrupts:
            lab = Lab(settings, folder, interrupts, tracker.log)
            outcome = study.compute(lab)
            interrupts.obey_at_once()  # all that was computed is saved
            findings = study.conclude(outcome)
            results = _results(lab, study, findings, overrides)
            if len(commits) > 1:
                results["commits"] = commits
            _write(lab, findings, results, tracker)
        summary = {claim["id"]: claim["ours"] for claim in results["claims"]}
        exit_code = 0
        return results
    except CheckpointError as error:
        raise ConfigError(f"resume: {error}") from error
    except SystemExit as exit:
        exit_code = int(exit.code or 0)
        print(f"stopped; go on with\n  {resume_command(sys.argv[1:], folder)}", file=sys.stderr)
        raise
    finally:
        tracker.finish(summary, exit_code)


def resume_command(words: Sequence[str], folder: Path) -> str:
    """The command that resumes a run, quoted for the shell and for Hydra."""
    kept = [word for word in words if not word.startswith("resume=")]
    path = str(folder)
    value = path if re.fullmatch(r"[\w./-]+", path, re.ASCII) else "'" + path.replace("'", "\\'") + "'"
    return shlex.join(["python", "-m", "neuroevo", *kept, f"resume={value}"])


def title_of(run: RunConfig, overrides: Sequence[str]) -> str:
    """The experiment's title; if the user chose other groups, its name with these."""
    changed = [word for word in overrides if word.partition("=")[0].strip("+/") in GROUPS]
    return f"{run.experiment} with {', '.join(changed)}" if changed else run.title


def game_of(study: Study) -> str:
    """The title of the game that a study plays; empty if it plays none."""
    task: Any = getattr(getattr(study, "evolution", study), "task", study)
    return game_title(task.game) if hasattr(task, "game") else ""


def _results(lab: Lab, study: Study, findings: Findings, overrides: Sequence[str]) -> dict[str, Any]:
    run = lab.run
    return {
        "experiment": run.experiment,
        "title": title_of(run, overrides),
        "game": game_of(study),
        "paper": run.paper,
        "scale": run.scale,
        "overrides": list(overrides),
        **provenance(),
        "seeds": [run.seed],
        "size": findings.size,
        "games": findings.games,
        **({"faulty": lab.faulty} if lab.faulty else {}),
        "seconds": round(lab.seconds, 2),
        "compile_seconds": round(lab.compile_seconds, 2),
        "games_per_second": round(findings.games / max(lab.seconds, 1e-9)),
        "claims": [claim.json() for claim in findings.claims],
        "tables": [table.json() for table in findings.tables],
    }


def _write(lab: Lab, findings: Findings, results: dict[str, Any], tracker: tracking.Tracker) -> None:
    run, folder, sample = lab.run, lab.folder, findings.sample
    pictures = [folder / "figures" / f"{name}.png" for name in findings.figures]
    for picture, figure in zip(pictures, findings.figures.values(), strict=True):
        plots.save(figure, picture)
    for name, content in findings.files.items():
        files.write(folder / name, content)
    if sample:
        files.write(folder / "games" / "champion.txt", "\n".join(record for record, _ in sample))
        tracker.page("champion_games", page.games_page(sample))
    for number, (_, drawing) in enumerate(sample, 1):
        files.write(folder / "games" / f"champion_{number}.svg", drawing.svg)
    if findings.champions is not None:
        champions.save(folder / "champion", findings.champions, findings.best, run)
    for table in findings.tables:
        files.write(folder / "tables" / f"{table.id}.csv", table.csv())
    files.write(folder / "history.npz", _npz(findings.arrays))
    report = page.report_page(results["title"], results, pictures, sample)
    files.write(folder / "report.html", report)
    for picture in pictures:
        tracker.picture(picture.stem, picture)
    files.write_json(folder / "results.json", results)  # written last: its presence marks a finished run


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()
