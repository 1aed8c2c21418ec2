"""The generated tables of README.md and docs/papers. Their source is the kept results, docs/papers/results/*.json."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jaxgames import files
from neuroevo.report.findings import Table
from neuroevo.report.page import number_text, verdict

RESULTS, FIGURES = Path("docs/papers/results"), Path("docs/papers/figures")
# Keys that a kept run may set on the command line.
KEEP_ALLOWS = "exp", "scale", "seed", "replicas", "resume", "devices", "checkpoint_every", "tracker.mode"
# Further such keys, whose values become part of the result's name.
KEEP_NAMES = (
    "game",
    "network",
    "strategy",
    "strategy.name",
    "task",
    "merge",
    "data.path",
    "evaluation",
    "study",
)
BLOCK = re.compile(r"(<!-- results (?P<kind>\w+) (?P<name>[\w.]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


def claims_table(results: dict[str, Any]) -> str:
    """Markdown: the published number and ours, one row per claim."""
    columns = "claim", "published", "ours (95 % interval)", "n", "rule", "holds"
    rows = [
        (claim["what"], claim["published"], number_text(claim), str(claim["n"]), claim["rule"], verdict(claim))
        for claim in results["claims"]
    ]
    return Table("claims", "The published numbers and ours", columns, rows).markdown()


def table_markdown(results: dict[str, Any], table_id: str) -> str:
    """Markdown: one of the study's tables. Raises ValueError for an unknown `table_id`."""
    for table in results["tables"]:
        if table["id"] == table_id:
            return Table(**table).markdown()
    raise ValueError(f"{results['experiment']} has no table {table_id!r}")


def cost_line(results: dict[str, Any]) -> str:
    """Markdown: number of games, time, device, versions and size of a run."""
    commit = results["commit"] or "unknown"
    return (
        f"{results['games']:,} games in {results['seconds']:.1f} s of computing "
        f"({results['games_per_second']:,} games/s; {results['compile_seconds']:.0f} s of compiling) on "
        f"{results['device']}, jax {results['jax']}, commit {commit}; seed {results['seeds'][0]}, {results['size']}.\n"
    )


def summary_table(folder: Path) -> str:
    """Markdown: one row per experiment and game. Variants with other parts are on the pages of the papers only."""
    columns = "experiment", "claims that hold", "games", "seconds", "games/s"
    rows = []
    for results in _all_results(folder):
        if any(not choice.startswith("game=") for choice in _choices(results)):
            continue
        tested = [claim for claim in results["claims"] if claim["holds"] is not None]
        held = sum(claim["holds"] for claim in tested)
        name, share = f"`{command(results)}` ({results['paper']})", f"{held} of {len(tested)}"
        speed = f"{results['games_per_second']:,}"
        rows.append((name, share, f"{results['games']:,}", f"{results['seconds']:.0f}", speed))
    return Table("summary", "All kept results", columns, rows).markdown()


def speed_table(folder: Path, name: str) -> str:
    """Markdown: speed of random play in benchmarks/results/<name>.jsonl beside the peer libraries of the same call."""
    lines = (folder / "benchmarks" / "results" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["players"] == "random"]
    columns = "random play", "ours, games/s", "peer", "peer, games/s", "ours / peer"
    cells = []
    ours: dict[tuple[str, int], int] = {}
    for row in rows:
        game, speed = (row["game"], row["size"]), row["games_per_second"]
        if "peer" not in row:
            ours[game] = speed
            continue
        what = f"{row['game']} {row['size']}×{row['size']}"
        cells.append((what, f"{ours[game]:,}", row["peer"], f"{speed:,}", f"{row['ratio']:,.0f}"))
    template = "{device}, jax {jax}, commit {commit}"
    where = "; ".join(dict.fromkeys(template.format(**row) for row in rows if "peer" in row))
    return Table("speed", "Random play", columns, cells).markdown() + f"\nOn {where}.\n"


def comparison_table(folder: Path, claim_id: str) -> str:
    """Markdown: one claim in all results that have it, one row each."""
    rows = []
    for results in _all_results(folder):
        rows += [
            (f"`{command(results)}`", number_text(claim), str(claim["n"]))
            for claim in results["claims"]
            if claim["id"] == claim_id
        ]
    return Table("comparison", claim_id, ("experiment", "ours (95 % interval)", "n"), rows).markdown()


def command(results: dict[str, Any]) -> str:
    """The arguments of `python -m neuroevo` that repeat a kept result."""
    return " ".join([f"+exp={results['experiment']}", *_choices(results)])


def _choices(results: dict[str, Any]) -> list[str]:
    return [o.lstrip("+") for o in results["overrides"] if o.lstrip("+").split("=")[0] in KEEP_NAMES]


def _results(folder: Path, name: str) -> dict[str, Any]:
    return json.loads((folder / RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def _all_results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / RESULTS).glob("*.json"))]


def with_tables(text: str, folder: Path) -> str:
    """`text` with every block between `<!-- results KIND NAME -->` and `<!-- end -->` generated anew.

    claims NAME: the claims of a result
    cost NAME: the size and the cost of a run
    table NAME.TABLE: one of a result's tables, such as `mdrnn_scaling.table_1`
    compare NAME: one claim in all results
    speed NAME: a file of benchmarks/results
    summary all: all results

    Raises ValueError for another KIND, and FileNotFoundError if there is no such result.
    """

    def block(match: re.Match) -> str:
        kind, name = match["kind"], match["name"]
        writers: dict[str, Callable[[], str]] = {
            "summary": lambda: summary_table(folder),
            "compare": lambda: comparison_table(folder, name),
            "speed": lambda: speed_table(folder, name),
            "claims": lambda: claims_table(_results(folder, name)),
            "cost": lambda: cost_line(_results(folder, name)),
            "table": lambda: table_markdown(_results(folder, name.partition(".")[0]), name.partition(".")[2]),
        }
        if kind not in writers:
            raise ValueError(f"unknown kind of table {kind!r}; there are {', '.join(writers)}")
        return match[1] + writers[kind]() + match[5]

    return BLOCK.sub(block, text)


def pages(folder: Path) -> list[Path]:
    """The files of a checkout that have generated tables."""
    return [folder / "README.md", *sorted((folder / "docs" / "papers").glob("*.md"))]


def stale_pages(folder: Path) -> list[Path]:
    """The pages whose tables differ from the results."""
    texts = {path: path.read_text(encoding="utf-8") for path in pages(folder)}
    return [path for path, text in texts.items() if with_tables(text, folder) != text]


def keep(run_folder: Path, folder: Path) -> None:
    """Copies a run's results and figures into the project.

    Their name is that of the experiment and of the choices in KEEP_NAMES that differ from it. Raises ValueError unless
    the run is at scale=paper, from a clean commit, and changed no other settings.
    """
    results = json.loads((run_folder / "results.json").read_text(encoding="utf-8"))
    if results["scale"] != "paper":
        raise ValueError(f"{run_folder} is at scale={results['scale']}; only runs at scale=paper are kept")
    changed = [o for o in results["overrides"] if o.lstrip("+").split("=")[0] not in (*KEEP_ALLOWS, *KEEP_NAMES)]
    if changed:
        raise ValueError(f"{run_folder} changed {', '.join(changed)}; only the experiment as it stands is kept")
    if results["commit"] is None or results["commit"].endswith("+"):
        raise ValueError(f"{run_folder} ran from uncommitted code; commit first, so that the result has a source")
    results["overrides"] = [  # a path of a machine is shortened to its last name
        f"{o.partition('=')[0]}={Path(o).name}" if o.startswith(("resume=", "data.path=")) else o
        for o in results["overrides"]
    ]
    values = [choice.partition("=")[2].lower().partition(".")[0] for choice in _choices(results)]
    name = "_".join([results["experiment"], *values])
    files.write_json(folder / RESULTS / f"{name}.json", results)
    for picture in sorted((run_folder / "figures").glob("*.png")):
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, folder / FIGURES / f"{name}_{picture.name}")
