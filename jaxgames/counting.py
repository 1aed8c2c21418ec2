"""How often something holds at each point of a board, counted for all points at once.

A count is a list of bitboards, its binary digits from the lowest up.
"""

from jaxtyping import Array, Int

from jaxgames import bitboard as bb


def zero(rows: int, digits: int) -> list[bb.Board]:
    """The count 0 at every point; it can grow to 2 ** digits − 1."""
    return [bb.empty(rows)] * digits


def added(count: list[bb.Board], points: bb.Board, digit: int = 0) -> list[bb.Board]:
    """2 ** digit more at these points."""
    result, carry = list(count), points
    for i in range(digit, len(count)):
        result[i], carry = bb.exclusive(count[i], carry), bb.intersection(count[i], carry)
    return result


def largest(count: list[bb.Board], among: bb.Board) -> bb.Board:
    """Those `among` the points at which the count is largest, if that is not 0 everywhere."""
    best = bb.intersection(among, bb.union(*count))
    for digit in reversed(count):
        best = bb.first_nonempty(bb.intersection(best, digit), best)
    return best


def at_least(count: list[bb.Board], limit: Int[Array, ""], rows: int, columns: int) -> bb.Board:
    """The points at which the count reaches a limit of at most 2 ** digits − 1."""
    more, equal = bb.empty(rows), bb.full(rows, columns)
    for i, digit in reversed(list(enumerate(count))):
        wanted = (limit >> i) & 1 != 0
        more = bb.union(more, bb.select(wanted, bb.empty(rows), bb.intersection(equal, digit)))
        equal = bb.select(wanted, bb.intersection(equal, digit), bb.without(equal, digit))
    return bb.union(more, equal)
