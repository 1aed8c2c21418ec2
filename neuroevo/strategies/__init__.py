"""Evolution by ask and tell: strategies propose genomes and are told what came of them."""

from neuroevo.strategies.base import Strategy
from neuroevo.strategies.coevolution import Coevolution
from neuroevo.strategies.es import ES
from neuroevo.strategies.esp import ESP
from neuroevo.strategies.evosax_adapter import Evosax
from neuroevo.strategies.kill_merge_mutate import KillMergeMutate
from neuroevo.strategies.marker_ga import MarkerGA
from neuroevo.strategies.mirrored_es import MirroredES
from neuroevo.strategies.pareto import Pareto

STRATEGIES: dict[str, type] = {
    "es": ES,
    "coevolution": Coevolution,
    "pareto": Pareto,
    "esp": ESP,
    "marker_ga": MarkerGA,
    "evosax": Evosax,
    "kill_merge_mutate": KillMergeMutate,
    "mirrored_es": MirroredES,
}

__all__ = [
    "ES",
    "ESP",
    "STRATEGIES",
    "Coevolution",
    "Evosax",
    "KillMergeMutate",
    "MarkerGA",
    "MirroredES",
    "Pareto",
    "Strategy",
]
