"""Hand-coded players by the names under which configs choose them."""

from jaxgames.players.blocker import Blocker
from jaxgames.players.capturer import Capturer
from jaxgames.players.heuristic import Heuristic
from jaxgames.players.line_builder import Better, Simple
from jaxgames.players.naive import Naive
from jaxgames.players.random import Random

HAND_CODED = {
    "naive": Naive, "random": Random, "heuristic": Heuristic,
    "blocker": Blocker, "capturer": Capturer, "simple": Simple, "better": Better,
}  # fmt: skip
