"""What a network sees of a position, game by game; `ENCODERS` are those that a config names."""

from neuroevo.encoders.planes import ENCODERS

__all__ = ["ENCODERS"]
