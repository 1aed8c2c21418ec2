"""Everybody against everybody: scores, their intervals and ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, UInt32

from jaxgames import core
from jaxgames.arena.alike import stackable
from jaxgames.arena.pairs import FIRST, SECOND, pair_streams, play_pairs
from jaxgames.arena.schedule import Schedule
from jaxgames.arena.tables import Table

SQUARED = 1.959964**2  # of the normal quantile of a 95 % interval
TITLE = "Everybody against everybody"


@dataclass(frozen=True)
class CrossTable:
    """Who beats whom: number of wins and draws of row against column, both starting equally often."""

    names: tuple[str, ...]  # of the players, in the order of rows and columns
    games: int  # per pair
    wins: np.ndarray  # Int[players players]
    draws: np.ndarray  # Int[players players]
    faulty: tuple[str, ...] = ()  # players whose outputs were NaN or infinite; they lost the games with such outputs

    @property
    def score(self) -> np.ndarray:
        """Float[players players]: points per game of row against column, 1 for a win and ½ for a draw."""
        return (self.wins + self.draws / 2) / self.games

    def interval(self) -> tuple[np.ndarray, np.ndarray]:
        """(lower, upper), Float[players players]: Wilson's 95 % interval of the scores.

        A draw is half a win, which `scipy.stats.binomtest` does not count: it takes whole numbers of wins.
        """
        share, middle = self.score, self.score + SQUARED / (2 * self.games)
        half = np.sqrt(SQUARED * (share * (1 - share) + SQUARED / (4 * self.games)) / self.games)
        scale = 1 + SQUARED / self.games
        return (middle - half) / scale, (middle + half) / scale

    def csv(self) -> str:
        """One line per player after a header: name, rating, and score against everybody."""
        rows = [
            (name, f"{rating:.1f}", *(f"{x:.4f}" for x in row))
            for name, rating, row in zip(self.names, ratings(self), self.score, strict=True)
        ]
        return Table("cross_table", TITLE, ("player", "rating", *self.names), rows).csv()

    def __str__(self) -> str:
        """Strongest first: rating, and score ± half the interval against everybody."""
        (low, high), rating = self.interval(), ratings(self)
        order = np.argsort(-rating, kind="stable")
        width = max(11, *map(len, self.names))  # of all columns alike, but for the ratings
        columns = "player".ljust(width), "rating", *(self.names[i].rjust(width) for i in order)
        rows = []
        for i in order:
            cells = [f"{self.score[i, j]:.2f} ± {(high - low)[i, j] / 2:.2f}" if i != j else "–" for j in order]
            rows.append((self.names[i], f"{rating[i]:.0f}", *cells))
        return Table("cross_table", TITLE, columns, rows).text()


def round_robin(
    game: core.Game, players: Mapping[str, core.Player], stream: UInt32[Array, ""], games: int
) -> CrossTable:
    """A cross table of any players by name: hand-coded ones, champions, snapshots of a run.

    games: number of games per ordered pair. Raises ValueError unless it is even, so that both start equally often.

    Players that differ in their leaves alone, such as networks of one shape, are played as one grid.
    """
    if games % 2 or games < 2:
        raise ValueError(f"games must be an even number of at least 2, so that both start equally often, not {games}")
    everybody = list(players.values())
    sets = [
        (jax.tree.map(lambda *x: jnp.stack(x)[None], *(everybody[i] for i in group)), group)
        for group in stackable(everybody)
    ]
    count = len(everybody)
    streams = pair_streams(stream, (count, count))
    wins, draws, faulty = np.zeros((count, count), int), np.zeros((count, count), int), set()
    for (first, rows), (second, columns) in combinations_with_replacement(sets, 2):
        at, each = np.ix_(rows, columns), games if rows is columns else 2 * games  # a set meets itself in both orders
        results = play_pairs(game, first, second, streams[at][None], Schedule(each, each))
        if results.faults is not None:
            by_pair = np.asarray(results.faults[0].any(2))  # [rows columns 2]
            faulty |= {rows[i] for i in np.flatnonzero(by_pair[..., FIRST].any(1))}
            faulty |= {columns[i] for i in np.flatnonzero(by_pair[..., SECOND].any(0))}
        winner = np.asarray(results.winner)[0]
        wins[at] += (winner == FIRST).sum(-1)
        wins.T[at] += (winner == SECOND).sum(-1)
        draws[at] += (winner == -1).sum(-1)
        draws.T[at] += (winner == -1).sum(-1)
    off_diagonal = ~np.eye(count, dtype=bool)
    named = tuple(name for number, name in enumerate(players) if number in faulty)
    return CrossTable(tuple(players), 2 * games, wins * off_diagonal, draws * off_diagonal, named)


def ratings(table: CrossTable, rounds: int = 1000) -> np.ndarray:
    """Float[players]: Bradley–Terry strengths on the Elo scale (400 points: ten to one), mean 0, by `rounds` iterations
    of Hunter's (2004) MM algorithm.

    A draw is half a win for both. Half a game, drawn, is added to every pair, so that a player who wins or loses all
    its games has a finite rating.
    """
    count = len(table.names)
    prior = 0.5 * (1 - np.eye(count))
    points = table.score * table.games * (1 - np.eye(count)) + prior / 2
    played = points + points.T
    strength = np.ones(count)
    for _ in range(rounds):
        strength = points.sum(1) / (played / (strength[:, None] + strength[None])).sum(1)
        strength /= np.exp(np.log(strength).mean())
    return 400 * np.log10(strength)
