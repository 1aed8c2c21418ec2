"""What a search asks of a position that it looks at no further."""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Array, Int


@runtime_checkable
class Evaluation(Protocol):
    """What a search asks of a position that it looks at no further. A pytree."""

    @property
    def bound(self) -> int:
        """No value is further from 0, or it does not matter how much: searches order moves by values up to this."""
        ...

    def value(self, node: Any) -> Int[Array, ""]:
        """For the side to move. `node` is of the search's tree (see `trees`)."""
        ...
