"""The games: a folder each, with its rules in `rules.py`."""
