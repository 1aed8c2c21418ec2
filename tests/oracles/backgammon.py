"""Plain-Python rules of backgammon, written to check faster implementations against.

A side is a tuple of 26 numbers of checkers: at index 1 to 24 its points as it counts them itself, at 25 the bar and at
0 the checkers off. A position is a pair of sides, the one to move first. Point p of one side is point 25 - p of the
other.
"""

import functools
import random

BAR, OFF = 25, 0
START = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))


def one_man(position, point, die):
    """Return the position after a checker went from a point by a die, or None if that is against the rules."""
    own, other = list(position[0]), list(position[1])
    if not own[point] or (own[BAR] and point != BAR):
        return None
    goal = point - die
    own[point] -= 1
    if goal >= 1:
        there = 25 - goal
        if other[there] >= 2:
            return None
        if other[there] == 1:
            other[there] = 0
            other[BAR] += 1
        own[goal] += 1
    else:
        if any(position[0][7:]):
            return None  # some checker is not at home yet
        if goal < 0 and any(position[0][point + 1 :]):
            return None  # a higher number than needed bears off the rearmost checkers only
        own[OFF] += 1
    return tuple(own), tuple(other)


def by_one_die(positions, die):
    """Return all positions that one checker moved by a die leads to from any of some positions."""
    moved = (one_man(position, point, die) for position in positions for point in range(1, 26))
    return {position for position in moved if position is not None}


def plays(position, high, low):
    """Return every position after a whole play; the position itself where the seat must pass."""
    if high == low:
        reached = {position}
        for _ in range(4):
            further = by_one_die(reached, high)
            if not further:
                break
            reached = further
        return reached
    first_high, first_low = by_one_die({position}, high), by_one_die({position}, low)
    both = by_one_die(first_high, low) | by_one_die(first_low, high)
    return both or first_high or first_low or {position}


def turned(position):
    """Return the position as the other side sees it."""
    return position[1], position[0]


def over(position):
    """Tell whether the side that moves has borne off all checkers."""
    return position[0][OFF] == 15


def points(position):
    """Return what a game counts that the side to move has just won."""
    loser = position[1]
    if loser[OFF]:
        return 1
    return 3 if loser[BAR] or any(loser[19:25]) else 2


def passed_each_other(position):
    """Tell whether no checker can be hit any more."""
    own, other = ([point for point in range(1, 26) if side[point]] for side in position)
    return not own or not other or max(own) < 25 - max(other)


def pubeval(position, race, weights):
    """Return Tesauro's score of a position for the side that has just moved into it."""
    own, other = position
    if own[OFF] == 15:
        return 99999999.0
    table = weights["race"] if race else weights["contact"]
    score = table[120] * other[BAR] / 2 + table[121] * own[OFF] / 15
    for j in range(1, 25):
        checkers, them = own[25 - j], other[j]
        inputs = [them == 1, checkers == 1, checkers >= 2, checkers == 3, (checkers - 3) / 2 if checkers >= 4 else 0]
        score += sum(w * x for w, x in zip(table[5 * (j - 1) : 5 * j], inputs, strict=True))
    return score


# ---------------------------------------------------------------- positions to compare
def random_choice(rng, choices):
    """Play anything."""
    return rng.choice(sorted(choices))


def cramped(rng, choices):
    """Stay back and block, which leads to many checkers on few points, to bars and to long games."""
    return min(choices, key=lambda p: (-p[1][BAR], sum(n == 1 for n in p[0][1:25]), -pips(p[0]), rng.random()))


def spread(rng, choices):
    """Have many single checkers, which leads to many plays."""
    return max(choices, key=lambda p: (sum(n > 0 for n in p[0][1:25]), rng.random()))


def racing(rng, choices):
    """Run home and bear off."""
    return min(choices, key=lambda p: (p[0][BAR], max(point for point in range(26) if p[0][point]), rng.random()))


def pips(side):
    """Return how far a side has to go."""
    return sum(point * checkers for point, checkers in enumerate(side))


def game(rng, choosers, limit=400):
    """Yield (position, high, low) of a game between two ways to choose."""
    position, mover = (START, START), 0
    for _ in range(limit):
        high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        yield position, high, low
        position = choosers[mover](rng, plays(position, high, low))
        if over(position):
            return
        position, mover = turned(position), 1 - mover


def anywhere(rng):
    """Return a position with checkers put anywhere, often few, near home, or on the bar."""
    while True:
        own, other = [0] * 26, [0] * 26
        reach = rng.choice([6, 6, 8, 12, 24, 25])
        for _ in range(rng.randint(1, 15)):
            own[rng.randint(1, reach)] += 1
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            own[BAR] += sum(own) < 15
        for _ in range(rng.randint(1, 15)):
            point = rng.randint(1, 25)
            if point == BAR or not own[25 - point]:
                other[point] += 1
        for side in (own, other):
            side[OFF] = 15 - sum(side)
        if own[OFF] < 15 and other[OFF] < 15:
            return tuple(own), tuple(other)


def crowd(rng):
    """Return a position with checkers on many points and nothing blocked: over two thousand plays with double ones."""
    points = [3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 22, 23, 24]
    points[rng.randrange(15)] = rng.randint(2, 24)
    on_bar = rng.randint(1, 15)
    own = tuple(points.count(point) for point in range(26))
    return own, tuple({BAR: on_bar, OFF: 15 - on_bar}.get(point, 0) for point in range(26))


@functools.cache
def positions(seed, number):
    """Return so many (position, high, low): of games of all kinds, and of checkers put anywhere."""
    rng, found = random.Random(seed), []
    choosers = [random_choice, cramped, spread, racing]
    while len(found) < number:
        pair = rng.choice(choosers), rng.choice(choosers)
        played = list(game(rng, pair, 150))
        found += rng.sample(played, min(30, len(played)))
        found += [(anywhere(rng), *sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)) for _ in range(15)]
    return found[:number]
