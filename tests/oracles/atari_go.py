"""Plain-Python rules of Atari-Go (the capture game), written to check faster implementations against."""


class AtariGo:
    """One game of Atari-Go between seats 0 and 1 on a square board."""

    def __init__(self, size, captures_to_win=1):
        """Start an empty board with seat 0 to move."""
        if not 3 <= size <= 19:
            raise ValueError(f"size must be 3 to 19, got {size}")
        if captures_to_win < 1:
            raise ValueError(f"captures_to_win must be at least 1, got {captures_to_win}")
        self.size = size
        self.captures_to_win = captures_to_win
        self.board = [None] * (size * size)
        self.to_move = 0
        self.captured_counts = [0, 0]
        self.last_captured = set()
        self.winner = None

    @property
    def over(self):
        """Tell whether the game has ended; there are no draws."""
        return self.winner is not None

    def copy(self):
        """Return an independent copy of the game."""
        other = AtariGo(self.size, self.captures_to_win)
        other.board = list(self.board)
        other.to_move = self.to_move
        other.captured_counts = list(self.captured_counts)
        other.last_captured = set(self.last_captured)
        other.winner = self.winner
        return other

    def neighbours(self, point):
        """Return the points directly above, below, left and right of a point."""
        row, column = divmod(point, self.size)
        near = set()
        for r, c in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]:
            if 0 <= r < self.size and 0 <= c < self.size:
                near.add(r * self.size + c)
        return near

    def chain(self, point):
        """Return all points of the chain that the stone on a point belongs to (none for an empty point)."""
        if self.board[point] is None:
            return set()
        found = {point}
        to_visit = [point]
        while to_visit:
            for near in self.neighbours(to_visit.pop()):
                if near not in found and self.board[near] == self.board[point]:
                    found.add(near)
                    to_visit.append(near)
        return found

    def liberties(self, point):
        """Return the empty points next to the chain on a point (none for an empty point)."""
        free = set()
        for stone in self.chain(point):
            for near in self.neighbours(stone):
                if self.board[near] is None:
                    free.add(near)
        return free

    def legal(self):
        """Return every empty point, or nothing once the game is over."""
        if self.over:
            return set()
        return {point for point, stone in enumerate(self.board) if stone is None}

    def play(self, action):
        """Place a stone for the seat to move, testing capture first and suicide second."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action}")
        mover = self.to_move
        opponent = 1 - mover
        self.board[action] = mover

        captured = set()
        for near in self.neighbours(action):
            if self.board[near] == opponent and not self.liberties(near):
                captured |= self.chain(near)
        for point in captured:
            self.board[point] = None
        self.captured_counts[mover] += len(captured)
        self.last_captured = captured

        if self.captured_counts[mover] >= self.captures_to_win:
            self.winner = mover
        elif not captured and not self.liberties(action):
            self.winner = opponent
        self.to_move = opponent

    def tactics(self):
        """Return the points where the seat to move wins at once and those where it loses at once."""
        winning, losing = set(), set()
        for action in self.legal():
            after = self.copy()
            after.play(action)
            if after.winner == self.to_move:
                winning.add(action)
            elif after.over:
                losing.add(action)
        return winning, losing


def count_games(game, max_depth=None):
    """Count the move sequences of each length and the complete games by (winner, plies), by plain recursion."""
    perft, endings = [], {}

    def visit(position, plies):
        """Count everything that follows a position reached after the given number of plies."""
        if position.over:
            endings[position.winner, plies] = endings.get((position.winner, plies), 0) + 1
        elif plies != max_depth:
            for action in sorted(position.legal()):
                after = position.copy()
                after.play(action)
                if len(perft) == plies:
                    perft.append(0)
                perft[plies] += 1
                visit(after, plies + 1)

    visit(game, 0)
    return perft, endings
