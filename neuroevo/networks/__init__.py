"""Networks that prefer points of a board or judge positions: flax modules over one position."""

from neuroevo.networks.marker import Markers
from neuroevo.networks.mdlstm import MDLSTM
from neuroevo.networks.mdrnn import MDRNN
from neuroevo.networks.mlp import MLP
from neuroevo.networks.neurons import Neurons
from neuroevo.networks.stacked import StackedMDRNN
from neuroevo.networks.value import ValueNetwork

__all__ = ["MDLSTM", "MDRNN", "MLP", "Markers", "Neurons", "StackedMDRNN", "ValueNetwork"]
