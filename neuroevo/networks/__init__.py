"""Networks of one position: flax modules that prefer points of a board or value positions, and marker networks.

`Network` is what a network offers to code that does not know its kind. A flax module that maps planes to preferences
keeps it by `class MyNetwork(PrefersPoints, nn.Module)`.
"""

from neuroevo.networks.base import Network, PrefersPoints
from neuroevo.networks.marker import Markers
from neuroevo.networks.mdlstm import MDLSTM
from neuroevo.networks.mdrnn import MDRNN
from neuroevo.networks.mlp import MLP
from neuroevo.networks.neurons import Neurons
from neuroevo.networks.stacked import StackedMDRNN
from neuroevo.networks.value import ValueNetwork

NETWORKS: dict[str, type] = {
    "mdrnn": MDRNN,
    "mdlstm": MDLSTM,
    "stacked_mdrnn": StackedMDRNN,
    "mlp": MLP,
    "neurons": Neurons,
    "value": ValueNetwork,
    "markers": Markers,
}

__all__ = [
    "MDLSTM",
    "MDRNN",
    "MLP",
    "NETWORKS",
    "Markers",
    "Network",
    "Neurons",
    "PrefersPoints",
    "StackedMDRNN",
    "ValueNetwork",
]
