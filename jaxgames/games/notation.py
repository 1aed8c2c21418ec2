"""Names of points and squares."""

from jaxgames.core import StoneGame

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


# ---------------------------------------------------------------- names
def point_name(game: StoneGame, action: int) -> str:
    """The name of a point, such as C3."""
    if not 0 <= action < game.num_actions:
        raise ValueError(f"action {action} is not on a board of {game.rows} × {game.columns}")
    row, column = divmod(int(action), game.columns)
    return f"{column_letters(column)}{game.rows - row}"


def parse_point(game: StoneGame, name: str) -> int:
    """The action of a point: the inverse of `point_name`, in capitals or not. Raises ValueError for other names."""
    letters = name.upper().rstrip("0123456789")
    columns = [column_letters(column) for column in range(game.columns)]
    digits = name[len(letters) :]
    if letters not in columns or not 1 <= int(digits or 0) <= game.rows:
        raise ValueError(f"{name!r} is not a point from A1 to {columns[-1]}{game.rows}")
    return (game.rows - int(digits)) * game.columns + columns.index(letters)


def column_letters(column: int) -> str:
    return "A" * (column // len(LETTERS)) + LETTERS[column % len(LETTERS)]
