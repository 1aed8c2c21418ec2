"""Files are written whole or not at all."""

from pathlib import Path


def save(path: str | Path, content: bytes) -> None:
    """Writes a file; an interrupted write leaves the old one as it was."""
    partial_file = Path(path).with_name(f".{Path(path).name}.partial")
    partial_file.write_bytes(content)
    partial_file.replace(path)
