"""Evolution by ask and tell."""

from neuroevo.strategies.base import Strategy
from neuroevo.strategies.coevolution import Coevolution
from neuroevo.strategies.es import ES
from neuroevo.strategies.esp import ESP
from neuroevo.strategies.evosax_adapter import Evosax
from neuroevo.strategies.marker_ga import MarkerGA
from neuroevo.strategies.pareto import Pareto

__all__ = ["ES", "ESP", "Coevolution", "Evosax", "MarkerGA", "Pareto", "Strategy"]
