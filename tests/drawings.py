"""Positions of stones from drawings, for the plain-Python oracles."""

from oracles.atari_go import AtariGo
from oracles.gomoku import Gomoku


def points(drawing, mark):
    """Return the points of a drawn board that carry a mark."""
    return {i for i, char in enumerate("".join(drawing.split())) if char == mark}


def draw_atari_go(drawing, to_move=0, captures_to_win=1):
    """Set up Atari-Go from a drawing: X is seat 0, O is seat 1, anything else is empty."""
    game = AtariGo(len(drawing.split()), captures_to_win)
    for seat, mark in enumerate("XO"):
        for point in points(drawing, mark):
            game.board[point] = seat
    game.to_move = to_move
    return game


def draw_gomoku(drawing, to_move=0, **options):
    """Set up Gomoku from a drawing: X, O, Z, W are seats 0 to 3, anything else is empty."""
    lines = drawing.split()
    game = Gomoku(len(lines), len(lines[0]), **options)
    for seat in range(game.seats):
        game.stones[seat] = points(drawing, "XOZW"[seat])
    game.to_move = to_move
    return game
