"""python -m neuroevo.serve gtp --player RUN_FOLDER|NAME [--game NAME]: a player for programs that speak GTP."""

import argparse
import io
import sys
from collections.abc import Sequence

from jaxgames import devices
from neuroevo.players import HAND_CODED
from neuroevo.serve.gtp import Engine, serve
from neuroevo.serve.seated import choose, games
from neuroevo.settings import ConfigError


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m neuroevo.serve", description=__doc__)
    parser.add_argument("protocol", choices=["gtp"])
    parser.add_argument("--player", required=True, help=f"a run's folder, or one of {', '.join(HAND_CODED)}")
    parser.add_argument("--game", choices=list(games()), help="default: the run's, or othello")
    parser.add_argument("--seed", type=int, default=0, help="of what is random in the player's moves")
    chosen = parser.parse_args(arguments)
    devices.set_up()
    try:
        choice = choose(chosen.player, chosen.game)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")  # no byte ends the session
    serve(Engine(choice, chosen.seed), text, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
