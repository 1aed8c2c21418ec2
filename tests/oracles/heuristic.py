"""Plain-Python sets of points that the heuristic player prefers, best first, to check faster implementations against.

Atari-Go. Only empty points count. A chain is in atari if it has exactly one liberty. The stone of the seat to move on a
point is *safe* if it captures nothing and its chain has at least two liberties afterwards. The sets:

1. the seat to move wins at once;
2. the stone captures something;
3. the stone is safe, and before it the point was the last liberty of a chain of the seat to move;
4. the stone is safe, and afterwards at least two chains of the other seat beside it are in atari;
5. the same with at least one chain;
6. the stone is safe and beside a stone of any seat;
7. the stone is safe;
8. the seat to move does not lose at once.

Gomoku. A window is a straight row of as many successive points as a line needs, in a direction that counts. A window is
open to a seat if no other seat has a stone in it; if lines must be exact, also neither point that continues the window
at its ends may have a stone of this very seat. "For each seat" begins with the seat to move and follows the order of
play, one set per seat. The sets, all without occupied points:

1. for each seat, points that are the only empty one of a window open to it;
2. for each seat, points p for which there are two or more partners: q is a partner of p if a window open to the seat
   has exactly p and q empty;
3. if there is no stone on the board, the points in the middle: a third of the rows (rounded down) is left out above and
   below, a third of the columns left and right; otherwise nothing;
4. for each seat, points that belong to chosen windows of this seat in at least two directions. Chosen are, of all
   windows that are open to some seat and have two points or more empty, those with the fewest empty points;
5. for each seat, points that belong to a chosen window of this seat.
"""

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def atari_go(game):
    """Return the sets for a position of the plain Atari-Go."""
    mover, other = game.to_move, 1 - game.to_move
    empty = game.legal()
    winning, losing = game.tactics()
    captures, safe, saves, threatened, beside = set(), set(), set(), {}, set()
    for point in empty:
        near = game.neighbours(point)
        after = game.copy()
        after.play(point)
        if after.last_captured:
            captures.add(point)
        elif len(after.liberties(point)) >= 2:
            safe.add(point)
        chains = {frozenset(after.chain(p)) for p in near if after.board[p] == other}
        threatened[point] = sum(len(after.liberties(min(chain))) == 1 for chain in chains)
        if any(game.board[p] == mover and game.liberties(p) == {point} for p in near):
            saves.add(point)
        if any(game.board[p] is not None for p in near):
            beside.add(point)
    doubly, singly = ({p for p in empty if threatened[p] >= least} for least in (2, 1))
    return [winning, captures, safe & saves, safe & doubly, safe & singly, safe & beside, safe, empty - losing]


def gomoku(game):
    """Return the sets for a position of the plain Gomoku."""
    empty = game.empty()
    order = [(game.to_move + i) % game.seats for i in range(game.seats)]
    windows = {seat: open_windows(game, seat) for seat in order}
    gaps = {seat: [(set(window) & empty, step) for window, step in windows[seat]] for seat in order}
    complete = [set().union(*(gap for gap, _ in gaps[seat] if len(gap) == 1)) for seat in order]
    double = [{p for p in empty if len(partners(p, gaps[seat])) >= 2} for seat in order]
    fewest = min((len(gap) for seat in order for gap, _ in gaps[seat] if len(gap) >= 2), default=None)
    chosen = {seat: [(gap, step) for gap, step in gaps[seat] if len(gap) == fewest] for seat in order}
    crossed = [{p for p in empty if len({step for gap, step in chosen[seat] if p in gap}) >= 2} for seat in order]
    covered = [set().union(*(gap for gap, _ in chosen[seat])) for seat in order]
    return [*complete, *double, middle(game) if not any(game.stones) else set(), *crossed, *covered]


def partners(point, gaps):
    """Return the points that are empty together with a point, and with no other, in some window."""
    return set().union(*(gap - {point} for gap, _ in gaps if len(gap) == 2 and point in gap))


def middle(game):
    """Return the points that are neither in an outer third of the rows nor in one of the columns."""
    rows = range(game.rows // 3, game.rows - game.rows // 3)
    columns = range(game.columns // 3, game.columns - game.columns // 3)
    return {row * game.columns + column for row in rows for column in columns}


def open_windows(game, seat):
    """Return (points, direction) of every window that is open to a seat."""
    foreign = set().union(*(stones for other, stones in enumerate(game.stones) if other != seat))
    found = []
    for step in DIRECTIONS:
        if game.directions == 3 and step == (1, -1):
            continue
        for row in range(game.rows):
            for column in range(game.columns):
                points = [point_at(game, row, column, step, i) for i in range(-1, game.in_a_row + 1)]
                before, *window, beyond = points
                if None in window or foreign & set(window):
                    continue
                if game.exact and (before in game.stones[seat] or beyond in game.stones[seat]):
                    continue
                found.append((window, step))
    return found


def point_at(game, row, column, step, distance):
    """Return the point so many steps away in a direction; None beyond the edge."""
    row, column = row + distance * step[0], column + distance * step[1]
    on_board = 0 <= row < game.rows and 0 <= column < game.columns
    return row * game.columns + column if on_board else None
