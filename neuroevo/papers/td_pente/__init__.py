"""Muijrers 2011: networks that learn Pente by TD(λ)."""
