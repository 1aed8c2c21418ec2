"""What is measured: a game, its players, and a batch of lanes."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp

from jaxgames import AtariGo, Gomoku, Othello, Pente, Schedule, play_games
from jaxgames.arena import all_openings, play_searches
from jaxgames.games.othello.positional import Positional
from jaxgames.players import PLAYERS, Naive, Search
from neuroevo.networks import MDRNN, Neurons
from neuroevo.networks.genome import codec
from neuroevo.players.board_policy import NetworkPlayer
from neuroevo.tasks import Gauntlet

GAMES = {
    "atari_go": AtariGo,
    "gomoku": lambda size: Gomoku(size, size),
    "othello": lambda size: Othello(),
    "pente": Pente,
    "pente_3_seats": lambda size: Pente(size, 3),
}
POPULATION = 15  # of the MDRNN rows, as in paper 001
NETWORKS = 400  # of a generation of ESP
DEEP = 5, 6  # levels of search


@dataclass(frozen=True)
class Case:
    """`batch` lanes in all, over `blocks` blocks; every lane plays `games_per_lane` games."""

    game: str
    size: int
    players: str  # random, naive, mdrnn-naive, search-LEVEL, or gauntlet: ESP's networks and the hand-coded players
    batch: int
    games_per_lane: int = 16

    @property
    def rules(self) -> Any:
        return GAMES[self.game](self.size)

    @property
    def level(self) -> int | None:
        """How far ahead both players look, if they search."""
        return int(self.players.removeprefix("search-")) if self.players.startswith("search-") else None

    @property
    def blocks(self) -> int:
        if self.players == "gauntlet":
            return NETWORKS
        return POPULATION if self.players == "mdrnn-naive" else min(jax.device_count(), self.batch)

    @property
    def schedule(self) -> Schedule:
        lanes = max(1, self.batch // self.blocks)
        if self.players == "gauntlet":
            return Schedule(self.gauntlet.games, lanes, self.gauntlet.seatings)
        games = lanes * self.games_per_lane
        if self.level in DEEP:  # hardly ever two moves are equally good, so that a game follows from its opening
            return Schedule(games, lanes, ((0, 1),), openings=openings_after(6), drawn_openings=True)
        return Schedule(games, lanes, openings=openings_after(4) if self.level else ())

    @property
    def num_games(self) -> int:
        return self.blocks * self.schedule.games

    @property
    def gauntlet(self) -> Gauntlet:
        """Ten matches against every opponent, or every pair of two different ones, from every seat."""
        game = self.rules
        assert isinstance(game, Pente)
        return Gauntlet(game, Neurons(), lanes=self.batch // NETWORKS)

    def seated(self) -> tuple[Any, ...]:
        """The players; a network is a population of different ones, one per block."""
        game = self.rules
        if self.players == "gauntlet":
            genomes = jax.random.uniform(jax.random.key(0), (NETWORKS, self.gauntlet.genes), minval=-6, maxval=6)
            return self.gauntlet.player(genomes), *self.gauntlet.others
        if self.level:
            return (Search(game, Positional(), self.level, ordered=0),) * 2  # the quickest order
        if self.players in PLAYERS:
            return tuple(PLAYERS[self.players](game) for _ in range(game.num_seats))
        genomes = jax.random.normal(jax.random.key(0), (self.blocks, codec(game, MDRNN()).genes))
        return NetworkPlayer(genomes, game, MDRNN()), Naive(game)

    def program(self, record_moves: bool = False) -> jax.stages.Wrapped:
        schedule = replace(self.schedule, record_moves=record_moves)
        players, game = self.seated(), self.rules
        if self.level:
            return jax.jit(lambda streams: play_searches(players, streams, schedule, batched=False))
        return jax.jit(lambda streams: play_games(game, players, streams, schedule))

    def streams(self, seed: int) -> jax.Array:
        return jnp.arange(self.blocks, dtype=jnp.uint32) + jnp.uint32(1000 * seed)


@cache
def openings_after(plies: int) -> tuple[tuple[int, ...], ...]:
    """Of Othello: after 4 plies the 244 of Moriarty and Miikkulainen (1994), after 6 there are 8,200."""
    return all_openings(Othello(), plies)


DEFAULT = [
    Case("atari_go", 5, "random", 4096),
    Case("atari_go", 9, "random", 2048),
    Case("atari_go", 19, "random", 1024),
    Case("atari_go", 5, "naive", 2048),
    Case("atari_go", 9, "naive", 2048),
    Case("atari_go", 19, "naive", 512),
    Case("gomoku", 9, "random", 4096),
    Case("gomoku", 15, "random", 4096),
    Case("gomoku", 19, "random", 2048),
    Case("gomoku", 15, "naive", 2048),
    Case("pente", 7, "random", 4096),
    Case("pente_3_seats", 7, "random", 4096),
    Case("pente", 19, "random", 2048),
    Case("atari_go", 5, "mdrnn-naive", 1500, 8),
    Case("atari_go", 9, "mdrnn-naive", 1500, 4),
    Case("gomoku", 5, "mdrnn-naive", 1500, 8),
    Case("gomoku", 9, "mdrnn-naive", 1500, 4),
    Case("othello", 8, "random", 16384, 32),
    *(Case("othello", 8, f"search-{level}", 1024, games) for level, games in ((1, 32), (2, 32), (3, 8), (4, 2))),
    *(Case("othello", 8, f"search-{level}", 488, 1) for level in DEEP),
    Case("pente", 7, "gauntlet", 12800),
    Case("pente_3_seats", 7, "gauntlet", 12800),
]


def chosen(
    games: list[str] | None, sizes: list[int] | None, players: list[str] | None, batch: int | None
) -> list[Case]:
    """The default cases, or those of some games and players, on other sizes or with another batch."""
    cases = [
        case
        for case in DEFAULT
        if (games is None or case.game in games) and (players is None or case.players in players)
    ]
    if sizes is not None:
        kinds = {(case.game, case.players): case for case in cases}
        cases = [replace(case, size=size) for case in kinds.values() for size in sizes]
    return [replace(case, batch=batch or case.batch) for case in cases]
