"""Temporal-difference learning: TD(λ) from records and self-play."""
