"""Plain-Python rules of Gomoku (m,n,k games), written to check faster implementations against."""

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


class Gomoku:
    """One game of Gomoku between two to four seats that move in rotation."""

    def __init__(self, rows, columns, in_a_row=5, exact=False, seats=2, directions=4):
        """Start an empty board with seat 0 to move."""
        if not (1 <= rows <= 19 and 1 <= columns <= 19):
            raise ValueError(f"rows and columns must be 1 to 19, got {rows} and {columns}")
        if in_a_row < 1:
            raise ValueError(f"in_a_row must be at least 1, got {in_a_row}")
        if not 2 <= seats <= 4:
            raise ValueError(f"seats must be 2 to 4, got {seats}")
        if directions not in (3, 4):
            raise ValueError(f"directions must be 3 or 4, got {directions}")
        self.rows = rows
        self.columns = columns
        self.in_a_row = in_a_row
        self.exact = exact
        self.seats = seats
        self.directions = directions
        self.stones = [set() for _ in range(seats)]
        self.to_move = 0
        self.winner = None

    @property
    def over(self):
        """Tell whether somebody has won or the board is full."""
        return self.winner is not None or not self.empty()

    def copy(self):
        """Return an independent copy of the game."""
        other = Gomoku(self.rows, self.columns, self.in_a_row, self.exact, self.seats, self.directions)
        other.stones = [set(points) for points in self.stones]
        other.to_move = self.to_move
        other.winner = self.winner
        return other

    def empty(self):
        """Return every point without a stone."""
        return set(range(self.rows * self.columns)).difference(*self.stones)

    def legal(self):
        """Return every empty point, or nothing once the game is over."""
        return set() if self.over else self.empty()

    def count_ray(self, seat, action, row_step, column_step):
        """Count a seat's stones in an unbroken row from a point in one direction, without the point itself."""
        row, column = divmod(action, self.columns)
        count = 0
        while True:
            row += row_step
            column += column_step
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                return count
            if row * self.columns + column not in self.stones[seat]:
                return count
            count += 1

    def completes_line(self, seat, action):
        """Tell whether a stone of a seat on a point makes a winning line."""
        for row_step, column_step in DIRECTIONS:
            if self.directions == 3 and row_step == -column_step:
                continue  # down and to the left, or up and to the right
            forward = self.count_ray(seat, action, row_step, column_step)
            backward = self.count_ray(seat, action, -row_step, -column_step)
            run = forward + 1 + backward
            if run == self.in_a_row or (run > self.in_a_row and not self.exact):
                return True
        return False

    def play(self, action):
        """Place a stone for the seat to move and see whether it wins."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action}")
        self.stones[self.to_move].add(action)
        if self.completes_line(self.to_move, action):
            self.winner = self.to_move
        self.to_move = (self.to_move + 1) % self.seats

    def tactics(self):
        """Return the points where the seat to move wins at once; no move loses at once."""
        return {action for action in self.legal() if self.completes_line(self.to_move, action)}, set()


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
