"""Whose a run folder is: it holds the config of its run, and only that run may go on in it."""

import json
from pathlib import Path

from jaxgames import files
from neuroevo.runtime.settings import ConfigError, RunConfig

CONFIG = "config.json"
MAY_CHANGE = "resume", "tracker", "devices", "checkpoint_every", "retest_games", "sample_games", "title"


def check_folder(run: RunConfig, folder: Path) -> None:
    """Raises ConfigError if the folder belongs to another run, or if a run is to be resumed that is not there."""
    path, mine = folder / CONFIG, run.shown()
    if run.resume is None:
        if path.exists():
            raise ConfigError(f"{folder} holds a run already; go on with it by resume={folder}")
        return
    if not folder.is_dir():
        raise ConfigError(f"resume: there is no run folder {folder}")
    if path.exists():
        theirs = json.loads(path.read_text(encoding="utf-8"))
        for key in [*mine, *(key for key in theirs if key not in mine)]:
            if key not in MAY_CHANGE and mine.get(key) != theirs.get(key):
                raise ConfigError(f"resume: {key} was {theirs.get(key)!r} in {folder} and is {mine.get(key)!r} now")


def claim_folder(run: RunConfig, folder: Path) -> None:
    """Makes the folder this run's own. Raises ConfigError as `check_folder` does."""
    check_folder(run, folder)
    if not (folder / CONFIG).exists():
        files.write_json(folder / CONFIG, run.shown())
