"""Kinds of experiments: what is computed, and what is concluded from it."""

from neuroevo.studies.base import Study
from neuroevo.studies.training import Training

__all__ = ["Study", "Training"]
