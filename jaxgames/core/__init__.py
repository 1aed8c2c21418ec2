"""The vocabulary: what a game and a player are. Everything sees ONE position; the batch axis belongs to the arena.

A *game* is a frozen dataclass of static rule parameters with pure methods on a *state*, a frozen pytree that holds
what the rules need and nothing else. Seats are 0 … num_seats − 1 and fixed by the rules; who sits where is the
arena's business.

The protocols are structural: a class is a game or a player if it has the members. A new game needs those of `Game`;
`games.any_game.board_game` adds the rest of a `StoneGame`.
"""

from jaxgames.core.games import (
    BoardGame,
    Cursor,
    DrawingGame,
    Game,
    Leaf,
    Rules,
    State,
    StoneGame,
    WalkableGame,
    draw_legal,
    last_mover_returns,
    winner,
)
from jaxgames.core.players import AfterstatePlayer, Context, Crowd, Memory, Memoryless, Player, Value

__all__ = [
    "AfterstatePlayer",
    "BoardGame",
    "Context",
    "Crowd",
    "Cursor",
    "DrawingGame",
    "Game",
    "Leaf",
    "Memory",
    "Memoryless",
    "Player",
    "Rules",
    "State",
    "StoneGame",
    "Value",
    "WalkableGame",
    "draw_legal",
    "last_mover_returns",
    "winner",
]
