"""The vocabulary: what a game and a player are. Everything sees ONE position; the batch axis belongs to the arena.

A *game* is a frozen dataclass of static rule parameters with pure methods on a *state*, a frozen pytree that holds
what the rules need and nothing else. Seats are 0 … num_seats − 1 and fixed by the rules; who sits where is the
arena's business.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree, UInt32

from jaxgames import bitboard as bb

State = PyTree
Cursor = PyTree  # of a walk
Memory = PyTree
Context = PyTree  # what a player keeps while it considers a play
Leaf = Any  # an array in a pytree class; while JAX rebuilds a tree, whatever it puts in the array's place


@runtime_checkable
class Rules(Protocol):
    """What all games have. `returns` are utilities in [−1, 1] per seat, zero-sum unless a game says otherwise, and all
    zero before the end.
    """

    @property
    def num_seats(self) -> int: ...
    def start(self) -> State: ...
    def to_move(self, state: State) -> Int[Array, ""]: ...
    def terminal(self, state: State) -> Bool[Array, ""]: ...
    def returns(self, state: State) -> Float[Array, "seats"]: ...


@runtime_checkable
class Game(Rules, Protocol):
    """Rules of a game whose actions are 0 … num_actions − 1.

    `play` is deterministic and its action must be legal: it is not checked where it is fast.
    """

    @property
    def num_actions(self) -> int: ...
    @property
    def max_plies(self) -> int:
        """No game lasts longer than this."""
        ...

    def legal(self, state: State) -> Bool[Array, "actions"]: ...
    def play(self, state: State, action: Int[Array, ""]) -> State: ...


@runtime_checkable
class WalkableGame(Rules, Protocol):
    """Rules of a game of chance whose plays are walked one after the other, since a list of them would be long.

    A ply is a roll (`resolve`) and a play. The walk of a rolled state goes from `first` on by `next` until it is
    `done`; each step gives the position after a play, or says that it has found none yet. Every position that a play
    can lead to comes exactly once; where nothing can be moved it is the position as it was. `play` takes one of these
    afterstates, which are seen by the seat that made them, and hands over to the next seat.
    """

    @property
    def num_outcomes(self) -> int:
        """How many rolls there are."""
        ...

    @property
    def unfinished(self) -> float:
        """The return of each seat in a game that is broken off."""
        ...

    @property
    def parts(self) -> Sequence[Callable]:
        """`next` in parts, each of which a runner may compile for itself: functions (state, step) → what changes of
        the step, by name.
        """
        ...

    def outcome_probs(self, state: State) -> Float[Array, "outcomes"]: ...
    def draw_outcome(self, state: State, word: UInt32[Array, ""]) -> Int[Array, ""]:
        """A roll by one random word, with the probabilities of `outcome_probs`."""
        ...

    def resolve(self, state: State, outcome: Int[Array, ""]) -> State: ...
    def first(self, state: State) -> Cursor: ...
    def next(self, state: State, cursor: Cursor) -> tuple[Cursor, State, Bool[Array, ""]]:
        """(cursor, afterstate, whether there is one)."""
        ...

    def done(self, cursor: Cursor) -> Bool[Array, ""]: ...
    def look(self, state: State, cursor: Cursor) -> PyTree:
        """The step that the first of `parts` takes; after the last one its `cursor`, `afterstate` and `valid` are what
        `next` gives.
        """
        ...

    def play(self, state: State, afterstate: State) -> State: ...


@runtime_checkable
class BoardGame(Game, Protocol):
    """A game in which a move places a stone or a disc on an empty point of a board of `rows` × `columns`. Action
    `row * columns + column` places it there."""

    @property
    def title(self) -> str:
        """The game's name for people, such as Atari-Go 9×9."""
        ...

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
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
    """A board game in which every empty point may be played, but for any that the rules close."""

    def resized(self, size: int) -> "StoneGame":
        """The same rules on a board of `size` × `size`. Raises ValueError where they do not fit."""
        ...

    def empties(self, state: State) -> bb.Board:
        """The points that may be played; also after the end."""
        ...

    def tactics(self, state: State) -> tuple[bb.Board, bb.Board]:
        """(points that win at once, points that lose at once) for the seat to move."""
        ...

    def priorities(self, state: State) -> tuple[bb.Board, ...]:
        """Sets of empty points, best first, for a seat to move that plays well without looking ahead. They may be
        empty, need not be disjoint and need not contain every empty point; after the end they mean nothing.
        """
        ...


@runtime_checkable
class DrawingGame(Game, Protocol):
    """A game that draws its actions itself, since it need not make the mask of `legal` for that."""

    def draw(self, state: State, word: UInt32[Array, ""]) -> Int[Array, ""]:
        """A uniformly drawn legal action, from one random word; after the end it means nothing."""
        ...


@runtime_checkable
class Player(Protocol):
    """Decides for a seat. A pytree: what differs between the players of a population is a leaf.

    `word` is a uniformly random uint32; `randomness.more_bits` makes more of it. `reset` starts a game, `watch` is
    called after every ply of any seat with the new state, `act` chooses an action for the state whose move it is.
    """

    def reset(self, word: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory: ...
    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory: ...
    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]: ...


@runtime_checkable
class Value(Protocol):
    """Judges afterstates. A pytree, as players are. `prepare` sees the state before the play, once for all of them."""

    def prepare(self, root: State) -> Context: ...
    def value(self, context: Context, afterstate: State, seat: Int[Array, ""]) -> Float[Array, ""]:
        """More is better for `seat`, which has moved."""
        ...


@runtime_checkable
class AfterstatePlayer(Protocol):
    """Makes the play whose afterstate it rates highest. A pytree, as players are."""

    def prepare(self, root: State) -> Context: ...
    def rate(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """(value, what decides between equal values; of equals in both, the first is played). `word` is a random one
        for each afterstate.
        """
        ...


@runtime_checkable
class Crowd(Protocol):
    """Afterstate players of one kind that prepare and rate as one. A pytree."""

    def prepare(self, root: State) -> Context: ...
    def rate(
        self,
        member: Int[Array, ""],
        word: UInt32[Array, ""],
        seat: Int[Array, ""],
        afterstate: State,
        context: Context,
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """As that number of them does, see `AfterstatePlayer.rate`."""
        ...


class Memoryless:
    """Mixin for players that decide from the position alone."""

    def reset(self, word: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        return ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        return memory


def kind(players: PyTree) -> str:
    """What distinguishes players apart from their leaves, as a static argument for `jit`.

    JAX 0.10 takes trees of different classes for the same if their static fields are equal, and `jit` may then play
    the program of another player; this text names the classes.
    """
    return str(jax.tree.structure(players))


def draw_legal(game: Game, state: State, word: UInt32[Array, ""]) -> Int[Array, ""]:
    """A uniformly drawn legal action, from one random word."""
    if isinstance(game, DrawingGame):
        return game.draw(state, word)
    width = 16
    mask = game.legal(state)
    padded = jnp.zeros(-(-mask.size // width) * width, bool).at[: mask.size].set(mask)
    return bb.draw(bb.from_mask(padded, width), width, word)


def winner(returns: Float[Array, "*games seats"]) -> Int[Array, "*games"]:
    """The index with the single largest return; −1 where the largest is shared (a draw or an unfinished game)."""
    best = returns.max(-1, keepdims=True)
    alone = (returns == best).sum(-1) == 1
    return jnp.where(alone, jnp.argmax(returns, -1), -1)


def last_mover_returns(num_seats: int, seat: Int[Array, ""], value: Any) -> Float[Array, "seats"]:
    """`value` for `seat`, shared out with the opposite sign among the other seats."""
    mine = jnp.arange(num_seats) == seat
    return jnp.where(mine, value, -value / (num_seats - 1)).astype(jnp.float32)
