"""Muijrers 2011: Pente by TD(λ)."""
