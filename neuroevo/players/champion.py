"""What a run may make its champion of."""

from neuroevo.players.board_policy import NetworkPlayer
from neuroevo.players.neuron_policy import NeuronPlayer
from neuroevo.players.pente_value import TwoPlyPlayer, ValuePlayer

Champion = NetworkPlayer | NeuronPlayer | ValuePlayer | TwoPlyPlayer
