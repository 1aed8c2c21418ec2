"""What a player is."""

from typing import Protocol, runtime_checkable

from jaxtyping import Array, Float, Int, PyTree, UInt32

from jaxgames.core.games import State

Memory = PyTree  # what a player remembers during a game
Context = PyTree  # what a player computes once for all plays of a position


@runtime_checkable
class Player(Protocol):
    """Decides for a seat. A pytree: what differs between the players of a population is a leaf.

    `bits` are 32 uniformly random bits, a uint32; `randomness.more_bits` makes more of them.

    The arena asks two players once for both if they have no leaves, equal fields and the same methods but for `reset`
    (`arena.alike`). So only `reset` may read a class attribute in which a subclass differs.
    """

    def reset(self, bits: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        """What it remembers at the start of a game at `seat`."""
        ...

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        """What it remembers after a ply of any seat, which led to `state`."""
        ...

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """(a legal action for `seat`, which is to move in `state`; what it remembers from now on)."""
        ...


@runtime_checkable
class Value(Protocol):
    """Estimates the value of afterstates. A pytree, as players are."""

    def prepare(self, root: State) -> Context:
        """What `value` needs to know of the position before the play, computed once for all plays."""
        ...

    def value(self, context: Context, afterstate: State, seat: Int[Array, ""]) -> Float[Array, ""]:
        """The larger, the better for `seat`, which has moved."""
        ...


@runtime_checkable
class AfterstatePlayer(Protocol):
    """Makes the play whose afterstate it rates highest. A pytree, as players are."""

    def prepare(self, root: State) -> Context:
        """What `rate` needs to know of the position before the play, computed once for all plays."""
        ...

    def rate(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], afterstate: State, context: Context
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """(value, priority): the play of the highest value is made, of equal values that of the highest priority, and
        of equals in both the first. `bits` are 32 random bits for this afterstate.
        """
        ...


@runtime_checkable
class Crowd(Protocol):
    """Afterstate players of one kind that prepare and rate as one. A pytree."""

    def prepare(self, root: State) -> Context:
        """See `AfterstatePlayer.prepare`; it serves all members."""
        ...

    def rate(
        self,
        member: Int[Array, ""],
        bits: UInt32[Array, ""],
        seat: Int[Array, ""],
        afterstate: State,
        context: Context,
    ) -> tuple[Float[Array, ""], UInt32[Array, ""]]:
        """What the member of this number answers, see `AfterstatePlayer.rate`."""
        ...


class Memoryless:
    """Mixin for players that decide from the position alone."""

    def reset(self, bits: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        """Nothing."""
        return ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        """Nothing."""
        return memory
