"""Files of Pente games: the format is known by the content when read, by the name when written."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from jaxgames.files import MOST_BYTES
from jaxgames.files import read as read_file
from jaxgames.files import write as write_file
from jaxgames.records.errors import Place, RecordError
from jaxgames.records.pente import table, text
from jaxgames.records.pente.record import Record

GZIP = b"\x1f\x8b"  # its first bytes
TITLES = "\t".join(table.COLUMNS)


def read(path: str | Path) -> list[Record]:
    """The games of a text or a table, packed by gzip or not. Raises RecordError at the first one that is wrong."""
    records = []
    for record in parse(read_file(path), str(path)):
        if isinstance(record, RecordError):
            raise record
        records.append(record)
    return records


def parse(content: bytes, file: str) -> Iterator[Record | RecordError]:
    """The games of a file's content, each as far as it can be understood. `file`: how errors call it.

    Raises RecordError where it has no known format.
    """
    for number, (game_id, parse_one) in enumerate(_games(_decode(content, file), file), 1):
        try:
            yield parse_one()
        except RecordError as error:
            yield error.at(Place(file, number, game_id))


def _games(content: str, file: str) -> Iterator[tuple[str | None, Callable[[], Record]]]:
    """(id, function that parses it) of every game."""
    first, _, rest = content.partition("\n")
    if first.rstrip("\r") == TITLES:
        for line in rest.removesuffix("\n").split("\n") if rest else []:
            yield line.partition("\t")[0] or None, partial(table.parse, line.rstrip("\r"))
    elif content.lstrip().startswith("["):
        for lines in text.games(content):
            yield None, partial(text.parse, lines)
    else:
        raise RecordError("this is neither a game of pente.org nor a table of games", place=Place(file))


def _decode(content: bytes, file: str) -> str:
    try:
        return (_unpack(content) if content.startswith(GZIP) else content).decode()
    except (EOFError, OSError, zlib.error) as error:
        raise RecordError(f"it cannot be unpacked: {error}", place=Place(file)) from error
    except UnicodeDecodeError as error:
        raise RecordError(f"it is not UTF-8: {error}", place=Place(file)) from error


def _unpack(content: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        unpacked = packed.read(MOST_BYTES + 1)
    if len(unpacked) > MOST_BYTES:
        raise OSError(f"there are more than {MOST_BYTES:,} bytes")
    return unpacked


def write(path: str | Path, records: Iterable[Record]) -> None:
    """Writes a table if the name ends in .tsv or .tsv.gz, else text; packed if it ends in .gz."""
    name = Path(path).name
    if name.removesuffix(".gz").endswith(".tsv"):
        content = "".join([f"{TITLES}\n", *map(table.write, records)])
    else:
        content = "".join(map(text.write, records))
    encoded = content.encode()
    write_file(path, gzip.compress(encoded, mtime=0) if name.endswith(".gz") else encoded)
