"""What genomes are scored for: genomes → evaluation, by playing games in the arena."""

from neuroevo.tasks.base import Task
from neuroevo.tasks.focus import Focus
from neuroevo.tasks.gauntlet import Gauntlet
from neuroevo.tasks.objectives import Objectives
from neuroevo.tasks.versus_opponent import VersusOpponent, retest
from neuroevo.tasks.versus_others import VersusOthers

__all__ = ["Focus", "Gauntlet", "Objectives", "Task", "VersusOpponent", "VersusOthers", "retest"]
