"""Schaul & Schmidhuber 2008: MDRNN players of Atari-Go and Gomoku."""
