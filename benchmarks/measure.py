"""Timing, and the check that what was timed were different, legal games."""

import resource
import statistics
import time
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from benchmarks.cases import Case
from neuroevo.runtime.provenance import provenance

KEYS = (
    "game", "size", "seats", "players", "batch", "games", "games_per_second", "plies_per_second", "compile_seconds",
    "peak_mb", "busy", "device", "jax", "commit",
)  # fmt: skip
CHECKED_LANES = 8  # games whose moves are recorded and replayed for the check, per block


@dataclass(frozen=True)
class Timing:
    seconds: float  # median of the repeats
    compile_seconds: float
    games: int
    plies: int
    busy: float
    nodes: int | None  # of searches


def time_case(case: Case, repeats: int) -> Timing:
    program = case.program()
    started = time.perf_counter()
    compiled = program.lower(case.streams(0)).compile()
    compile_seconds = time.perf_counter() - started
    jax.block_until_ready(compiled(case.streams(0)))
    seconds, plies, busy, nodes = [], [], [], []
    for repeat in range(1, repeats + 1):
        streams = jax.block_until_ready(case.streams(repeat))
        started = time.perf_counter()
        results = jax.block_until_ready(compiled(streams))
        seconds.append(time.perf_counter() - started)
        if results.counts is not None:
            nodes.append(int(np.asarray(results.counts.nodes).sum(dtype=np.int64)))
        plies.append(int(np.asarray(results.plies).sum()))
        busy.append(float(np.asarray(results.busy).mean()))
        assert np.asarray(results.finished).all(), f"{case}: a game did not end"
    middle = statistics.median
    searched = round(middle(nodes)) if nodes else None
    return Timing(middle(seconds), compile_seconds, case.num_games, round(middle(plies)), middle(busy), searched)


def check_games(case: Case) -> None:
    """Raises AssertionError unless a small batch of the case's games are distinct and every move is legal."""
    small = Case(case.game, case.size, case.players, CHECKED_LANES * case.blocks, 2)
    results = small.program(record_moves=True)(small.streams(0))
    assert results.moves is not None
    moves = np.asarray(results.moves).reshape(-1, results.moves.shape[-1])
    played = moves >= 0
    assert (played.sum(1) == np.asarray(results.plies).reshape(-1)).all(), f"{case}: moves are missing"
    assert (np.diff(played.astype(int), axis=1) <= 0).all(), f"{case}: a game has a hole"
    distinct = 0.5 if case.players == "gauntlet" else 0.9  # a network and a builder of rows have few ways to play
    assert len(np.unique(moves, axis=0)) >= distinct * len(moves), f"{case}: games repeat"
    legal = np.asarray(_legal(small, moves))
    assert legal[played].all(), f"{case}: an illegal move was played"


def _legal(case: Case, moves: np.ndarray) -> jax.Array:
    """Bool[games, plies]: whether each recorded move was legal where it was played."""
    game = case.rules

    def ply(state: Any, move: jax.Array) -> tuple[Any, jax.Array]:
        at = jax.numpy.maximum(move, 0).astype(jax.numpy.int32)
        return game.play(state, at), game.legal(state)[at]

    return jax.jit(jax.vmap(lambda row: jax.lax.scan(ply, game.start(), row)[1]))(moves)


def row(**values: Any) -> dict[str, Any]:
    """One line of the JSON file: every key of the contract, None where it has no meaning, and any others."""
    return {**dict.fromkeys(KEYS), **values, **{key: provenance()[key] for key in ("device", "jax", "commit")}}


def case_row(case: Case, timing: Timing) -> dict[str, Any]:
    return row(
        game=case.game,
        size=case.size,
        seats=case.rules.num_seats,
        players=case.players,
        batch=case.blocks * case.schedule.lanes,
        games=timing.games,
        games_per_second=round(timing.games / timing.seconds),
        plies_per_second=round(timing.plies / timing.seconds),
        compile_seconds=round(timing.compile_seconds, 2),
        peak_mb=peak_mb(),
        busy=round(timing.busy, 3),
        **({"nodes_per_second": round(timing.nodes / timing.seconds)} if timing.nodes else {}),
    )


def peak_mb() -> int:
    """The most memory that this process has used so far: the device's where it says so. Cases that ran before count."""
    on_device = (jax.devices()[0].memory_stats() or {}).get("peak_bytes_in_use")
    if on_device:
        return round(on_device / 2**20)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10)
