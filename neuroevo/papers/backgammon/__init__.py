"""Bibliowicz & Joshua 2005: coevolution of backgammon players."""
