"""Plain game-tree search on the plain rules, written to check faster searches against.

A problem says what is searched: `evaluate(game, side)` is the static value for a side, `keep(game, ply)` the actions
that are looked at, `lead(game, side)` says by how much a side has won. Sides alternate; one that cannot move passes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

WON = 1 << 20


def all_actions(game, ply):
    """Keep every legal action."""
    return sorted(game.legal())


@dataclass
class Problem:
    """What is searched, and how many positions were evaluated."""

    evaluate: Callable[[Any, int], int]
    lead: Callable[[Any, int], int]
    keep: Callable[[Any, int], list] = all_actions
    leaves: int = 0

    def final(self, game, side):
        """Value the end of a game for a side."""
        lead = self.lead(game, side)
        return lead + (WON if lead > 0 else -WON if lead < 0 else 0)

    def minimax(self, game, side, depth, ply=0):
        """Value a position for the side whose turn it is, by all lines of play of so many plies."""
        if game.over:
            return self.final(game, side)
        if game.to_move != side:
            return -self.minimax(game, 1 - side, depth - 1, ply + 1)
        if depth <= 0:
            return self.evaluate(game, side)
        return max(-self.minimax(after(game, a), 1 - side, depth - 1, ply + 1) for a in self.keep(game, ply))

    def best(self, game, level):
        """Return the value of a position for the side to move and the set of its best actions."""
        side = game.to_move
        values = {a: -self.minimax(after(game, a), 1 - side, level - 1, 1) for a in self.keep(game, 0)}
        value = max(values.values())
        return value, {a for a in values if values[a] == value}

    def alpha_beta(self, game, level, ordered):
        """Do as `best` by alpha-beta search, the moves of the first plies ordered by static values; count leaves."""
        side, value, best = game.to_move, None, set()
        for action in self.in_order(game, level, 0, ordered):
            bound = -2 * WON if value is None else value - 1
            new = -self.pruned(after(game, action), 1 - side, (level - 1, 1, ordered), -2 * WON, -bound)
            if value is None or new > value:
                value, best = new, {action}
            elif new == value:
                best.add(action)
        return value, best

    def pruned(self, game, side, where, alpha, beta):
        """Value a position for a side, within bounds. `where`: plies to go, ply, and at how many plies to order."""
        depth, ply, ordered = where
        below = depth - 1, ply + 1, ordered
        if game.over:
            self.leaves += 1
            return self.final(game, side)
        if game.to_move != side:
            return -self.pruned(game, 1 - side, below, -beta, -alpha)
        if depth <= 0:
            self.leaves += 1
            return self.evaluate(game, side)
        best = -2 * WON
        for action in self.in_order(game, depth, ply, ordered):
            value = -self.pruned(after(game, action), 1 - side, below, -beta, -max(alpha, best))
            best = max(best, value)
            if best >= beta:
                break
        return best

    def in_order(self, game, depth, ply, ordered):
        """Return the actions that are looked at: by static values where wanted, unless all of them lead to leaves."""
        actions = self.keep(game, ply)
        if ply >= ordered or depth <= 1:
            return actions
        side = game.to_move
        return sorted(actions, key=lambda action: self.evaluate(after(game, action), 1 - side))

    def best_first(self, number):
        """Return a `keep` for the actions of the best static values, of equal ones the first."""

        def keep(game, ply):
            side = game.to_move
            return sorted(game.legal(), key=lambda a: (self.evaluate(after(game, a), 1 - side), a))[:number]

        return keep


def after(game, action):
    """Return the position after an action."""
    result = game.copy()
    result.play(action)
    return result
