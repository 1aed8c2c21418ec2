"""What an edge of an Othello board is worth: 59,049 states of its eight squares and of the two diagonally next to its
corners (X squares), by probabilistic minimax as in Iago (Rosenbloom 1982) and Bill (Lee & Mahajan 1990).

    python -m jaxgames.games.othello.edge_table      computes the table and writes it to the folder `data`

The numbers are those of Norvig (Paradigms of Artificial Intelligence Programming, 1992, chapter 18): a disc is worth
what its square and stability say, and a move is possible for sure if it turns discs along the edge, else with a
probability that the neighbours decide. Nobody has to move here: a side that does better by waiting waits, and then the
other side is to move; where it waits, too, the edge stays as it is.

    X 0   1 2 3 4 5 6 7 8   9 X      squares of an edge; a digit of the state in base 3 is 0 for an empty square, 1 for
                                     a disc of the side to move, 2 for one of the other; square 0 is the lowest digit
"""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "data" / "edge_table.npz"
SQUARES, LARGEST = 10, 1000  # of an edge; what the best edge is worth
EMPTY, OWN, OTHER = 0, 1, 2
CORNERS, X_SQUARES, C_SQUARES = (1, 8), (0, 9), (2, 7)
STABLE, SEMI_STABLE, UNSTABLE = 0, 1, 2
WORTH = {
    1: (700, 0, 0),
    2: (1200, 200, -25),
    3: (1000, 200, 75),
    4: (1000, 200, 50),
}  # by stability; a corner is stable
X_WORTH = -2000  # next to an empty corner; else nothing
QUIET = ((0.1, 0.4, 0.7), (0.05, 0.3, 0.0), (0.01, 0.0, 0.0))  # chance of a move by neighbours of own and of other

State = tuple[int, ...]


@cache
def load() -> np.ndarray:
    """Int16[59049]: by state, the worth of an edge for the side to move."""
    with np.load(FILE) as file:
        return file["worth"]


def compute() -> np.ndarray:
    """Int16[59049], from full edges to the empty one."""
    states: list[State] = [digits[::-1] for digits in product(range(3), repeat=SQUARES)]
    values = np.array([static(state) for state in states])
    turned = np.array([number(swapped(state)) for state in states])
    empties = np.array([state.count(EMPTY) for state in states])
    for layer in (np.flatnonzero(empties == count) for count in range(1, SQUARES + 1)):
        after = np.full((len(layer), SQUARES), -np.inf)
        chance = np.zeros((len(layer), SQUARES))
        for row, state in enumerate(states[i] for i in layer):
            for square in np.flatnonzero(np.array(state) == EMPTY).tolist():
                after[row, square] = -values[number(swapped(moved(state, square)))]
                chance[row, square] = probability(state, square)
        best_first = np.argsort(-after, 1)
        after, chance = (np.take_along_axis(x, best_first, 1) for x in (after, chance))
        rows = np.searchsorted(layer, turned[layer])
        after_waiting = expected(after[rows], chance[rows], values[turned[layer]])
        values[layer] = expected(after, chance, -after_waiting)
    return np.round(values * LARGEST / np.abs(values).max()).astype(np.int16)


def expected(after: np.ndarray, chance: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    """Float[states] from the worth of moves, after[states, moves], the best first, their chances to be possible, and
    what it is worth to wait: of the moves that are better, each is made if it is possible and no better one is.
    """
    wanted = np.where(after > waiting[:, None], chance, 0)
    none_yet = np.cumprod(np.concatenate([np.ones((len(wanted), 1)), 1 - wanted], 1), 1)
    return (none_yet[:, :-1] * wanted * np.where(chance > 0, after, 0)).sum(1) + none_yet[:, -1] * waiting


# ---------------------------------------------------------------- one state
def number(state: State) -> int:
    """The index of a state in the table."""
    return sum(digit * 3**place for place, digit in enumerate(state))


def swapped(state: State) -> State:
    """As the other side sees it."""
    return tuple((EMPTY, OTHER, OWN)[digit] for digit in state)


def moved(state: State, square: int) -> State:
    """After a disc of the side to move; turns over what it encloses along the edge."""
    after = list(state)
    after[square] = OWN
    for place in enclosed(state, square):
        after[place] = OWN
    return tuple(after)


def enclosed(state: State, square: int) -> list[int]:
    """Squares whose discs a move turns over along the edge."""
    found: list[int] = []
    for ray in (range(square + 1, 9), range(square - 1, 0, -1)) if square not in X_SQUARES else ():
        run = []
        for place in ray:
            if state[place] != OTHER:
                found += run if state[place] == OWN else []
                break
            run.append(place)
    return found


def static(state: State) -> float:
    """What the discs are worth if nobody moves any more."""
    return float(sum((0, 1, -1)[owner] * _disc(state, place) for place, owner in enumerate(state) if owner))


def _disc(state: State, place: int) -> int:
    if place in X_SQUARES:
        return X_WORTH if state[1 if place == 0 else 8] == EMPTY else 0
    return WORTH[min(place, 9 - place)][stability(state, place)]


def stability(state: State, place: int) -> int:
    """Whether a disc on the edge could be turned over at once (UNSTABLE), later (SEMI_STABLE) or never (STABLE)."""
    if place in CORNERS:
        return STABLE
    owner, edge = state[place], state[1:9]
    ahead = next((other for other in state[place + 1 : 9] if other != owner), None)
    behind = next((other for other in state[place - 1 : 0 : -1] if other != owner), None)
    if None in (ahead, behind):
        return STABLE
    if ahead != behind:
        return UNSTABLE
    return SEMI_STABLE if ahead == EMPTY or EMPTY in edge else STABLE


def probability(state: State, square: int) -> float:
    """How likely a move is to be legal."""
    if square in X_SQUARES:
        return 0.5
    if enclosed(state, square):
        return 1.0
    if square in CORNERS:
        return {EMPTY: 0.1, OWN: 0.001, OTHER: 0.9}[state[0 if square == 1 else 9]]
    beside = state[square - 1], state[square + 1]
    return QUIET[beside.count(OWN)][beside.count(OTHER)] / (2 if square in C_SQUARES else 1)


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FILE, worth=compute())
    print(f"{FILE.name}: {len(load()):,} states, {FILE.stat().st_size:,} bytes")
