"""The five papers, one folder each, and the studies that reproduce them."""

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

STUDIES: dict[str, type] = {
    "training": Training,
    "coevolution": Coevolution,
    "scaling": Scaling,
    "transfer": Transfer,
    "gauntlet": Gauntlet,
    "td_single": TDSingle,
    "td_training": TDTraining,
    "self_play": SelfPlay,
    "backgammon_scaled": BackgammonScaled,
    "td_backgammon": TDBackgammon,
    "focus": Focus,
    "fit_bill": FitBill,
}

__all__ = ["STUDIES", "Study"]
