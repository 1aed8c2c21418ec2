"""Reading files that may be anything, and writing files so that an interrupted write never leaves a broken one."""

import errno
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

MOST_BYTES = 128 * 2**20  # of a file that is read at once


def read(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file. Raises OSError where there is none, where it is no regular file (a pipe, a device, a
    folder) and where it has more than `most` bytes; nothing of that kind is waited for or read to the end.
    """
    name = _checked(path)
    with open(name, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is not a regular file", name)
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"the file has more than {most:,} bytes", name)
    return content


def check_writable(path: str | Path) -> None:
    """Raises OSError where no file can be written at `path`, as far as that can be known before."""
    name = _checked(path)
    try:
        there = os.stat(name).st_mode
    except (FileNotFoundError, NotADirectoryError):
        there = stat.S_IFREG
    if not stat.S_ISREG(there):
        raise OSError(errno.EINVAL, "this exists and is not a regular file", name)
    folder = Path(name).parent
    while not os.path.lexists(folder):
        folder = folder.parent
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error


def _checked(path: str | Path) -> str:
    name = os.fspath(path)
    if "\0" in name:
        raise OSError(errno.EINVAL, "a path has no NUL character", name)
    if not name:
        raise OSError(errno.ENOENT, "the path is empty", name)
    return name


def write(path: str | Path, content: str | bytes) -> None:
    """Replaces `path` in one step, by a file that is complete on disk."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:200]}.")
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
