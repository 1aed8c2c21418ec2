"""Games as a table of tab-separated values, one a line, under a line of column names."""

from datetime import datetime

from jaxgames.records.errors import RecordError
from jaxgames.records.pente.record import Record, actions_of, names_of

COLUMNS = ["gid", "date", "rated", "days_per_move", "p1", "p2", "r1", "r2", "result", "end", "plies", "moves"]
HEADERS = {  # column → header of the text form that says the same
    "date": "Date",
    "rated": "Rated",
    "days_per_move": "TimeControl",
    "p1": "Player 1 Name",
    "p2": "Player 2 Name",
    "r1": "Player 1 Rating",
    "r2": "Player 2 Rating",
    "result": "Result",
}
TABLE_DATE, TEXT_DATE = "%Y-%m-%d", "%m/%d/%Y"


def parse(line: str) -> Record:
    """The record of one line. Empty cells are not on record. Raises RecordError."""
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise RecordError(f"there must be {len(COLUMNS)} columns, not {len(cells)}")
    row = dict(zip(COLUMNS, cells, strict=True))
    names = row["moves"].split()
    if row["plies"] != str(len(names)):
        raise RecordError(f"there are {len(names)} moves, and plies says {row['plies']!r}")
    row["date"] = _date(row["date"], TABLE_DATE, TEXT_DATE)
    headers = {"Game": "Pente"} | {header: row[column] for column, header in HEADERS.items() if row[column]}
    return Record(headers, actions_of(names), row["result"], row["end"] or None, row["gid"] or None)


def write(record: Record) -> str:
    """One line. Headers that have no column are lost. Raises RecordError where it could not be read again."""
    if record.headers.get("Game", "Pente") != "Pente":
        raise RecordError(f"a table is of Pente, not of {record.headers['Game']}")
    row = {column: record.headers.get(header, "") for column, header in HEADERS.items()}
    row["date"] = _date(row["date"], TEXT_DATE, TABLE_DATE)
    row |= {"gid": record.game_id or "", "end": record.ending or "", "result": record.result}
    row |= {"plies": str(len(record.actions)), "moves": " ".join(names_of(record.actions))}
    for column, value in row.items():
        if "\t" in value or "\n" in value:
            raise RecordError(f"{column} cannot be {value!r} in a table")
    return "\t".join(row[column] for column in COLUMNS) + "\n"


def _date(text: str, old: str, new: str) -> str:
    try:
        return datetime.strptime(text, old).strftime(new) if text else ""
    except ValueError as error:
        raise RecordError(f"{text!r} is not a date of the form {old}") from error
