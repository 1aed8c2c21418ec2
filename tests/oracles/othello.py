"""Plain-Python rules of Othello, written to check faster implementations against."""

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Othello:
    """One game of Othello on 8×8 squares, numbered from the top left in reading order; seat 0 is dark."""

    def __init__(self):
        """Set up the first four discs with dark to move."""
        self.board = {(3, 4): 0, (4, 3): 0, (3, 3): 1, (4, 4): 1}  # seat of every disc, by (row, column)
        self.to_move = 0
        self.skipped = False  # whether the last move skipped a seat

    @property
    def over(self):
        """Tell whether neither seat can move."""
        return not self.can_move(0) and not self.can_move(1)

    @property
    def winner(self):
        """Return the seat with more discs at the end, or None for a draw or an unfinished game."""
        dark, light = self.discs()
        if dark == light or not self.over:
            return None
        return 0 if dark > light else 1

    def copy(self):
        """Return an independent copy of the game."""
        other = Othello()
        other.board = dict(self.board)
        other.to_move = self.to_move
        other.skipped = self.skipped
        return other

    def discs(self):
        """Count the discs of both seats."""
        return [list(self.board.values()).count(seat) for seat in (0, 1)]

    def squares(self, seat):
        """Return the numbers of the squares with a seat's discs."""
        return {8 * row + column for (row, column), owner in self.board.items() if owner == seat}

    def turned(self, seat, action):
        """Return the squares of all discs that a seat would turn over by a disc on an empty square."""
        result = []
        for down, right in DIRECTIONS:
            row, column = divmod(action, 8)
            run = []
            while True:
                row += down
                column += right
                owner = self.board.get((row, column))  # None beyond the edge and on an empty square
                if owner is None:
                    break
                if owner == seat:
                    result += run
                    break
                run.append((row, column))
        return result

    def empty(self):
        """Return every square without a disc."""
        return {action for action in range(64) if divmod(action, 8) not in self.board}

    def moves(self, seat):
        """Return every empty square on which a disc of a seat would turn over another."""
        return {action for action in self.empty() if self.turned(seat, action)}

    def can_move(self, seat):
        """Tell whether a seat has any move."""
        return any(self.turned(seat, action) for action in self.empty())

    def legal(self):
        """Return where the seat to move can move; nowhere once the game is over."""
        return self.moves(self.to_move)

    def play(self, action):
        """Place a disc for the seat to move, turn discs over, and skip the other seat if it cannot move."""
        seat, turned = self.to_move, self.turned(self.to_move, action)
        if divmod(action, 8) in self.board or not turned:
            raise ValueError(f"illegal action {action}")
        for square in [divmod(action, 8), *turned]:
            self.board[square] = seat
        self.skipped = not self.can_move(1 - seat)
        if not self.skipped:
            self.to_move = 1 - seat
