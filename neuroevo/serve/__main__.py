"""A player for other programs.

python -m neuroevo.serve gtp --player RUN_FOLDER|NAME [--game NAME]: speaks GTP on its standard input and output.
python -m neuroevo.serve fibs --player RUN_FOLDER|NAME [--port N]: plays backgammon by FIBS's board lines on a socket.
"""

import argparse
import io
import sys
from collections.abc import Sequence

from jaxgames import console, devices
from jaxgames.players import PLAYERS
from neuroevo.runtime.settings import ConfigError
from neuroevo.serve import fibs
from neuroevo.serve.connections import Limits
from neuroevo.serve.gtp import Engine, serve
from neuroevo.serve.seated import choose, games


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m neuroevo.serve", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("protocol", choices=["gtp", "fibs"])
    parser.add_argument(
        "--player",
        required=True,
        help=f"folder of a run, or one of {', '.join(PLAYERS)}; for fibs one of {', '.join(fibs.NAMED)}",
    )
    parser.add_argument(
        "--game", choices=list(games()), help="default: the game of the run; for a hand-coded player, othello"
    )
    parser.add_argument("--seed", type=console.seed, default=0, help="of the random numbers of the player's moves")
    _add_limits(parser)
    chosen = parser.parse_args(arguments)
    devices.set_up()
    try:
        if chosen.protocol == "fibs":
            limits = Limits(clients=chosen.clients, idle=chosen.idle)
            fibs.listen(fibs.choose_player(chosen.player), chosen.port, chosen.seed, limits=limits)
            return 0
        choice = choose(chosen.player, chosen.game)
    except (ConfigError, OSError) as error:  # the port may be taken
        console.say(error)
        return 1
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")  # no byte ends the session
    serve(Engine(choice, chosen.seed), text, sys.stdout)
    return 0


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `fibs`."""
    ports, seconds, clients = (console.whole_number(*ends) for ends in ((0, 65535), (1, 10**6), (1, 500)))
    parser.add_argument("--port", type=ports, default=fibs.PORT, help="fibs: port on this machine; 0 for any free one")
    parser.add_argument(
        "--clients", type=clients, default=Limits.clients, help="fibs: number of connections served at once"
    )
    parser.add_argument(
        "--idle", type=seconds, default=int(Limits.idle), help="fibs: seconds without a line after which a client goes"
    )


if __name__ == "__main__":
    sys.exit(console.run(main))
