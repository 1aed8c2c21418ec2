"""Kinds of experiments: what is computed, and what is concluded from it."""

from neuroevo.papers.backgammon.designs import BackgammonScaled
from neuroevo.papers.backgammon.self_play import SelfPlay
from neuroevo.papers.backgammon.td import TDBackgammon
from neuroevo.papers.base import Study
from neuroevo.papers.esp_pente.gauntlet import Gauntlet
from neuroevo.papers.focus_othello.fit_bill import FitBill
from neuroevo.papers.focus_othello.focus import Focus
from neuroevo.papers.mdrnn.coevolution import Coevolution
from neuroevo.papers.mdrnn.scaling import Scaling
from neuroevo.papers.mdrnn.training import Training
from neuroevo.papers.mdrnn.transfer import Transfer
from neuroevo.papers.td_pente.many_games import TDTraining
from neuroevo.papers.td_pente.single_game import TDSingle

__all__ = [
    "BackgammonScaled",
    "Coevolution",
    "FitBill",
    "Focus",
    "Gauntlet",
    "Scaling",
    "SelfPlay",
    "Study",
    "TDBackgammon",
    "TDSingle",
    "TDTraining",
    "Training",
    "Transfer",
]
