"""Champions of runs and hand-coded players, everybody against everybody:

python -m neuroevo.cross_table [NAME=]RUN_FOLDER… naive random --games 400 --out table

prints the cross table with ratings and writes table.csv and table.png.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import jax.numpy as jnp

from jaxgames import devices, files
from jaxgames.arena import CrossTable, ratings, round_robin
from jaxgames.core import Player, StoneGame
from jaxgames.players import PLAYERS
from neuroevo.app import champions
from neuroevo.players.champion import Champion
from neuroevo.report import plots
from neuroevo.runtime.settings import ConfigError


def gather(words: Sequence[str]) -> tuple[StoneGame, dict[str, Player]]:
    """The game of the runs among `words`, and the players by name. Raises ConfigError."""
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
        raise ConfigError("name the folder of at least one run: its game is played")
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
    if name in taken:
        raise ConfigError(f"two players are called {name}: write OTHER_NAME=RUN_FOLDER")
    return name


def write(table: CrossTable, game: StoneGame, out: Path) -> None:
    """`out`.csv and `out`.png."""
    files.write(out.with_name(f"{out.name}.csv"), table.csv())
    figure = plots.cross_table(table.names, table.score, ratings(table), game.title, table.games)
    plots.save(figure, out.with_name(f"{out.name}.png"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m neuroevo.cross_table", description="Who beats whom, with ratings.")
    parser.add_argument("player", nargs="+", help=f"[NAME=]RUN_FOLDER, or one of {', '.join(PLAYERS)}")
    parser.add_argument("--games", type=int, default=400, help="per pair and direction, an even number")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("cross_table"), help="file name without its ending")
    chosen = parser.parse_args(arguments)
    devices.set_up()
    try:
        game, players = gather(chosen.player)
        table = round_robin(game, players, jnp.uint32(chosen.seed), chosen.games)
    except ValueError as error:  # ConfigError is one
        print(error, file=sys.stderr)
        return 1
    print(table)
    write(table, game, chosen.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
