"""python -m benchmarks [--games NAME …] [--players KIND …] [--batch N] [--peers] [--json FILE]"""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from jaxgames import devices

SHOWN = {
    "games_per_second": "games/s",
    "plies_per_second": "plies/s",
    "compile_seconds": "compile s",
    "peak_mb": "peak MB",
    "busy": "busy",
}


def main() -> None:
    arguments = _arguments()
    devices.set_up(arguments.devices)
    from benchmarks import cases, measure, networks, peers  # JAX is set up first

    chosen = [
        dataclasses.replace(case, batch=arguments.batch or case.batch)
        for case in cases.DEFAULT
        if (not arguments.games or case.game in arguments.games)
        and (not arguments.players or case.players in arguments.players)
        and (not arguments.sizes or case.size in arguments.sizes)
    ]
    console = Console(highlight=False)
    rows: list[dict[str, Any]] = []
    for case in chosen:
        measure.check_games(case)
        row = measure.row(case, measure.time_case(case, arguments.repeats))
        rows.append(row)
        _print(console, row)
        if arguments.peers and case.players == "random":
            for peer in peers.rows(case.game, case.size):
                peer["ratio"] = round(row["games_per_second"] / peer["games_per_second"], 1)
                rows.append({**{key: row[key] for key in ("device", "jax", "commit")}, **peer})
                _print(console, peer)
    if not arguments.players or "mdrnn" in arguments.players:
        for size in arguments.sizes or (5, 9, 19):
            row = networks.mdrnn_row(size, arguments.repeats)
            rows.append(row)
            _print(console, row)
    console.print(_table(rows))
    if arguments.json:
        with Path(arguments.json).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Games per second, ours and of peers.")
    parser.add_argument("--games", nargs="*", choices=["atari_go", "gomoku"], help="only these games")
    parser.add_argument("--sizes", nargs="*", type=int, help="only boards of these sizes")
    parser.add_argument("--players", nargs="*", choices=["random", "naive", "mdrnn-naive", "mdrnn"], help="only these")
    parser.add_argument("--batch", type=int, help="lanes, instead of each case's own number")
    parser.add_argument("--repeats", type=int, default=5, help="of which the median counts")
    parser.add_argument("--devices", type=int, help="CPU devices; one per core if absent")
    parser.add_argument("--peers", action="store_true", help="also time Pgx and OpenSpiel where installed")
    parser.add_argument("--json", metavar="FILE", help="append one JSON line per row")
    return parser.parse_args()


def _print(console: Console, row: dict[str, Any]) -> None:
    console.print(" ".join(f"{key}={value}" for key, value in row.items() if key not in ("device", "jax", "commit")))


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table("game", "size", "players", "batch", *SHOWN.values(), "ours / peer", box=None)
    for row in rows:
        if "game" in row:
            who = row.get("peer", row["players"])
            numbers = [f"{row[key]:,}" if row.get(key) is not None else "" for key in SHOWN]
            table.add_row(row["game"], str(row["size"]), who, f"{row['batch']:,}", *numbers, str(row.get("ratio", "")))
    return table


if __name__ == "__main__":
    main()
