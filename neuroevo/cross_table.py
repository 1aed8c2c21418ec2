"""A cross table of champions of runs and hand-coded players, each against all others.

python -m neuroevo.cross_table [NAME=]RUN_FOLDER… naive random --games 400 --out table

prints the table with ratings and writes table.csv and table.png.
"""

import argparse
import errno
import sys
from collections.abc import Sequence
from pathlib import Path

import jax.numpy as jnp

from jaxgames import console, devices, files
from jaxgames.arena import CrossTable, ratings, round_robin
from jaxgames.core import Player, StoneGame
from jaxgames.players import PLAYERS
from neuroevo.app import champions
from neuroevo.players.champion import Champion
from neuroevo.report import plots
from neuroevo.runtime.settings import ConfigError

MOST_GAMES = 1_000_000  # largest number of games of a pair in one direction; chosen by judgement


def gather(words: Sequence[str]) -> tuple[StoneGame, dict[str, Player]]:
    """(the game of the runs, all players by name) for the command line's words.

    Raises ConfigError for an unknown player, two players of one name, no run, and runs of different games.
    """
    networks: dict[str, Champion] = {}
    for word in words:
        name, _, folder = word.rpartition("=")
        if word not in PLAYERS:
            try:
                networks[_new(name or Path(folder).parent.name, networks)] = champions.load(folder)
            except (FileNotFoundError, NotADirectoryError) as error:
                options = ", ".join(PLAYERS)
                raise ConfigError(f"{word} is neither a run with a champion nor one of {options}") from error
    if not networks:
        raise ConfigError("name the folder of at least one run: it says which game is played")
    games = {player.game for player in networks.values()}
    if len(games) > 1:
        titles = " and ".join(sorted(game.title for game in games))
        raise ConfigError(f"the champions play different games: {titles}")
    (game,) = games
    players: dict[str, Player] = dict(networks)
    for word in words:
        if word in PLAYERS:
            players[_new(word, players)] = PLAYERS[word](game)
    return game, players


def _new(name: str, taken: dict) -> str:
    if not name.isprintable() or set(name) & {",", '"'}:
        raise ConfigError(f"a player cannot be called {name!r} in a table: write OTHER_NAME=RUN_FOLDER")
    if name in taken:
        raise ConfigError(f"two players are called {name}: write OTHER_NAME=RUN_FOLDER")
    return name


def paths(out: Path) -> tuple[Path, Path]:
    """(`out`.csv, `out`.png). Raises OSError if they cannot be written."""
    if not out.name:
        raise OSError(errno.EINVAL, "--out must be a file name without its ending", str(out))
    both = out.with_name(f"{out.name}.csv"), out.with_name(f"{out.name}.png")
    for path in both:
        files.check_writable(path)
    return both


def write(table: CrossTable, game: StoneGame, out: Path) -> None:
    """Writes `out`.csv and `out`.png. Raises OSError if that fails."""
    numbers, picture = paths(out)
    files.write(numbers, table.csv())
    figure = plots.cross_table(table.names, table.score, ratings(table), game.title, table.games)
    plots.save(figure, picture)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m neuroevo.cross_table", description="Plays each player against all others and rates them."
    )
    parser.add_argument("player", nargs="+", help=f"[NAME=]RUN_FOLDER, or one of {', '.join(PLAYERS)}")
    parser.add_argument(
        "--games",
        type=console.whole_number(2, MOST_GAMES),
        default=400,
        help="number of games of each pair and direction, even",
    )
    parser.add_argument("--seed", type=console.seed, default=0, help="of all random numbers")
    parser.add_argument("--out", type=Path, default=Path("cross_table"), help="name of the files, without suffix")
    chosen = parser.parse_args(arguments)
    devices.set_up()
    try:
        paths(chosen.out)  # before hours of games
        game, players = gather(chosen.player)
        table = round_robin(game, players, jnp.uint32(chosen.seed), chosen.games)
        print(table, flush=True)
        write(table, game, chosen.out)
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:  # ConfigError is one
        console.say(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(console.run(main))
