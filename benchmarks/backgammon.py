"""Games of backgammon per second, and afterstates: random plays, Pubeval, and 136-20-1 networks, two in each block.

Networks are those of an evolution's first generation: all weights are zero but one. With random weights games are half
as long again, and those of some pairs hardly end.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.measure import peak_mb, row
from jaxgames import Backgammon, Results, Schedule, play_walks
from jaxgames.players import Greedy, RandomPlays, pubeval_player
from neuroevo.players.backgammon_value import BackgammonValue, board_codec
from neuroevo.strategies import KillMergeMutate

GAME, LANES = Backgammon(), 2048
PLAYERS = "random", "pubeval", "network"


@dataclass(frozen=True)
class BackgammonCase:
    """`batch` lanes in all, over `blocks` blocks; every lane plays `games_per_lane` games."""

    players: str
    batch: int
    blocks: int
    games_per_lane: int = 16

    @property
    def schedule(self) -> Schedule:
        lanes = max(1, self.batch // self.blocks)
        return Schedule(lanes * self.games_per_lane, lanes)

    def program(self) -> jax.stages.Wrapped:
        seated = self.seated()
        return jax.jit(lambda streams: play_walks(GAME, seated, streams, self.schedule, self.players == "network"))

    def seated(self) -> tuple:
        """Two networks in every block, all different."""
        if self.players == "network":
            genes = board_codec().genes
            genomes = KillMergeMutate(2 * self.blocks).init(jax.random.key(0), genes).genomes
            both = genomes.reshape(2, self.blocks, genes)
            return tuple(Greedy(jax.vmap(BackgammonValue.of)(some), random_ties=True) for some in both)
        player = RandomPlays() if self.players == "random" else pubeval_player()
        return player, player

    def streams(self, seed: int) -> jax.Array:
        return jnp.arange(self.blocks, dtype=jnp.uint32) + jnp.uint32(1000 * seed)


def rows(players: list[str] | None, batch: int | None, repeats: int) -> Iterator[dict[str, Any]]:
    cores = jax.device_count()
    for name in PLAYERS:
        if players is None or name in players:
            blocks = 8 * cores if name == "network" else cores
            yield timed(BackgammonCase(name, batch or LANES, blocks), repeats)


def timed(case: BackgammonCase, repeats: int) -> dict[str, Any]:
    started = time.perf_counter()
    compiled = case.program().lower(case.streams(0)).compile()
    compile_seconds = time.perf_counter() - started
    results, seconds = jax.block_until_ready(compiled(case.streams(0))), []
    check(results)
    for repeat in range(1, repeats + 1):
        streams = jax.block_until_ready(case.streams(repeat))
        started = time.perf_counter()
        results = jax.block_until_ready(compiled(streams))
        seconds.append(time.perf_counter() - started)
    second = statistics.median(seconds)
    games = results.plies.size
    return row(
        game="backgammon",
        seats=2,
        players=case.players,
        batch=case.batch,
        games=games,
        games_per_second=round(games / second),
        plies_per_second=round(int(results.plies.sum()) / second),
        afterstates_per_second=round(int(results.considered.sum()) / second),
        plies_per_game=round(float(results.plies.mean()), 1),
        unfinished=int((~results.finished).sum()),
        compile_seconds=round(compile_seconds, 2),
        peak_mb=peak_mb(),
        busy=round(float(results.busy.mean()), 3),
    )


def check(results: Results) -> None:
    """Raises AssertionError if games repeat: hardly two consider equally many afterstates in as many plies."""
    kinds = np.stack([np.asarray(x).reshape(-1) for x in (results.plies, results.considered)], 1)
    assert len(np.unique(kinds, axis=0)) > 0.5 * len(kinds), "games repeat"
