"""One game on record, and what can be wrong with it."""

from dataclasses import dataclass, field

from jaxgames.games.pente.rules import Pente
from jaxgames.records.errors import RecordError

BOARD = Pente()  # every game on record is played on 19 × 19
NAMES = [BOARD.action_name(action) for action in range(BOARD.num_actions)]
ACTIONS = {name: action for action, name in enumerate(NAMES)}
RESULTS = {"1-0": 0, "0-1": 1, "1/2-1/2": None, "?": None}  # → the seat that won
ENDINGS = ("five", "caps", "both", "draw", "unfinished")  # a game given up or broken off is unfinished by the rules


@dataclass(frozen=True)
class Record:
    """A game for two seats. Headers have pente.org's names, such as Player 1 Name. Raises RecordError."""

    headers: dict[str, str] = field(default_factory=dict)  # name → value
    actions: tuple[int, ...] = ()  # all plies
    result: str = "?"  # one of RESULTS
    ending: str | None = None  # None: not on record
    game_id: str | None = None  # as its source names it

    def __post_init__(self):
        if self.result not in RESULTS:
            raise RecordError(f"the result must be one of {', '.join(RESULTS)}, not {self.result!r}")
        stated = self.headers.get("Result", self.result)
        if stated != self.result:
            raise RecordError(f"the result is {stated} in the headers and {self.result} elsewhere")
        for ply, action in enumerate(self.actions, 1):
            if not 0 <= action < BOARD.num_actions:
                raise RecordError(f"action {action} is not on the board", ply)
        if self.ending not in (None, *ENDINGS):
            raise RecordError(f"the ending must be one of {', '.join(ENDINGS)}, not {self.ending!r}")


def actions_of(names: list[str]) -> tuple[int, ...]:
    """The actions of points such as K10. Raises RecordError."""
    actions = []
    for ply, name in enumerate(names, 1):
        if name not in ACTIONS:
            raise RecordError(
                f"{name!r} is not a point from {NAMES[-BOARD.columns]} to {NAMES[BOARD.columns - 1]}", ply
            )
        actions.append(ACTIONS[name])
    return tuple(actions)


def names_of(actions: tuple[int, ...]) -> list[str]:
    """The inverse of `actions_of`."""
    return [NAMES[action] for action in actions]
