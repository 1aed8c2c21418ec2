"""python -m jaxgames.records check FILE…: replays records of games by the rules; exit code 1 if any is wrong."""

import argparse
import sys
from collections.abc import Sequence

from jaxgames import console
from jaxgames.records.check import check
from jaxgames.records.errors import RecordError


def main(words: Sequence[str] | None = None) -> int:
    """The exit code. Errors go to stderr, one a line; counts to stdout, a line for each file."""
    parser = argparse.ArgumentParser(prog="python -m jaxgames.records", description=__doc__)
    parser.add_argument("command", choices=["check"])
    kinds = "text of pente.org or table, packed by gzip or not; Othello: .wtb; games/champion.txt of a run"
    parser.add_argument("files", nargs="+", metavar="FILE", help=kinds)
    code = 0
    for file in parser.parse_args(words).files:
        try:
            checked = check(file)
        except (OSError, RecordError) as error:
            console.say(error)
            code = 1
            continue
        for error in checked.errors:
            console.say(error)
            code = 1
        print(console.one_line(f"{file}: {checked}"), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(console.run(main))
