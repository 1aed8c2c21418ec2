"""A player for other programs.

python -m neuroevo.serve gtp --player RUN_FOLDER|NAME [--game NAME]: speaks GTP on its standard input and output.
python -m neuroevo.serve fibs --player RUN_FOLDER|NAME [--port N]: plays backgammon by FIBS's board lines on a socket.
"""

import argparse
import io
import sys
from collections.abc import Sequence

from jaxgames import devices
from jaxgames.players import PLAYERS
from neuroevo.runtime.settings import ConfigError
from neuroevo.serve import fibs
from neuroevo.serve.gtp import Engine, serve
from neuroevo.serve.seated import choose, games


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m neuroevo.serve", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("protocol", choices=["gtp", "fibs"])
    parser.add_argument(
        "--player",
        required=True,
        help=f"a run's folder, or one of {', '.join(PLAYERS)}; fibs: {', '.join(fibs.NAMED)}",
    )
    parser.add_argument("--game", choices=list(games()), help="default: the run's, or othello")
    parser.add_argument("--seed", type=int, default=0, help="of what is random in the player's moves")
    parser.add_argument("--port", type=int, default=fibs.PORT, help="fibs: on this machine; 0 is any free one")
    chosen = parser.parse_args(arguments)
    devices.set_up()
    try:
        if chosen.protocol == "fibs":
            fibs.listen(fibs.choose_player(chosen.player), chosen.port, chosen.seed)
            return 0
        choice = choose(chosen.player, chosen.game)
    except (ConfigError, OSError) as error:  # the port may be taken
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")  # no byte ends the session
    serve(Engine(choice, chosen.seed), text, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
