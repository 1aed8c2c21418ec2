"""The static evaluation of a position."""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Array, Int


@runtime_checkable
class StaticEvaluation(Protocol):
    """What a position is worth that the search looks at no further. A pytree."""

    @property
    def bound(self) -> int:
        """Searches order moves by values clipped to −bound … bound. No value need be further from 0."""
        ...

    def value(self, node: Any) -> Int[Array, ""]:
        """For the side to move. `node` is of the search's tree (see `trees`)."""
        ...
