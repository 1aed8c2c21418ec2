"""Plain-Python hand-coded players of Pente, written to check faster implementations against.

Each takes a position of the plain Pente and what the player remembers, None at the start of a game. It returns a
dictionary: its keys are the moves that the player may choose, all equally good, and the value of a move is what the
player remembers if it chooses this one. Only playable points, `legal()`, are chosen; "anywhere" is any of them.

Random plays anywhere.

Blocker plays on a point with four adjacent stones of one opponent directly beside it in one of the eight directions;
if there is none, on a point with three such stones; otherwise anywhere. Of the same number of stones those of the
opponent that moves soonest come first. Rows with a gap are not seen.

Capturer captures as many stones as it can. If it can capture none, it plays where in one of the eight directions an
opponent's stone comes first and then two empty points; otherwise anywhere.

Simple and Better remember a line: the point of one of their stones, the anchor, and a direction. While the anchor is
theirs, they try the remembered direction and those after it, in the order of DIRECTIONS, and never go back to one
before it. The row of their adjacent stones through the anchor grows at its ends: they take the first direction in which
one of the two points just beyond the row is playable. Simple knows the first two directions only. Better leaves out
directions in which no five successive points, the anchor among them, are its own stones or playable. Where nothing
grows they play anywhere, and that stone is the anchor of a new line in the first direction.
"""

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]  # horizontal, vertical, down and right, down and left
AROUND = [*DIRECTIONS, *((-down, -right) for down, right in DIRECTIONS)]
FIVE = 5


def anywhere(game, memory=None):
    """Return every playable point, for Random."""
    return dict.fromkeys(game.legal())


def blocker(game, memory=None):
    """Return the ends of the most urgent row of an opponent."""
    beside = {point: rows_beside(game, point) for point in game.legal()}
    for stones in (4, 3):
        for turns in range(1, game.seats):
            opponent = (game.to_move + turns) % game.seats
            ends = {p for p, rows in beside.items() if any(o == opponent and n >= stones for o, n in rows)}
            if ends:
                return dict.fromkeys(ends)
    return anywhere(game)


def rows_beside(game, point):
    """Return (owner, length) of the eight rows of points with one owner that begin next to a point."""
    rays = [game.ray(point, step) for step in AROUND]
    return [(game.board[ray[0]], len(game.run(game.board[ray[0]], ray))) for ray in rays if ray]


def capturer(game, memory=None):
    """Return the points that capture most; otherwise those that threaten a stone."""
    captured = {point: len(game.captured_by(game.to_move, point)) for point in game.legal()}
    most = max(captured.values())
    if most > 0:
        return dict.fromkeys(point for point in captured if captured[point] == most)
    return dict.fromkeys(point for point in captured if threatens(game, point)) or anywhere(game)


def threatens(game, point):
    """Tell whether an opponent's stone and two empty points begin next to a point in some direction."""
    foreign = set(range(game.seats)) - {game.to_move}
    rows = [[game.board[near] for near in game.ray(point, step)[:3]] for step in AROUND]
    return any(len(row) == 3 and row[0] in foreign and row[1:] == [None, None] for row in rows)


def simple(game, line=None):
    """Return the ends of a horizontal, then of a vertical row."""
    return build(game, line, DIRECTIONS[:2], needs_room=False)


def better(game, line=None):
    """Return the ends of a row in any direction that has room for five."""
    return build(game, line, DIRECTIONS, needs_room=True)


def build(game, line, directions, needs_room):
    """Return the points where a line goes on, or all where a new one may begin."""
    if line is not None and game.board[line[0]] == game.to_move:
        anchor, first = line
        for index in range(first, len(directions)):
            ends = ends_of_row(game, anchor, directions[index])
            if ends and (not needs_room or has_room(game, anchor, directions[index])):
                return dict.fromkeys(ends, (anchor, index))
    return {point: (point, 0) for point in game.legal()}


def ends_of_row(game, anchor, step):
    """Return the playable points just beyond the row of the seat to move through a point."""
    beyond = set()
    for ray in two_rays(game, anchor, step):
        row = game.run(game.to_move, ray)
        beyond |= set(ray[len(row) : len(row) + 1])
    return beyond & game.legal()


def has_room(game, anchor, step):
    """Tell whether five successive points through a point are stones of the seat to move or playable."""
    forward, backward = two_rays(game, anchor, step)
    line = [*reversed(backward), anchor, *forward]
    usable = game.legal() | {point for point in line if game.board[point] == game.to_move}
    windows = [line[i : i + FIVE] for i in range(len(line) - FIVE + 1)]
    return any(anchor in window and usable.issuperset(window) for window in windows)


def two_rays(game, point, step):
    """Return the points beyond a point on both sides of it, nearest first."""
    return game.ray(point, step), game.ray(point, (-step[0], -step[1]))
