"""Kinds of experiments: what is computed, and what is concluded from it."""

from neuroevo.studies.backgammon_scaled import BackgammonScaled
from neuroevo.studies.base import Study
from neuroevo.studies.coevolution import Coevolution
from neuroevo.studies.fit_bill import FitBill
from neuroevo.studies.focus import Focus
from neuroevo.studies.gauntlet import Gauntlet
from neuroevo.studies.scaling import Scaling
from neuroevo.studies.self_play import SelfPlay
from neuroevo.studies.td_backgammon import TDBackgammon
from neuroevo.studies.td_single import TDSingle
from neuroevo.studies.td_training import TDTraining
from neuroevo.studies.training import Training
from neuroevo.studies.transfer import Transfer

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
