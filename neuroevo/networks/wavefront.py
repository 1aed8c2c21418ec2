"""Four swipes over a board, one from each corner, by wavefront: all points of an anti-diagonal at once.

At every point a swipe knows its own state at the two points that it has just passed. Each of the four sees the board
flipped so that its corner is the top left; flips 0..3 are none, rows, columns, both. Arrays during the swipes are
[features, points, 4, ...]: the points diagonal by diagonal, the four swipes side by side, and further axes are further
positions.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

Step = Callable[[jax.Array, jax.Array, np.ndarray], tuple[jax.Array, jax.Array]]


@dataclass(frozen=True)
class Wavefront:
    """The order of the points in four swipes over a board of `rows` × `columns`."""

    rows: int
    columns: int

    def enter(self, planes: Float[Array, "inputs rows columns ..."]) -> Float[Array, "inputs points 4 ..."]:
        """The planes, point by point in the order of each swipe."""
        flat = planes.reshape(-1, self.rows * self.columns, *planes.shape[3:])
        return flat[:, self._flips()[:, self._order()].T]

    def sweep(
        self, step: Step, seen: Float[Array, "inputs points 4 ..."], edge: Float[Array, "state 1 4 ..."]
    ) -> list[jax.Array]:
        """The results of `step`, diagonal by diagonal.

        step: `step(seen, passed, missing)` → (state, result) of the n points of a diagonal.
            seen: [inputs, n, 4, …]
            passed: [state, n + 1, 4, …], of which the first n are the upper neighbours and the last n the left ones
            missing: Float[n + 1], 1 where the neighbour lies beyond the border, else 0
        seen: see `enter`
        edge: the state beyond the border
        """
        results, at, previous = [], 0, edge[:, :0]
        for starts, ends, cells in self._diagonals():
            passed = jnp.concatenate([edge] * starts + [previous] + [edge] * ends, 1)
            missing = np.array([1] * starts + [0] * previous.shape[1] + [1] * ends, np.float32)
            previous, result = step(seen[:, at : at + len(cells)], passed, missing)
            results.append(result)
            at += len(cells)
        return results

    def leave(self, swiped: Float[Array, "points 4 ..."]) -> Float[Array, "points ..."]:
        """The sum of the four swipes at every point of the board."""
        swiped, flips = swiped[np.argsort(self._order())], self._flips()
        back = [swiped[flips[s], s] for s in range(4)]  # every flip is its own inverse
        return (back[0] + back[3]) + (back[1] + back[2])  # opposite corners first: symmetric positions tie exactly

    def of_flipped(self, units: Float[Array, "units points 4 ..."], flip: int) -> Float[Array, "units points 4 ..."]:
        """At every point, the units of the swipe whose corner is `flip` away from each swipe's own."""
        order = self._order()
        points = np.argsort(order)[self._flips()[flip, order]]
        return units[:, points[:, None], np.arange(4) ^ flip]  # two flips in succession are a flip: their numbers' xor

    def _order(self) -> np.ndarray:
        return np.concatenate([cells for _, _, cells in self._diagonals()])

    def _diagonals(self) -> Iterator[tuple[bool, bool, np.ndarray]]:
        """Per anti-diagonal: whether it starts in the top row, whether it ends in the left column, its points.

        The points go downwards. With one point of the border before and one behind, where it starts or ends there, the
        previous diagonal holds the upper neighbour of each point and, one further, the left one.
        """
        for d in range(self.rows + self.columns - 1):
            first, last = max(0, d - self.columns + 1), min(d, self.rows - 1)
            row = np.arange(first, last + 1)
            yield first == 0, last == d, row * self.columns + d - row

    def _flips(self) -> np.ndarray:
        """Int[4, points]: the point that each swipe sees where the first sees point i."""
        grid = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        return np.stack([grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]).reshape(4, -1)
