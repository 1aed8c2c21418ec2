"""Refuses numbers that no run can use: not finite, larger than a run can mean, or too large for the memory."""

import dataclasses
import math
import os
from typing import Any, get_args, get_origin

import jax
import numpy as np

from neuroevo.evolution import MEASURES, Evolution
from neuroevo.runtime.settings import ConfigError

LARGEST = 2**31 - 1  # integers are int32 on the device
LARGEST_FLOAT = 1e9  # largest value of any other number; chosen by judgement
MOST = {  # largest values of keys that need a smaller bound; chosen by judgement
    "seed": LARGEST,
    "devices": 1024,
    "replicas": 100_000,
    "network.layers": 64,
    "network.hidden": 1_000_000,
    "task.lanes": 1_000_000,
}
COPIES = 4  # estimated number of copies of a population in memory: genomes, offspring, decoded weights, sums
GIBIBYTE = 2**30


def check_numbers(prefix: str, kind: type, values: dict[str, Any]) -> None:
    """Raises ConfigError for the first value that no run can use.

    prefix: of the keys in the message, such as "strategy.".
    kind: the dataclass whose fields are the keys of `values`.
    """
    types = {f.name: f.type for f in dataclasses.fields(kind)}
    for key, value in values.items():
        _check(f"{prefix}{key}", value, types.get(key, Any))


def _check(key: str, value: Any, expected: Any) -> None:
    if expected is bool and not isinstance(value, bool):
        raise ConfigError(f"{key} must be true or false, not {value!r}")
    if get_origin(expected) is tuple and isinstance(value, list | tuple):
        (inner, *_) = get_args(expected)
        for element in value:
            if isinstance(element, list | dict) or (inner in (int, str) and not isinstance(element, inner)):
                raise ConfigError(f"{key} must be a list of {_words(inner)}, not {list(value)!r}")
            _check(key, element, inner)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{key} must be a finite number, not {value}")
    most = MOST.get(key, LARGEST if isinstance(value, int) else LARGEST_FLOAT)
    if abs(value) > most:
        raise ConfigError(f"{key} must be at most {most:,}, not {value:,}")


def _words(kind: Any) -> str:
    return {int: "whole numbers", float: "numbers", str: "names"}.get(kind, str(kind))


def check_memory(evolution: Evolution, generations: int) -> None:
    """Raises ConfigError, which says the estimate, if an evolution needs more memory than this machine has."""
    task, population = evolution.task, evolution.strategy.population
    individuals, size = evolution.replicas * population, np.dtype(task.gene_type).itemsize
    state = jax.tree.leaves(jax.eval_shape(task.game.start))
    lane = sum(math.prod(leaf.shape) * leaf.dtype.itemsize for leaf in state)
    needed = {
        "genomes": COPIES * individuals * task.genes * size,
        "games": individuals * getattr(task, "lanes", 1) * lane,
        "history": generations * evolution.replicas * (4 * population * len(MEASURES) + task.genes * size),
    }
    largest = max(needed, key=lambda part: needed[part])
    if (total := sum(needed.values())) > memory():
        keys = {
            "genomes": "network, strategy and replicas",
            "games": "task.lanes, strategy and replicas",
            "history": "generations, strategy and replicas",
        }
        raise ConfigError(
            f"this needs about {total / GIBIBYTE:,.0f} GiB of memory, most of it for {largest}, and the machine has "
            f"{memory() / GIBIBYTE:,.0f} GiB: make {keys[largest]} smaller"
        )


def memory() -> int:
    """The memory of this machine in bytes; 2⁶³ if the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):  # some systems do not say
        return 2**63
