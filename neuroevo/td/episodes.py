"""Games of Pente on 19×19 as arrays on the device, and the episodes that TD(λ) learns: what a side sees of a game."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Int8, Int16

from jaxgames.core import Leaf
from jaxgames.games.pente.rules import Pente, PenteState
from jaxgames.records.replaying import QUICKLY
from neuroevo.encoders.pente import side_features
from neuroevo.td.update import PERSPECTIVES, Episodes

BOARD = Pente()
BATCH = 128  # games that are replayed in one call, so that the program is compiled once for a length
STRIDE = 16  # plies: arrays of games have a length that is a multiple of it
SYMMETRIES = 8


@flax.struct.dataclass
class Games:
    """Moves and results.

    moves: Int16[games plies], actions, −1 after the end
    length: Int32[games], number of plies
    result: Float[games], 1 where seat 0 won, −1 where seat 1 won, 0 for a draw
    """

    moves: Leaf
    length: Leaf
    result: Leaf

    def __len__(self) -> int:
        return len(self.length)

    def first(self, count: int) -> "Games":
        """The first `count` games."""
        return jax.tree.map(lambda x: x[:count], self)


@flax.struct.dataclass
class Positions:
    """The positions after every ply of some games; beyond the end of a game they are arbitrary.

    board: Int8[games plies points], 1 for the stones of seat 0, −1 for those of seat 1
    captured: Int8[games plies 2], stones captured by seat 0 and by seat 1
    moves, length, result: see `Games`
    """

    board: Leaf
    captured: Leaf
    moves: Leaf
    length: Leaf
    result: Leaf

    def of(self, game: Int[Array, ""]) -> "Positions":
        """The positions of one game, without the first axis."""
        return jax.tree.map(lambda x: x[game], self)

    def begun(self, plies: int) -> "Positions":
        """The first `plies` positions of one game, which must not be longer."""
        return replace(self, board=self.board[:plies], captured=self.captured[:plies], moves=self.moves[:plies])


def games_of(moves: Sequence[Sequence[int] | np.ndarray], results: Sequence[float]) -> Games:
    """Games as padded arrays. moves: the actions of each game; results: for seat 0, see `Games`."""
    length = np.array([len(one) for one in moves], np.int32)
    padded = np.full((len(moves), _rounded(int(length.max(initial=1)))), -1, np.int16)
    for row, one in zip(padded, moves, strict=True):
        row[: len(one)] = one
    return Games(jnp.asarray(padded), jnp.asarray(length), jnp.asarray(results, jnp.float32))


def replayed(games: Games) -> Positions:
    """The positions of games, played by the rules. The moves must be legal."""
    boards, captures = [], []
    for first in range(0, len(games), BATCH):
        moves = games.moves[first : first + BATCH]
        board, captured = _replayed(jnp.pad(moves, ((0, BATCH - len(moves)), (0, 0)), constant_values=-1))
        boards.append(board[: len(moves)])
        captures.append(captured[: len(moves)])
    return Positions(jnp.concatenate(boards), jnp.concatenate(captures), games.moves, games.length, games.result)


@partial(jax.jit, compiler_options=QUICKLY)
def _replayed(moves: Int16[Array, "games plies"]) -> tuple[Array, Array]:
    return jax.vmap(lambda of_game: jax.lax.scan(_ply, BOARD.start(), of_game)[1])(moves)


def _ply(state: PenteState, move: Int16[Array, ""]) -> tuple[PenteState, tuple[Array, Array]]:
    state = BOARD.play(state, move.astype(jnp.int32))
    return state, of_seat_0(BOARD, state)


def of_seat_0(game: Pente, state: PenteState) -> tuple[Int8[Array, "points"], Int8[Array, "2"]]:
    """(board, captures) of a position of two seats, as `Positions` has them."""
    second = game.to_move(state) == 1  # planes begin with the seat to move
    planes, captured = game.planes(state).astype(jnp.int8), jnp.stack(state.captured).astype(jnp.int8)
    board = jnp.where(second, -1, 1).astype(jnp.int8) * (planes[0] - planes[1])
    return board, jnp.where(second, captured[::-1], captured)


def symmetry(number: Int[Array, ""]) -> Int[Array, "points"]:
    """The point that is seen at each point of a turned or mirrored board; `number` is 0 to 7, 0 for the identity."""
    return jnp.asarray(_TURNED)[number]


def _turned() -> np.ndarray:
    square = np.arange(BOARD.num_actions).reshape(BOARD.rows, BOARD.columns)
    return np.stack([np.rot90(side, turns).reshape(-1) for side in (square, square[:, ::-1]) for turns in range(4)])


_TURNED = _turned()
_TURNED_BACK = np.argsort(_TURNED)


def episodes(game: Positions, perspective: str, turned: Int[Array, ""] | None = None) -> Episodes:
    """One game as seen by its winner, by seat 0 (`first`) or by both seats; episodes lead with [views].

    In a draw the winner is seat 0. `turned`: a symmetry of the board. Exchanging the colours would only exchange the
    sides, and is no further data. Raises ValueError for another perspective.
    """
    if perspective not in PERSPECTIVES:
        raise ValueError(f"perspective must be one of {', '.join(PERSPECTIVES)}, not {perspective!r}")
    won = jnp.where(game.result < 0, -1, 1)
    signs = {"winner": won[None], "first": jnp.ones(1, jnp.int32), "both": jnp.array([1, -1])}[perspective]
    board = game.board if turned is None else game.board[:, symmetry(turned)]
    features = jax.vmap(partial(_seen, board, game.captured))(signs)
    return Episodes(features, jnp.broadcast_to(game.length, signs.shape), signs * game.result)


def compact_episodes(game: Positions, perspective: str, turned: Int[Array, ""] | None = None) -> Episodes:
    """The same episodes with one feature per move instead of one per point: it is on as long as the move's stone
    stands. A game has far fewer moves than a board has points. See `Episodes.inputs`.
    """
    seen, points, ply = episodes(game, perspective, turned), game.board.shape[1], jnp.arange(len(game.moves))
    at = jnp.maximum(game.moves, 0).astype(jnp.int32)
    at = at if turned is None else jnp.asarray(_TURNED_BACK)[turned][at]
    again = (at[:, None] == at) & (ply[:, None] < ply) & (ply < game.length)  # [move, later move]
    until = jnp.where(again, ply, len(ply)).min(1)
    stands = (ply <= ply[:, None]) & (ply[:, None] < until)  # [ply, move]
    features = jnp.where(stands, seen.features[..., at], 0)
    beside = jnp.arange(points, seen.features.shape[-1])
    return replace(
        seen,
        features=jnp.concatenate([features, seen.features[..., points:]], -1),
        inputs=jnp.concatenate([at, beside]),
    )


def _seen(
    board: Int8[Array, "plies points"], captured: Int8[Array, "plies 2"], sign: Int[Array, ""]
) -> Float[Array, "plies features"]:
    """What seat 0 sees with sign 1, seat 1 with sign −1."""
    to_move = sign * jnp.where(jnp.arange(len(board)) % 2 == 0, -1, 1)  # seat 1 is to move after the first ply
    return side_features(sign * board, jnp.where(sign > 0, captured, captured[:, ::-1]), to_move)


def _rounded(length: int) -> int:
    return -(-length // STRIDE) * STRIDE
