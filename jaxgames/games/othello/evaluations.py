"""The static evaluations of Othello by the names under which users choose them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from jaxgames.games.othello.bill import Bill
from jaxgames.games.othello.positional import Positional

EVALUATIONS: dict[str, Callable[[], Any]] = {
    "positional": Positional,
    "norvig": partial(Positional, "norvig"),
    "bill": Bill,
}
