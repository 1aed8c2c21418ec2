"""Which games are played: how many, by whom from which seat, and for how long."""

from dataclasses import dataclass, fields
from itertools import permutations

from jaxgames.core import Rules

Seating = tuple[int, ...]  # which player sits at seat 0, 1, …


def rotations(seats: int) -> tuple[Seating, ...]:
    """The seatings in which every player starts once and the order of play stays the same."""
    return tuple(tuple((seat - start) % seats for seat in range(seats)) for start in range(seats))


def all_seatings(seats: int) -> tuple[Seating, ...]:
    """The seatings in which every order of play occurs once."""
    return tuple(permutations(range(seats)))


@dataclass(frozen=True)
class Schedule:
    """What every block plays. Each `play_…` function of the arena obeys all fields or raises ValueError.

    games: number of games of a block.
    lanes: number of games of a block that are played at the same time.
    seatings: game g uses seating g modulo their number; by default the rotations. A player without memory may have
        several seats.
    ply_cap: a game that reaches this number of plies is truncated, with the returns of its position (all zero) or,
        in `play_walks` and `play_crowd`, with `game.truncation_return` for every seat.
    record_moves: whether the moves of every game are kept.
    openings: first plies, all of one length, with which games begin. The games of one round of the seatings share an
        opening; the next round has the next one. Not for `play_walks` and `play_crowd`, whose plays have no numbers.
    drawn_openings: each round of the seatings draws its opening instead.
    narrower: decreasing numbers of lanes, for `play_walks` and `play_crowd` only. When no more games than one of these
        numbers are left, the loop goes on with that number of lanes. Each number is compiled as a program of its own.

    Raises ValueError for values that are out of range or do not fit together.
    """

    games: int
    lanes: int = 32
    seatings: tuple[Seating, ...] | None = None
    ply_cap: int | None = None
    record_moves: bool = False
    openings: tuple[tuple[int, ...], ...] = ()
    drawn_openings: bool = False
    narrower: tuple[int, ...] = ()

    def __post_init__(self):
        if self.games < 1 or self.lanes < 1:
            raise ValueError(f"a schedule needs at least one game and one lane, not {self.games} and {self.lanes}")
        if self.ply_cap is not None and self.ply_cap < 1:
            raise ValueError(f"ply_cap must be at least 1, not {self.ply_cap}")
        widths = self.lanes, *self.narrower
        if min(widths) < 1 or list(widths) != sorted(set(widths), reverse=True):
            raise ValueError(f"lanes must become fewer and fewer, not {widths}")
        if len({len(opening) for opening in self.openings}) > 1:
            raise ValueError("all openings of a schedule must have the same number of plies")
        if self.drawn_openings and not self.openings:
            raise ValueError("drawn_openings needs openings to draw from")
        if self.ply_cap is not None and self.ply_cap <= self.opening_plies:
            raise ValueError(f"ply_cap must be more than the {self.opening_plies} plies of the openings")

    @property
    def opening_plies(self) -> int:
        """Number of plies of every opening."""
        return len(self.openings[0]) if self.openings else 0

    def check(self, game: Rules, players: int) -> None:
        """Raises ValueError if there is a seat without a player."""
        if self.seatings is None and players != game.num_seats:
            raise ValueError(f"{game} has {game.num_seats} seats but {players} players were given")
        for seating in self.seatings or ():
            if len(seating) != game.num_seats or not set(seating) <= set(range(players)):
                raise ValueError(f"{seating} does not seat {game.num_seats} of {players} players")

    def refuse(self, function: str, *names: str) -> None:
        """Raises ValueError if fields are set that `function` cannot obey."""
        given = [x.name for x in fields(self) if x.name in names and getattr(self, x.name) != x.default]
        if given:
            raise ValueError(f"{function} cannot obey {' and '.join(given)} of its schedule")
