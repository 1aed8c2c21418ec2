"""Pubeval, G. Tesauro's public benchmark player of backgammon: a linear score of the board after the play.

There are two tables of weights, for positions with contact and for races, and the position before the play decides
which. `pubeval.json` beside this file has them as they were published.

A table's 122 weights, with n the number of checkers on the point, the other side's counted negative:

    5 (j − 1) + k    own point 25 − j for j = 1 … 24:  k = 0: n = −1;  1: n = 1;  2: n ≥ 2;  3: n = 3;
                     4: (n − 3) / 2 for n ≥ 4
    120              half the other side's checkers on the bar
    121              a fifteenth of the own checkers off
"""

import json
from functools import cache
from pathlib import Path

import flax.struct
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from jaxgames.games.backgammon.board import CHECKERS, OFF, POINTS, Board, all_off, blots, is_race, many, number, several
from jaxgames.games.backgammon.rules import BackgammonState
from jaxgames.players.greedy import Greedy

KINDS = 5  # of weights, for each point
WON = 99999999.0


@flax.struct.dataclass
class Pubeval:
    """A Value; `pubeval_player` plays by it."""

    def prepare(self, root: BackgammonState) -> Bool[Array, ""]:
        """Whether the position before the play is a race."""
        return is_race(root.board)

    def value(self, context: Bool[Array, ""], afterstate: Board, seat: Int[Array, ""]) -> Float[Array, ""]:
        """The score; WON with all checkers off."""
        own, other = afterstate.own, afterstate.other
        single, hittable, total = blots(own), blots(other), jnp.float32(0)
        large, pairs = many(own), several(own)
        three = own[0] & own[1] & ~large

        def add(total: Array, bits: Array, point: int, kind: int) -> Array:
            weight = self._weight(context, KINDS * (point - 1) + kind)
            return total + jnp.where(bits & (1 << point) != 0, weight, 0)

        for point in range(1, POINTS + 1):
            for kind, bits in enumerate((hittable, single, pairs, three)):
                total = add(total, bits, point, kind)
            beyond = (number(own, point).astype(jnp.int32) - 3).astype(jnp.float32) / 2
            weight = self._weight(context, KINDS * (point - 1) + 4)
            total = total + jnp.where(large & (1 << point) != 0, weight * beyond, 0)
        bar, off = number(other, OFF).astype(jnp.float32), number(own, OFF).astype(jnp.float32)
        total = total + self._weight(context, KINDS * POINTS) * bar / 2
        total = total + self._weight(context, KINDS * POINTS + 1) * off / CHECKERS
        return jnp.where(all_off(own, OFF), WON, total)

    def _weight(self, race: Bool[Array, ""], index: int) -> Float[Array, ""]:
        table = weights()
        return jnp.where(race, table["race"][index], table["contact"][index])


@cache
def weights() -> dict[str, np.ndarray]:
    """The tables `contact` and `race`."""
    tables = json.loads((Path(__file__).parent / "pubeval.json").read_text(encoding="utf-8"))
    return {name: np.array(table, np.float32) for name, table in tables.items()}


def pubeval_player(random_ties: bool = False) -> Greedy:
    """The player that makes the play of the highest score."""
    return Greedy(Pubeval(), random_ties)
