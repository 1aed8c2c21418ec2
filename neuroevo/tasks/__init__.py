"""What genomes are scored for: genomes → evaluation, by playing games in the arena."""

from neuroevo.tasks.base import Task
from neuroevo.tasks.focus import Focus
from neuroevo.tasks.gauntlet import Gauntlet
from neuroevo.tasks.objectives import Objectives
from neuroevo.tasks.round_robin import RoundRobin, VersusPubeval
from neuroevo.tasks.versus_opponent import VersusOpponent, retest
from neuroevo.tasks.versus_others import VersusOthers

TASKS: dict[str, type] = {
    "versus_opponent": VersusOpponent,
    "versus_others": VersusOthers,
    "objectives": Objectives,
    "gauntlet": Gauntlet,
    "round_robin": RoundRobin,
    "versus_pubeval": VersusPubeval,
    "focus": Focus,
}

__all__ = [
    "TASKS",
    "Focus",
    "Gauntlet",
    "Objectives",
    "RoundRobin",
    "Task",
    "VersusOpponent",
    "VersusOthers",
    "VersusPubeval",
    "retest",
]
