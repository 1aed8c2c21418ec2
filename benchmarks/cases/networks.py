"""Microseconds per board of a network inside a population: POPULATION networks × 100 boards each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks import timing
from benchmarks.cases.case import Choice
from benchmarks.cases.games import POPULATION, networks
from jaxgames.devices import over_devices
from neuroevo.networks.genome import GenomeCodec

MEASURED = "mdrnn"  # unless others are named
SIZES = 5, 9, 19
BOARDS, CALLS = 100, 10
INPUTS = 2  # planes


@dataclass(frozen=True)
class NetworkCase:
    """Boards without a game: `players` is the network's name."""

    players: str
    size: int
    game: str | None = None

    def row(self, repeats: int) -> dict[str, Any]:
        """Wall time per board on all devices, the populations shared out over them.

        Raises AssertionError if the network says the same about different boards.
        """
        codec = GenomeCodec(networks()[self.players](), INPUTS, self.size, self.size)
        boards = POPULATION, BOARDS, INPUTS, self.size, self.size
        genomes = jax.random.normal(jax.random.key(0), (POPULATION, codec.genes))
        planes = (jax.random.uniform(jax.random.key(1), boards) < 0.3).astype(jnp.float32)

        def values(genomes: jax.Array, planes: jax.Array) -> jax.Array:
            def of_one(genome: jax.Array, planes: jax.Array) -> Any:
                return jax.vmap(lambda x: codec.network.apply({"params": codec.decode(genome)}, x))(planes)

            return jax.vmap(of_one)(genomes, planes)

        program = jax.jit(over_devices(values))
        measured = timing.time_program(program, lambda _: (genomes, planes), repeats, self._read, CALLS)
        microseconds = round(measured.seconds / (POPULATION * BOARDS) * 1e6, 2)
        return timing.row(
            size=self.size, players=self.players, batch=POPULATION * BOARDS, microseconds_per_board=microseconds
        )

    def _read(self, results: jax.Array) -> dict[str, float]:
        different = len(jnp.unique(results.reshape(-1, self.size**2), axis=0))
        assert different > 0.9 * POPULATION * BOARDS, f"{self.players}: boards repeat"
        return {}


def chosen(choice: Choice) -> Iterator[NetworkCase]:
    """The network that is measured by default, unless games are named; others, of the registered ones, if named."""
    if choice.games and not choice.players:
        return
    for name in choice.players or [MEASURED]:
        if name in networks():
            for size in choice.sizes or SIZES:
                yield NetworkCase(name, size)
