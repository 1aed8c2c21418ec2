"""The results of the project: keeps them, and generates the tables of README.md and docs/papers from them.

python -m neuroevo.report --keep RUN_FOLDER    makes a run at scale=paper the project's result of its experiment
python -m neuroevo.report --docs               generates all tables from docs/papers/results/*.json
python -m neuroevo.report --check              exits with code 1 if a table differs from the results
"""

import argparse
import sys
from pathlib import Path

from jaxgames import files
from neuroevo.report.docs import keep, stale_pages, with_tables


def main() -> None:
    """The command line. Exits with code 1 and one line on stderr for an error or a stale table."""
    parser = argparse.ArgumentParser(prog="python -m neuroevo.report", description="Tables from results.")
    parser.add_argument("--keep", metavar="RUN_FOLDER", type=Path, help="make this run the experiment's result")
    parser.add_argument("--docs", action="store_true", help="write all tables")
    parser.add_argument("--check", action="store_true", help="exit 1 if a table is stale")
    arguments = parser.parse_args()
    here = Path.cwd()
    if not (arguments.keep or arguments.docs or arguments.check):
        parser.error("one of --keep, --docs and --check is needed")
    if not (here / "docs" / "papers").is_dir():
        sys.exit(f"{here} is no checkout of the project: it has no docs/papers")
    try:
        if arguments.keep:
            keep(arguments.keep, here)
        if arguments.docs:
            for path in stale_pages(here):
                files.write(path, with_tables(path.read_text(encoding="utf-8"), here))
                print(f"wrote {path.relative_to(here)}")
        stale = stale_pages(here) if arguments.check else []
    except (ValueError, FileNotFoundError) as error:
        sys.exit(str(error))
    if stale:
        sys.exit(
            f"stale: {', '.join(str(path.relative_to(here)) for path in stale)}; run python -m neuroevo.report --docs"
        )


if __name__ == "__main__":
    main()
