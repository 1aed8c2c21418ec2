"""Writing files so that an interrupted write never leaves a broken one."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write(path: str | Path, content: str | bytes) -> None:
    """Replaces `path` in one step, by a file that is complete on disk."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(path: str | Path, value: Any) -> None:
    """Replaces `path` in one step, see `write`. Raises ValueError for a number that JSON does not have."""
    write(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
