"""Which points of Atari-Go matter to the seat to move: what a stone captures, saves, threatens and risks.

The cells of a board tell the number of pseudo-liberties of a chain, but not whether these lie on one point or on
several. For that a point has a *code*, index² · 2¹² + index, and a chain the sum of the codes of its
pseudo-liberties: n of them lie on one point if and only if n · Σ index² = (Σ index)². That needs to be asked only for
n ≤ 4, as many as a point has neighbours, and up to there no field of the sum runs over (the indices are below 2⁹).
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped, UInt32

from jaxgames import bitboard as bb
from jaxgames.games.atari_go.chains import Packing, multiplicity

SQUARE = np.uint32(12)  # the bit at which the square begins in a code


def priorities(pack: Packing, cells: Shaped[Array, "padded"], seat: Int[Array, ""]) -> tuple[bb.Board, ...]:
    """Sets of empty points, best first: points that

    * capture a chain;
    * are *safe*, that is, capture nothing and leave the new stone's chain at least two liberties, and save a chain of
      the seat's from atari, that is, are its last liberty;
    * are safe and leave two or more chains of the other seat, or one, in atari;
    * are safe and beside a stone;
    * are safe.
    """
    beside = [pack.neighbours(cells, step) for step in pack.steps]
    point, chain = _codes(pack, cells)
    captures = saves = touches = jnp.zeros(cells.shape, bool)
    own = own_code = ataris = jnp.zeros(cells.shape, jnp.uint32)
    for i, (x, step) in enumerate(zip(beside, pack.steps, strict=True)):
        stone, empty, other = pack.is_stone(x), x == pack.empty, pack.seat_of(x) != seat.astype(x.dtype)
        new = stone  # as the first neighbour of its chain
        for y in beside[:i]:
            new = new & (x != y)
        here = multiplicity(x, beside).astype(jnp.uint32)
        left = pack.count(x).astype(jnp.uint32) - here  # pseudo-liberties of this chain elsewhere, and their code
        left_code = pack.neighbours(chain, step) - here * point
        captures = captures | (stone & other & (left == 0))
        saves = saves | (stone & ~other & (left == 0))
        touches = touches | stone
        ataris = ataris + (new & other & (left > 0) & ~_on_several(left, left_code))
        own = own + jnp.where(new & ~other, left, empty)
        own_code = own_code + jnp.where(new & ~other, left_code, jnp.where(empty, np.roll(point, -step), 0))
    safe = ~captures & _on_several(own, own_code)
    sets = captures, safe & saves, safe & (ataris > 1), safe & (ataris > 0), safe & touches, safe
    return tuple(pack.board((cells == pack.empty) & chosen) for chosen in sets)


def _codes(pack: Packing, cells: Shaped[Array, "padded"]) -> tuple[np.ndarray, UInt32[Array, "padded"]]:
    """The code of every point, and at every stone the code of its chain's pseudo-liberties."""
    index = pack.indices.astype(np.uint32)
    point = (index**2 << SQUARE) + index
    stone, label = pack.is_stone(cells), pack.label_index(cells)
    empties = jnp.where(cells == pack.empty, point, 0)
    beside = sum(pack.neighbours(empties, step) for step in pack.steps)
    return point, jnp.zeros(cells.shape, jnp.uint32).at[label].add(jnp.where(stone, beside, 0))[label]


def _on_several(number: UInt32[Array, "padded"], code: UInt32[Array, "padded"]) -> Bool[Array, "padded"]:
    """Whether pseudo-liberties of this number and code lie on two points or more."""
    squares, total = code >> SQUARE, code & ((1 << SQUARE) - 1)
    return (number > 4) | (number * squares != total * total)
