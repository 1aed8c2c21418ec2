"""What a game is, and what all games share."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree, UInt32

from jaxgames import bitboard as bb

State = PyTree
Cursor = PyTree  # how far the enumeration of a WalkableGame's plays has come
Leaf = Any  # an array in a pytree class; while JAX rebuilds a tree, whatever it puts in the array's place


@runtime_checkable
class Rules(Protocol):
    """What all games have."""

    @property
    def num_seats(self) -> int:
        """The number of seats, which are 0 … num_seats − 1."""
        ...

    def start(self) -> State:
        """The position before the first ply."""
        ...

    def to_move(self, state: State) -> Int[Array, ""]:
        """The seat whose decision is due; any seat after the end."""
        ...

    def terminal(self, state: State) -> Bool[Array, ""]:
        """Whether the game is over."""
        ...

    def returns(self, state: State) -> Float[Array, "seats"]:
        """Utilities in [−1, 1]: all zero before the end, and zero-sum unless a game says otherwise."""
        ...


@runtime_checkable
class Game(Rules, Protocol):
    """Rules of a game whose actions are 0 … num_actions − 1."""

    @property
    def num_actions(self) -> int:
        """The number of actions, legal or not."""
        ...

    @property
    def max_plies(self) -> int:
        """No game lasts longer than this."""
        ...

    def legal(self, state: State) -> Bool[Array, "actions"]:
        """The actions that the seat to move may choose; at least one before the end."""
        ...

    def play(self, state: State, action: Int[Array, ""]) -> State:
        """The position after `action`, which must be legal: nobody checks it. Deterministic."""
        ...


@runtime_checkable
class WalkableGame(Rules, Protocol):
    """Rules of a game of chance that enumerates its plays one by one, since a list of them would be long.

    A ply is a chance outcome (`resolve`) and a play. The enumeration of a resolved state starts with the cursor `first`
    and calls `next` until the cursor is `done`. It gives every position that a play can lead to exactly once; a seat
    that cannot move has one play, which changes nothing. These afterstates are seen by the seat that made them.
    """

    @property
    def num_outcomes(self) -> int:
        """The number of chance outcomes, such as rolls of the dice."""
        ...

    @property
    def truncation_return(self) -> float:
        """The return of every seat in a game that is truncated by the arena's ply cap."""
        ...

    @property
    def step_parts(self) -> Sequence[Callable]:
        """`next` split into functions that the arena compiles separately. Each maps (state, step) to a dict of the
        step's fields to replace.
        """
        ...

    def outcome_probs(self, state: State) -> Float[Array, "outcomes"]:
        """The probabilities of the chance outcomes; they sum to 1."""
        ...

    def draw_outcome(self, state: State, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """A chance outcome drawn by 32 random bits, with the probabilities of `outcome_probs`."""
        ...

    def resolve(self, state: State, outcome: Int[Array, ""]) -> State:
        """The position after a chance outcome, in which the seat to move chooses its play."""
        ...

    def first(self, state: State) -> Cursor:
        """The cursor before the first play of a resolved state."""
        ...

    def next(self, state: State, cursor: Cursor) -> tuple[Cursor, State, Bool[Array, ""]]:
        """(the next cursor, an afterstate, whether the afterstate is valid): a step that finds no play has none."""
        ...

    def done(self, cursor: Cursor) -> Bool[Array, ""]:
        """Whether all plays have been given."""
        ...

    def begin_step(self, state: State, cursor: Cursor) -> PyTree:
        """The initial step, a dataclass. Applying all `step_parts` in order fills in `cursor`, `afterstate` and `valid`
        as `next` returns them.
        """
        ...

    def play(self, state: State, afterstate: State) -> State:
        """The position after the play that leads to `afterstate`, one of those that `next` gives; the next seat is to
        move, once chance has been resolved.
        """
        ...


@runtime_checkable
class BoardGame(Game, Protocol):
    """A game on a board of `rows` × `columns` points that can be drawn. Action `row * columns + column` is a move to
    that point; in our games it places a stone or a disc there.
    """

    @property
    def title(self) -> str:
        """The game's name for people, such as Atari-Go 9×9."""
        ...

    @property
    def rows(self) -> int:
        """The number of rows of the board."""
        ...

    @property
    def columns(self) -> int:
        """The number of columns of the board."""
        ...

    @property
    def min_plies(self) -> int:
        """No decided game is shorter than this."""
        ...

    @property
    def in_squares(self) -> bool:
        """Whether pieces are drawn in squares, as in Othello, and not on the crossings of lines."""
        ...

    def planes(self, state: State) -> Bool[Array, "seats points"]:
        """The stones of the seat to move, of the next seat, and so on."""
        ...

    def action_name(self, action: int) -> str:
        """The action in the game's language: the column's letters and the row's number, such as C3. Raises ValueError
        for an action that is not on the board.
        """
        ...

    def parse_action(self, text: str) -> int:
        """The inverse of `action_name`, in capitals or not. Raises ValueError for text that names no action."""
        ...

    def final_scores(self, state: State) -> Int[Array, "seats"]:
        """Points of each seat in a game that is over, such as discs. A side has won by the difference."""
        ...


@runtime_checkable
class StoneGame(BoardGame, Protocol):
    """A board game that tells its players which points matter. Everything that players and networks may ask for: what
    is made for StoneGames calls no other members.
    """

    def resized(self, size: int) -> "StoneGame":
        """The same rules on a board of `size` × `size`. Raises ValueError where they do not fit."""
        ...

    def empties(self, state: State) -> bb.Board:
        """The points that may be played; also after the end."""
        ...

    def tactics(self, state: State) -> tuple[bb.Board, bb.Board]:
        """(points that win at once, points that lose at once) for the seat to move; after the end they mean nothing."""
        ...

    def priorities(self, state: State) -> tuple[bb.Board, ...]:
        """Sets of empty points, best first, for a seat to move that plays well without looking ahead. They may be
        empty, need not be disjoint and need not contain every empty point; after the end they mean nothing.
        """
        ...


@runtime_checkable
class DrawingGame(Game, Protocol):
    """A game that draws legal actions without making the mask of `legal`."""

    def draw(self, state: State, bits: UInt32[Array, ""]) -> Int[Array, ""]:
        """A legal action drawn uniformly by 32 random bits; after the end it means nothing."""
        ...


def draw_legal(game: Game, state: State, bits: UInt32[Array, ""]) -> Int[Array, ""]:
    """A legal action drawn uniformly by 32 random bits; after the end it means nothing."""
    if isinstance(game, DrawingGame):  # the member is optional
        return game.draw(state, bits)
    width = 16
    mask = game.legal(state)
    padded = jnp.zeros(-(-mask.size // width) * width, bool).at[: mask.size].set(mask)
    return bb.draw(bb.from_mask(padded, width), width, bits)


def winner(returns: Float[Array, "*games seats"]) -> Int[Array, "*games"]:
    """The index of the largest return; −1 where several have it (a draw or a game that is not over)."""
    best = returns.max(-1, keepdims=True)
    alone = (returns == best).sum(-1) == 1
    return jnp.where(alone, jnp.argmax(returns, -1), -1)


def last_mover_returns(num_seats: int, seat: Int[Array, ""], value: Any) -> Float[Array, "seats"]:
    """`value` for `seat`; the other seats share −`value` equally, so that the sum is zero."""
    mine = jnp.arange(num_seats) == seat
    return jnp.where(mine, value, -value / (num_seats - 1)).astype(jnp.float32)
