"""Games of Pente on 19×19 as arrays on the device, and what a side sees of them: the episodes that TD(λ) learns."""

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
BATCH = 128  # games that are replayed in one call: the program is compiled once for a length
STRIDE = 16  # lengths are rounded up to multiples of it
SYMMETRIES = 8


@flax.struct.dataclass
class Games:
    moves: Leaf  # Int16[games plies], −1 after the end
    length: Leaf  # Int32[games]
    result: Leaf  # Float[games]: 1 where seat 0 won, −1 where seat 1 did, 0 for a draw

    def __len__(self) -> int:
        return len(self.length)

    def first(self, count: int) -> "Games":
        return jax.tree.map(lambda x: x[:count], self)


@flax.struct.dataclass
class Positions:
    """After every ply of some games; beyond the end of a game they mean nothing."""

    board: Leaf  # Int8[games plies points]: 1 for the stones of seat 0, −1 for those of seat 1
    captured: Leaf  # Int8[games plies 2], stones captured by seat 0 and by seat 1
    moves: Leaf  # Int16[games plies]
    length: Leaf
    result: Leaf

    def of(self, game: Int[Array, ""]) -> "Positions":
        """Those of one game, without the first axis."""
        return jax.tree.map(lambda x: x[game], self)

    def begun(self, plies: int) -> "Positions":
        """Of one game that is not longer, without what is beyond."""
        return replace(self, board=self.board[:plies], captured=self.captured[:plies], moves=self.moves[:plies])


def games_of(moves: Sequence[Sequence[int] | np.ndarray], results: Sequence[float]) -> Games:
    """Games as padded arrays; actions and results for seat 0."""
    length = np.array([len(one) for one in moves], np.int32)
    padded = np.full((len(moves), _rounded(int(length.max(initial=1)))), -1, np.int16)
    for row, one in zip(padded, moves, strict=True):
        row[: len(one)] = one
    return Games(jnp.asarray(padded), jnp.asarray(length), jnp.asarray(results, jnp.float32))


def replayed(games: Games) -> Positions:
    """The positions of games whose moves are legal, played by the rules."""
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
    """Board and captures of a position as `Positions` has them."""
    second = game.to_move(state) == 1  # planes begin with the seat to move
    planes, captured = game.planes(state).astype(jnp.int8), jnp.stack(state.captured).astype(jnp.int8)
    board = jnp.where(second, -1, 1).astype(jnp.int8) * (planes[0] - planes[1])
    return board, jnp.where(second, captured[::-1], captured)


def symmetry(number: Int[Array, ""]) -> Int[Array, "points"]:
    """The point that is seen at each point of a turned or mirrored board; number 0 leaves it as it is."""
    return jnp.asarray(_TURNED)[number]


def _turned() -> np.ndarray:
    square = np.arange(BOARD.num_actions).reshape(BOARD.rows, BOARD.columns)
    return np.stack([np.rot90(side, turns).reshape(-1) for side in (square, square[:, ::-1]) for turns in range(4)])


_TURNED = _turned()
_TURNED_BACK = np.argsort(_TURNED)


def episodes(game: Positions, perspective: str, turned: Int[Array, ""] | None = None) -> Episodes:
    """One game from the side of its winner, of seat 0, or of both; episodes lead with [views].

    A draw's winner is seat 0. To exchange the colours is to take the other side: no further data comes from it.
    """
    if perspective not in PERSPECTIVES:
        raise ValueError(f"perspective must be one of {', '.join(PERSPECTIVES)}, not {perspective!r}")
    won = jnp.where(game.result < 0, -1, 1)
    signs = {"winner": won[None], "first": jnp.ones(1, jnp.int32), "both": jnp.array([1, -1])}[perspective]
    board = game.board if turned is None else game.board[:, symmetry(turned)]
    features = jax.vmap(partial(_seen, board, game.captured))(signs)
    return Episodes(features, jnp.broadcast_to(game.length, signs.shape), signs * game.result)


def compact_episodes(game: Positions, perspective: str, turned: Int[Array, ""] | None = None) -> Episodes:
    """The same episodes with an input for each move instead of each point: on as long as its stone stands. A game has
    far fewer moves than a board has points.
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
    """By seat 0 with sign 1, by seat 1 with −1."""
    to_move = sign * jnp.where(jnp.arange(len(board)) % 2 == 0, -1, 1)  # seat 1 is to move after the first ply
    return side_features(sign * board, jnp.where(sign > 0, captured, captured[:, ::-1]), to_move)


def _rounded(length: int) -> int:
    return -(-length // STRIDE) * STRIDE
