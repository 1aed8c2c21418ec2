"""A game in progress between one of our players and an opponent outside, whose moves are checked.

Our rules skip a seat that cannot move, but other programs let it pass. So a seat that was skipped may pass once before
the next move, and after the end of the game every seat may pass.
"""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.core import BoardGame, Memory, Player, State
from jaxgames.randomness import random_bits
from jaxgames.xla import jit_by_class

Memories = tuple[Memory, ...]  # one per seat


class IllegalMoveError(ValueError):
    """The rules forbid the move. The message says why."""


@dataclass(frozen=True)
class Moment:
    """A position of the game and the player's memories in it.

    state: the position
    memories: the player's memory at every seat
    legal: Bool[actions], all False after the end
    to_move: the seat to move
    over: whether the game has ended
    skipped: the seat that was skipped and may pass, if there is one
    """

    state: State
    memories: Memories
    legal: np.ndarray
    to_move: int
    over: bool
    skipped: int | None = None


class Table:
    """The games of one player, one after the other, each with its history of moves.

    Random numbers depend only on the seed, the number of the game at this table and the ply.
    """

    def __init__(self, game: BoardGame, player: Player, seed: int = 0):
        self.game, self.player, self.seed = game, player, seed
        self._number = -1
        self.clear()

    def clear(self) -> None:
        """Begins the next game."""
        self._number += 1
        self._past: list[Moment] = []
        word, seats = self._word(-1), range(self.game.num_seats)
        self.now = _moment(self.game, self.game.start(), tuple(self.player.reset(word, jnp.int32(s)) for s in seats))

    def play(self, seat: int, action: int) -> None:
        """Plays a move of the opponent outside. Raises IllegalMoveError and changes nothing if it is not legal."""
        self._check_turn(seat)
        if not self.now.legal[action]:
            raise IllegalMoveError("the rules do not allow this move")
        self._play(seat, action, self.now.memories)

    def let_pass(self, seat: int) -> None:
        """Lets a seat pass. Raises IllegalMoveError and changes nothing if it can move or has passed already."""
        if not self.now.over and seat != self.now.skipped:
            raise IllegalMoveError("a side passes only when it cannot move")
        self._advance(replace(self.now, skipped=None))

    def generate(self, seat: int) -> int | None:
        """Plays the player's move at `seat` and returns it; None for a pass. Raises IllegalMoveError out of turn."""
        now = self.now
        if now.over or seat == now.skipped:
            self.let_pass(seat)
            return None
        self._check_turn(seat)
        word = self._word(len(self._past))
        chosen = _act(self.player, word, jnp.int32(seat), now.state, now.memories[seat])
        action, memory = int(chosen[0]), chosen[1]
        self._play(seat, action, (*now.memories[:seat], memory, *now.memories[seat + 1 :]))
        return action

    def undo(self) -> None:
        """Takes back the last move or pass. Raises IllegalMoveError if there is none."""
        if not self._past:
            raise IllegalMoveError("nothing was played")
        self.now = self._past.pop()

    def _check_turn(self, seat: int) -> None:
        if self.now.over:
            raise IllegalMoveError("the game is over")
        if seat != self.now.to_move:
            raise IllegalMoveError("the other side is to move")

    def _play(self, seat: int, action: int, memories: Memories) -> None:
        played = _play(self.game, self.player, self.now.state, jnp.int32(action), memories)
        after = _moment(self.game, *played)
        skipped = (seat + 1) % self.game.num_seats if after.to_move == seat and not after.over else None
        self._advance(replace(after, skipped=skipped))

    def _advance(self, after: Moment) -> None:
        self._past.append(self.now)
        self.now = after

    def _word(self, ply: int) -> jax.Array:
        return random_bits(jnp.uint32(self.seed), jnp.int32(self._number), jnp.int32(ply))


def _moment(game: BoardGame, state: State, memories: Memories) -> Moment:
    legal, to_move, over = jax.device_get(_look(game, state))
    return Moment(state, memories, legal & ~over, int(to_move), bool(over))


@partial(jax.jit, static_argnums=0)
def _look(game: BoardGame, state: State) -> tuple:
    return game.legal(state), game.to_move(state), game.terminal(state)


@jit_by_class(static_argnums=(0,))
def _play(
    game: BoardGame, player: Player, state: State, action: jax.Array, memories: Memories
) -> tuple[State, Memories]:
    after = game.play(state, action)
    return after, tuple(player.watch(jnp.int32(seat), after, memory) for seat, memory in enumerate(memories))


@jit_by_class()
def _act(player: Player, word: jax.Array, seat: jax.Array, state: State, memory: Memory) -> tuple[jax.Array, Memory]:
    return player.act(word, seat, state, memory)
