"""The run folder. It holds the config of its run; only that run may use it, and only one process at a time."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jaxgames import files
from neuroevo.runtime.provenance import commit
from neuroevo.runtime.settings import ConfigError, RunConfig

try:
    import fcntl
except ImportError:  # on systems without fcntl nothing is locked
    fcntl = None

CONFIG, CODE, LOCK = "config.json", "commits.json", ".lock"
# Settings that a resumed run may change: they do not change what was computed before.
MAY_CHANGE = "resume", "tracker", "devices", "checkpoint_every", "retest_games", "sample_games", "title"


def check_folder(run: RunConfig, folder: Path) -> None:
    """Raises ConfigError if the folder belongs to another run, or if the run to be resumed does not exist."""
    path, mine = folder / CONFIG, run.shown()
    if run.resume is None:
        if path.exists():
            raise ConfigError(f"{folder} holds a run already; go on with it by resume={folder}")
        return
    if not folder.is_dir():
        raise ConfigError(f"resume: there is no run folder {folder}")
    if path.exists():
        theirs = read_json(path)
        for key in [*mine, *(key for key in theirs if key not in mine)]:
            if key not in MAY_CHANGE and mine.get(key) != theirs.get(key):
                raise ConfigError(f"resume: {key} was {theirs.get(key)!r} in {folder} and is {mine.get(key)!r} now")


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises ConfigError for any other content."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:  # ValueError: not JSON, not UTF-8
        raise ConfigError(f"resume: {path} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"resume: {path} holds no settings, but a {type(value).__name__}")
    return value


def claim_folder(run: RunConfig, folder: Path) -> list[str]:
    """Writes the run's config and commit to the folder. Returns all commits that computed in it, this one last.

    Raises ConfigError as `check_folder` does.
    """
    check_folder(run, folder)
    if not (folder / CONFIG).exists():
        files.write_json(folder / CONFIG, run.shown())
    path = folder / CODE
    before = list(map(str, read_json(path).get("commits", []))) if path.exists() else []
    commits = before if before and before[-1] == commit() else [*before, commit()]
    if commits != before:
        files.write_json(path, {"commits": commits})
    return commits


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Within the block no other process can hold the folder. The system frees the lock of a process that has died.

    Raises ConfigError, which names host and process, if another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a+", encoding="utf-8") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                file.seek(0)
                raise ConfigError(f"{folder} is in use by {file.read().strip() or 'another process'}") from error
            except OSError:  # a file system without locks
                pass
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield
