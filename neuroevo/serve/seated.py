"""Who plays, and what: games and players by the names that a user types."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jaxgames.core import BoardGame, Player, StoneGame
from jaxgames.games.notation import parse_point, point_name
from jaxgames.games.othello.rules import Othello
from jaxgames.games.othello.squares import parse_square, square_name
from jaxgames.players import Search
from jaxgames.players.by_name import HAND_CODED
from neuroevo.app import champions, config
from neuroevo.runtime.settings import ConfigError
from neuroevo.tasks.focus import EVALUATIONS

ANY_GAME = ("random",)  # the hand-coded players that need no StoneGame
SEARCHES = {  # of Othello, so many plies deep
    f"{name}-{level}": partial(Search, Othello(), evaluation(), level)
    for name, evaluation in EVALUATIONS.items()
    for level in range(1, 7)
}


@dataclass(frozen=True)
class Choice:
    """A game with a player of it, and how its squares are called."""

    game: BoardGame
    player: Player
    name: str  # of the player
    square: Callable[[int], str]  # action → name
    parse: Callable[[str], int]  # the inverse, in capitals or not; raises ValueError


def games() -> Mapping[str, Callable[[], BoardGame]]:
    """The games and presets of the config whose moves are squares."""
    kinds = {name: {"kind": name} for name in config.GROUPS["game"]} | config.PRESETS["game"]
    kinds = {name: values for name, values in kinds.items() if values["kind"] != "backgammon"}
    return {name: partial(config.make, "game", values) for name, values in kinds.items()}


def choose(player: str, game: str | None = None) -> Choice:
    """`player`: one of HAND_CODED or SEARCHES, or the folder of a run. The latter two have games of their own. Raises
    ConfigError.
    """
    if game is not None and game not in games():
        raise ConfigError(f"game must be one of {', '.join(games())}, not {game!r}")
    asked = None if game is None else games()[game]()
    if player in HAND_CODED:
        board = Othello() if asked is None else asked
        if player not in ANY_GAME and not isinstance(board, StoneGame):
            raise ConfigError(f"{player} does not play {board.title}; {', '.join(ANY_GAME)} does")
        try:
            return _choice(board, HAND_CODED[player](board), player)
        except ValueError as error:
            raise ConfigError(str(error)) from error
    if player in SEARCHES:
        if asked not in (None, Othello()):
            raise ConfigError(f"{player} plays Othello, not {game}")
        return _choice(Othello(), SEARCHES[player](), player)
    try:
        champion = champions.load(player)
    except (FileNotFoundError, NotADirectoryError) as error:
        names = ", ".join([*HAND_CODED, f"{next(iter(SEARCHES))} … {list(SEARCHES)[-1]}"])
        raise ConfigError(f"{player} is neither a run with a champion nor one of {names}") from error
    if asked not in (None, champion.game):
        raise ConfigError(f"the champion of {player} plays {champion.game.title}, not {game}")
    return _choice(champion.game, champion, f"champion of {Path(player).resolve().name}")


def _choice(game: BoardGame, player: Player, name: str) -> Choice:
    if game.num_seats != 2:
        raise ConfigError(f"only games of two seats are played here, and {game.title} has {game.num_seats}")
    if isinstance(game, StoneGame):
        return Choice(game, player, name, partial(point_name, game), partial(parse_point, game))
    return Choice(game, player, name, square_name, parse_square)
