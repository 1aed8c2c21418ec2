"""Games of our players against GNU Backgammon's networks without lookahead (gnubg-nn of PyPI, extra `peers`)."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.arena import best_play
from jaxgames.core import AfterstatePlayer
from jaxgames.games.backgammon.board import CHECKERS, OFF, POINTS, Side, board_of, sides_of
from jaxgames.games.backgammon.rules import START, Backgammon, BackgammonState
from jaxgames.randomness import random_bits

BAR_POINT = OFF  # the bar in a side's own numbers of points
Checkers = tuple[Side, Side]  # of the mover and of the opponent


def gnubg() -> ModuleType | None:
    """The package gnubg_nn, or None if it is not installed."""
    try:
        import gnubg_nn  # type: ignore[import-not-found]
    except ImportError:
        return None
    return gnubg_nn


def wins(player: AfterstatePlayer, engine: ModuleType, games: int, seed: int) -> int:
    """Number of games that the player wins; each side starts every other game. engine: `gnubg()`."""
    return sum(_wins(player, engine, number, seed) for number in range(games))


def _wins(player: AfterstatePlayer, engine: ModuleType, number: int, seed: int) -> bool:
    dice, checkers, ours, ply = np.random.default_rng([seed, number]), (START, START), number % 2 == 0, 0
    while True:
        high, low = sorted(dice.integers(1, 7, 2).tolist(), reverse=True)
        if ply == 0 and high == low:  # the first roll has no doubles
            continue
        if ours:
            word = random_bits(jnp.uint32(seed), jnp.int32(number), jnp.int32(ply))
            state = BackgammonState(board_of(*checkers), jnp.int32(0), jnp.uint32(high), jnp.uint32(low))
            after = sides_of(jax.device_get(best_play(Backgammon(), player, state, word)))
        else:
            # The engine wants the side that is not on roll first, and no checkers off.
            lists = [list(side[1:]) for side in checkers[::-1]]
            after = moved((checkers[0], checkers[1]), engine.bestmove(lists, high, low))
        if after[0][0] == CHECKERS:
            return ours
        checkers, ours, ply = (after[1], after[0]), not ours, ply + 1


def moved(checkers: Checkers, moves: tuple[tuple[int, int], ...]) -> Checkers:
    """The board after moves (from, to) of single checkers, in the mover's numbers of points; 0 is off."""
    own, other = list(checkers[0]), list(checkers[1])
    for source, target in moves:
        own[source] -= 1
        own[max(target, 0)] += 1
        opposite = POINTS + 1 - target  # the target in the opponent's numbers
        if target > 0 and other[opposite] == 1:
            other[opposite], other[BAR_POINT] = 0, other[BAR_POINT] + 1
    return tuple(own), tuple(other)
