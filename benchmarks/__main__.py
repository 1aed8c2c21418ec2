"""python -m benchmarks [--games NAME …] [--players KIND …] [--batch N] [--peers] [--json FILE]"""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import cases, peers
from jaxgames import devices

SHOWN = {
    "games_per_second": "games/s",
    "plies_per_second": "plies/s",
    "afterstates_per_second": "afterstates/s",
    "nodes_per_second": "nodes/s",
    "compile_seconds": "compile s",
    "peak_mb": "peak MB",
    "busy": "busy",
    "microseconds_per_board": "µs/board",
}


def main() -> None:
    arguments = _arguments()
    devices.set_up(arguments.devices)
    console = Console(highlight=False, soft_wrap=True)
    rows: list[dict[str, Any]] = []

    def add(row: dict[str, Any]) -> None:
        rows.append(row)
        shown = {
            key: value for key, value in row.items() if value is not None and key not in ("device", "jax", "commit")
        }
        console.print(" ".join(f"{key}={value}" for key, value in shown.items()))

    choice = cases.Choice(arguments.games, arguments.sizes, arguments.players, arguments.batch)
    for case in cases.chosen(choice):
        row = case.row(arguments.repeats)
        add(row)
        if arguments.peers and case.players == "random":
            for peer in peers.rows(row["game"], row["size"]):
                add({**peer, "ratio": round(row["games_per_second"] / peer["games_per_second"], 1)})
    if not rows:
        raise SystemExit("no case fits these choices")
    console.print(_table(rows))
    if arguments.json:
        with Path(arguments.json).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Games per second, ours and of peers.")
    parser.add_argument("--games", nargs="*", choices=cases.game_names(), help="only these games")
    parser.add_argument("--sizes", nargs="*", type=int, help="only boards of these sizes")
    parser.add_argument("--players", nargs="*", choices=cases.player_names(), help="only these")
    parser.add_argument("--batch", type=int, help="lanes, instead of each case's own number")
    parser.add_argument("--repeats", type=int, default=5, help="of which the median counts")
    parser.add_argument("--devices", type=int, help="CPU devices; one per core if absent")
    parser.add_argument("--peers", action="store_true", help="also time Pgx and OpenSpiel where installed")
    parser.add_argument("--json", metavar="FILE", help="append one JSON line per row")
    return parser.parse_args()


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table("game", "size", "players", "batch", *SHOWN.values(), "ours / peer", box=None)
    for row in rows:
        who = row.get("peer", row["players"])
        numbers = [f"{row[key]:,}" if row.get(key) is not None else "" for key in SHOWN]
        table.add_row(
            row["game"] or "", str(row["size"] or ""), who, f"{row['batch']:,}", *numbers, str(row.get("ratio", ""))
        )
    return table


if __name__ == "__main__":
    main()
