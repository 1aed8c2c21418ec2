"""Positions of backgammon in the notations of FIBS and GNU Backgammon."""
