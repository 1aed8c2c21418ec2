"""Microseconds per board of an MDRNN inside a population: POPULATION networks × 100 boards each."""

import statistics
import time
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.cases import POPULATION
from benchmarks.measure import row
from jaxgames.devices import over_devices
from neuroevo.networks import MDRNN
from neuroevo.networks.genome import GenomeCodec

BOARDS = 100


def mdrnn_row(size: int, repeats: int, calls: int = 10) -> dict[str, Any]:
    """Wall time per board on all devices, the populations shared out over them."""
    layout = GenomeCodec(MDRNN(10), 2, size, size)
    genomes = jax.random.normal(jax.random.key(0), (POPULATION, layout.genes))
    planes = (jax.random.uniform(jax.random.key(1), (POPULATION, BOARDS, 2, size, size)) < 0.3).astype(jnp.float32)

    def values(genomes: jax.Array, planes: jax.Array) -> jax.Array:
        def boards(genome: jax.Array, planes: jax.Array) -> Any:
            return jax.vmap(lambda x: layout.network.apply({"params": layout.decode(genome)}, x))(planes)

        return jax.vmap(boards)(genomes, planes)

    program = jax.jit(over_devices(values))
    first = jax.block_until_ready(program(genomes, planes))
    assert len(jnp.unique(first.reshape(-1, size * size), axis=0)) > 0.9 * POPULATION * BOARDS, "boards repeat"
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        jax.block_until_ready([program(genomes, planes) for _ in range(calls)])
        seconds.append((time.perf_counter() - started) / calls)
    microseconds = statistics.median(seconds) / (POPULATION * BOARDS) * 1e6
    boards = POPULATION * BOARDS
    return row(size=size, players="mdrnn", batch=boards, microseconds_per_board=round(microseconds, 2))
