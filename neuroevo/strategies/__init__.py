"""Evolution by ask and tell."""

from neuroevo.strategies.base import Strategy
from neuroevo.strategies.coevolution import Coevolution
from neuroevo.strategies.es import ES

__all__ = ["ES", "Coevolution", "Strategy"]
