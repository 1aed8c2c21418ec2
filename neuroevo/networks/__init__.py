"""Networks that prefer points of a board: flax modules over one position."""

from neuroevo.networks.mdrnn import MDRNN
from neuroevo.networks.mlp import MLP

__all__ = ["MDRNN", "MLP"]
