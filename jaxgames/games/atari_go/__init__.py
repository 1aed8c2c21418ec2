"""Atari-Go: the first capture wins."""
