"""The timing loop, and the rows that results are written in."""

import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax

from neuroevo.runtime.provenance import provenance

KEYS = (
    "game", "size", "seats", "players", "batch", "games", "games_per_second", "plies_per_second", "compile_seconds",
    "peak_mb", "busy", "device", "jax", "commit",
)  # fmt: skip


@dataclass(frozen=True)
class Timing:
    """How long one call of a program takes.

    seconds: median of the repeats
    compile_seconds: duration of tracing and compiling
    numbers: medians over the repeats of what was read from the results, by name
    """

    seconds: float
    compile_seconds: float
    numbers: dict[str, float]


def clocked(call: Callable[[], Any]) -> tuple[Any, float]:
    """(what `call` returns, seconds until all of it is computed)."""
    started = time.perf_counter()
    results = jax.block_until_ready(call())
    return results, time.perf_counter() - started


def time_program(
    program: jax.stages.Wrapped,
    arguments: Callable[[int], tuple],
    repeats: int,
    read: Callable[[Any], dict[str, float]],
    calls: int = 1,
) -> Timing:
    """Compiles a program, runs it once to warm up, and then times `repeats` runs.

    arguments: maps the number of a run (0: to warm up) to the program's arguments.
    read: maps the results of a run to numbers, and raises AssertionError where they are not what is to be timed.
    calls: number of calls that one run makes without waiting in between; `seconds` is the time per call.
    """
    compiled, compile_seconds = clocked(lambda: program.lower(*arguments(0)).compile())
    read(jax.block_until_ready(compiled(*arguments(0))))
    seconds, numbers = [], []
    for repeat in range(1, repeats + 1):
        given = jax.block_until_ready(arguments(repeat))
        results, duration = clocked(lambda given=given: [compiled(*given) for _ in range(calls)])
        seconds.append(duration / calls)
        numbers.append(read(results[-1]))
    medians = {name: statistics.median(run[name] for run in numbers) for name in numbers[0]}
    return Timing(statistics.median(seconds), compile_seconds, medians)


def row(**values: Any) -> dict[str, Any]:
    """One line of the JSON file: every key of KEYS, None where it has no meaning, and any others."""
    return {**dict.fromkeys(KEYS), **values, **{key: provenance()[key] for key in ("device", "jax", "commit")}}


def peak_mb() -> int:
    """The most memory that this process has used so far: the device's where it says so. Cases that ran before count."""
    on_device = (jax.devices()[0].memory_stats() or {}).get("peak_bytes_in_use")
    if on_device:
        return round(on_device / 2**20)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10)
