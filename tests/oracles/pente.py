"""Plain-Python rules of Pente for two to four seats, written to check faster implementations against."""

LINES = [(0, 1), (1, 0), (1, 1), (1, -1)]
RAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
NEAREST_SECOND_STONE = {"none": 0, "3x3": 2, "5x5": 3}


class Pente:
    """One game of Pente between two to four seats that move in rotation."""

    def __init__(self, size=19, seats=2, captures=True, keryo=False, tournament_rule="none"):
        """Start an empty board with seat 0 to move."""
        if not 5 <= size <= 19:
            raise ValueError(f"size must be 5 to 19, got {size}")
        if not 2 <= seats <= 4:
            raise ValueError(f"seats must be 2 to 4, got {seats}")
        if tournament_rule not in NEAREST_SECOND_STONE:
            raise ValueError(f"tournament_rule must be none, 3x3 or 5x5, got {tournament_rule!r}")
        if size == 5 and tournament_rule == "5x5":
            raise ValueError("size must be more than 5 for the tournament rule 5x5")
        if keryo and not captures:
            raise ValueError("captures must be on for keryo")
        self.size = size
        self.seats = seats
        self.captures = captures
        self.keryo = keryo
        self.tournament_rule = tournament_rule
        self.board = [None] * (size * size)
        self.plies = 0
        self.captured_counts = [0] * seats
        self.last_captured = set()
        self.winner = None

    @property
    def to_move(self):
        """Return the seat to move."""
        return self.plies % self.seats

    @property
    def over(self):
        """Tell whether somebody has won or the board is full."""
        return self.winner is not None or None not in self.board

    @property
    def captures_to_win(self):
        """Return how many captured stones, of all opponents together, win the game."""
        return 15 if self.keryo else 10

    def copy(self):
        """Return an independent copy of the game."""
        other = Pente(self.size, self.seats, self.captures, self.keryo, self.tournament_rule)
        other.board = list(self.board)
        other.plies = self.plies
        other.captured_counts = list(self.captured_counts)
        other.last_captured = set(self.last_captured)
        other.winner = self.winner
        return other

    def distance_from_centre(self, point):
        """Return how many king's moves a point is away from the centre."""
        row, column = divmod(point, self.size)
        centre = self.size // 2
        return max(abs(row - centre), abs(column - centre))

    def allowed(self, point):
        """Tell whether the rules of the opening let the seat to move play on a point."""
        if self.plies == 0:
            return self.distance_from_centre(point) == 0
        if self.plies == self.seats:  # seat 0 places its second stone
            return self.distance_from_centre(point) >= NEAREST_SECOND_STONE[self.tournament_rule]
        return True

    def legal(self):
        """Return every empty point that may be played, or nothing once the game is over."""
        if self.over:
            return set()
        return {point for point, stone in enumerate(self.board) if stone is None and self.allowed(point)}

    def ray(self, point, step):
        """Return the points beyond a point in one direction, nearest first, up to the edge of the board."""
        row, column = divmod(point, self.size)
        found = []
        while True:
            row += step[0]
            column += step[1]
            if not (0 <= row < self.size and 0 <= column < self.size):
                return found
            found.append(row * self.size + column)

    def run(self, seat, points):
        """Return the first points of a list, as many as have stones of a seat without a gap."""
        found = []
        for point in points:
            if self.board[point] != seat:
                break
            found.append(point)
        return found

    def completes_five(self, seat, point):
        """Tell whether a stone of a seat on a point makes a row of five or more."""
        for down, right in LINES:
            forward = self.run(seat, self.ray(point, (down, right)))
            backward = self.run(seat, self.ray(point, (-down, -right)))
            if len(forward) + 1 + len(backward) >= 5:
                return True
        return False

    def captured_by(self, seat, point):
        """Return the points of all stones that a stone of a seat on a point captures."""
        captured = set()
        for step in RAYS if self.captures else []:
            ray = self.ray(point, step)
            colour = self.board[ray[0]] if ray else None
            if colour is None or colour == seat:
                continue
            row = self.run(colour, ray)
            beyond = ray[len(row) : len(row) + 1]
            closed = self.run(seat, beyond) != []
            if closed and (len(row) == 2 or (len(row) == 3 and self.keryo)):
                captured |= set(row)
        return captured

    def wins(self, point):
        """Tell whether the seat to move wins at once with a stone on a point."""
        captured = self.captured_counts[self.to_move] + len(self.captured_by(self.to_move, point))
        return captured >= self.captures_to_win or self.completes_five(self.to_move, point)

    def play(self, action):
        """Place a stone for the seat to move, remove what it captures, and see whether it wins."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action}")
        mover = self.to_move
        if self.wins(action):
            self.winner = mover
        self.last_captured = self.captured_by(mover, action)
        self.board[action] = mover
        for point in self.last_captured:
            self.board[point] = None
        self.captured_counts[mover] += len(self.last_captured)
        self.plies += 1

    def tactics(self):
        """Return the points where the seat to move wins at once; no move loses at once."""
        return {action for action in self.legal() if self.wins(action)}, set()
