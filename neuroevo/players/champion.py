"""The players of board games that a run may have as its champion; one of backgammon is a `Greedy`."""

from neuroevo.players.board_policy import NetworkPlayer
from neuroevo.players.neuron_policy import NeuronPlayer
from neuroevo.players.pente_value import TwoPlyPlayer, ValuePlayer

Champion = NetworkPlayer | NeuronPlayer | ValuePlayer | TwoPlyPlayer
