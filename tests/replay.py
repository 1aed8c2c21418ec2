"""Random games played by the plain oracles, and the same games played by jaxgames, compared at every ply."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from oracles import atari_go, gomoku, pente

from jaxgames import AtariGo, Gomoku, Pente
from jaxgames import bitboard as bb
from jaxgames.core import State, StoneGame
from neuroevo.runtime.provenance import commit

# Which moves a player accepts, by the position after the move; any other is made only if there is no better one.
TEMPERS: dict[str, Callable[[Any, int], bool]] = {
    "random": lambda after, mover: True,
    "careful": lambda after, mover: after.winner in (None, mover),
    "patient": lambda after, mover: not after.over,  # long games: full boards, large chains, many captures
}


class Seen(NamedTuple):
    """What is compared, for one position; `replay` gives it leading axes [games, plies + 1]."""

    legal: np.ndarray
    to_move: np.ndarray
    terminal: np.ndarray
    returns: np.ndarray
    planes: np.ndarray
    captures: np.ndarray  # in the order of the planes or of the seats; empty where the first capture wins
    winning: np.ndarray
    losing: np.ndarray


QUICKLY = {"xla_backend_optimization_level": 0}  # halves the time to compile; the arena's tests play with the usual one
TACTICS = {"winning", "losing"}  # slow for the oracle, which leaves some plies out


# ---------------------------------------------------------------- by jaxgames
def replay(game: StoneGame, actions: Iterable[Iterable[int]], start: State | None = None) -> Seen:
    """Plays as many games as `lanes` says, or fewer, each of its own length. What is over stays as it is."""
    padded = np.zeros((lanes(game), game.max_plies + 1), np.int32)
    for row, moves in zip(padded, actions, strict=False):
        row[: len(moves)] = moves
    start = game.start() if start is None else start
    return jax.device_get(compiled(game).result()(start, padded))


def lanes(game: StoneGame) -> int:
    """Games in one call, so that small boards play many and large boards take little memory."""
    return max(8, 3200 // game.num_actions)


@cache
def compiled(game: StoneGame) -> Future:
    """The compiled `replay` of a game. Compilation goes on in the background, two games at a time."""
    return _compilers.submit(_compile, game)


_compilers = ThreadPoolExecutor(2)


def _compile(game: StoneGame) -> Callable:
    def play_all(start: State, actions: jax.Array) -> Seen:
        return jax.vmap(lambda moves: jax.lax.scan(ply, start, moves)[1])(actions)

    def ply(state: State, action: jax.Array) -> tuple[State, Seen]:
        seen, after = _see(game, state), game.play(state, action)
        return jax.tree.map(lambda old, new: jnp.where(seen.terminal, old, new), state, after), seen

    actions = jax.ShapeDtypeStruct((lanes(game), game.max_plies + 1), jnp.int32)
    return jax.jit(play_all).lower(jax.eval_shape(game.start), actions).compile(QUICKLY)


def _see(game: StoneGame, state: State) -> Seen:
    winning, losing = (bb.to_mask(board, game.columns) for board in game.tactics(state))
    return Seen(
        legal=game.legal(state),
        to_move=game.to_move(state),
        terminal=game.terminal(state),
        returns=game.returns(state),
        planes=game.planes(state),
        captures=jnp.array(_captures(game, state), int),
        winning=winning,
        losing=losing,
    )


def _captures(game: StoneGame, state: State) -> tuple:
    return state.captures if isinstance(game, AtariGo) else state.captured if isinstance(game, Pente) else ()


# ---------------------------------------------------------------- by the oracle
@dataclass
class Played:
    """A game of the oracle: its actions, its positions, and the plies at which tactics were asked for."""

    actions: list[int] = field(default_factory=list)
    positions: list[Seen] = field(default_factory=list)
    with_tactics: list[bool] = field(default_factory=list)
    tally: Counter = field(default_factory=Counter)


def oracle(game: StoneGame) -> Any:
    if isinstance(game, AtariGo):
        return atari_go.AtariGo(game.size, game.captures_to_win)
    if isinstance(game, Pente):
        return pente.Pente(game.size, game.num_seats, game.captures, game.keryo, game.tournament_rule)
    return gomoku.Gomoku(game.rows, game.columns, game.in_a_row, game.exact, game.num_seats, game.directions)


def oracle_games(game: StoneGame, batch: int, stride: int) -> list[Played]:
    """One batch of random games, of all tempers in turn. Tactics are asked for at every `stride`-th ply, on average."""
    rng = random.Random(f"{game} {batch}")
    tempers = list(TEMPERS.values())
    return [_play_out(game, tempers[i % len(tempers)], rng, stride) for i in range(lanes(game))]


def _play_out(game: StoneGame, accepts: Callable, rng: random.Random, stride: int) -> Played:
    position, played = oracle(game), Played()
    phase = rng.randrange(stride)
    while not position.over:
        mover = position.to_move
        action, after = _choose(position, accepts, rng)
        tactics = after.over or len(played.actions) % stride == phase
        _note(game, position, played, tactics)
        played.actions.append(action)
        position = after
        if isinstance(game, AtariGo | Pente):
            played.tally["captured stones"] += len(after.last_captured)
            played.tally["suicides"] += isinstance(game, AtariGo) and after.winner == 1 - mover
    _note(game, position, played, tactics=False)
    result = "draws" if position.winner is None else f"wins of seat {position.winner}"
    played.tally.update({"games": 1, "plies": len(played.actions), result: 1})
    return played


def _choose(position: Any, accepts: Callable, rng: random.Random) -> tuple[int, Any]:
    """A random move that the player accepts, or a random one if there is none; and the position after it."""
    actions = sorted(position.legal())
    rng.shuffle(actions)
    tried = []
    for action in actions:
        after = position.copy()
        after.play(action)
        if accepts(after, position.to_move):
            return action, after
        tried.append((action, after))
    return tried[0]


def _note(game: StoneGame, position: Any, played: Played, tactics: bool) -> None:
    def mask(points: Iterable[int]) -> np.ndarray:
        result = np.zeros(game.num_actions, bool)
        result[list(points)] = True
        return result

    seats = game.num_seats
    order = [(position.to_move + i) % seats for i in range(seats)]
    winning, losing = position.tactics() if tactics else ((), ())
    returns = [1.0 if position.winner == seat else -1.0 / (seats - 1) for seat in range(seats)]
    seen = Seen(
        legal=mask(position.legal()),
        to_move=np.array(position.to_move),
        terminal=np.array(position.over),
        returns=np.array([0.0] * seats if position.winner is None else returns, np.float32),
        planes=np.array([mask(_stones(game, position, seat)) for seat in order]),
        captures=np.array(_counts(game, position, order), int),
        winning=mask(winning),
        losing=mask(losing),
    )
    played.positions.append(seen)
    played.with_tactics.append(tactics)


def _counts(game: StoneGame, position: Any, order: list[int]) -> list[int]:
    if isinstance(game, Pente):
        return [position.captured_counts[seat] for seat in order]
    return position.captured_counts if _removes(game) else []


def _stones(game: StoneGame, position: Any, seat: int) -> set[int]:
    if isinstance(game, Gomoku):
        return position.stones[seat]
    stones = {point for point, owner in enumerate(position.board) if owner == seat}
    if (
        isinstance(game, AtariGo) and not _removes(game) and seat == position.to_move
    ):  # ours leaves the stones of the last capture on the board
        stones |= position.last_captured
    return stones


def _removes(game: StoneGame) -> bool:
    return isinstance(game, AtariGo) and game.captures_to_win > 1


# ---------------------------------------------------------------- compared
def compare(game: StoneGame, games: list[Played]) -> Counter:
    """Fails at the first ply of a game where jaxgames and the oracle differ; returns what was played."""
    seen = replay(game, [played.actions for played in games])
    for index, played in enumerate(games):
        length, tactics = len(played.positions), np.array(played.with_tactics)
        for name, expected in zip(Seen._fields, zip(*played.positions, strict=True), strict=True):
            actual = getattr(seen, name)[index]
            equal = (actual[:length] == np.array(expected)).reshape(length, -1).all(1)
            equal |= (name in TACTICS) & ~tactics
            assert equal.all(), f"{game}: {name} differs at ply {equal.argmin()} of {played.actions}"
        assert seen.terminal[index, length - 1 :].all(), f"{game}: not over after {played.actions}"
    return sum((played.tally for played in games), Counter())


# ---------------------------------------------------------------- written down
BEGIN, END = "<!-- begin of what `python -m pytest -m thorough` writes{} -->", "<!-- end -->"
COLUMNS = "games", "plies", "captured stones", "suicides", "wins of seat 0", "1", "2", "3", "draws"
HEADING = """# Verification

Random games are played by plain-Python rules (`tests/oracles`) and by jaxgames, and every ply is compared: the legal
actions, the seat to move, the stones, the captures, the end and the returns; the points that win or lose at once at
every ply or, on large boards, at every second to third.

"""


def write_down(path: Path, tallies: dict[StoneGame, Counter], part: str = "") -> None:
    """Writes what was compared between two marks in a file; what stands around them stays."""
    write_between(path, BEGIN.format(f" about {part}" if part else ""), _table(tallies))


def write_between(path: Path, begin: str, text: str) -> None:
    """Writes the text between the mark `begin` and END, at the end of the file if the mark is not there."""
    before, _, rest = path.read_text().partition(begin) if path.exists() else (HEADING, "", "")
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{before}{begin}\n{text}{END}{rest.partition(END)[2] or chr(10)}")


def _table(tallies: dict[StoneGame, Counter]) -> str:
    total = sum(tallies.values(), Counter())
    rows = [("game", *COLUMNS), ("---", *["---:"] * len(COLUMNS))]
    for name, tally in [*((f"`{game}`", tally) for game, tally in tallies.items()), ("all", total)]:
        keys = [f"wins of seat {column}" if column.isdigit() else column for column in COLUMNS]
        rows.append((name, *(f"{tally[key]:,}" for key in keys)))
    return f"{source()}; no difference was found.\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def source() -> str:
    where = f"jax {jax.__version__}, commit {commit() or 'unknown'}"
    return f"By `python -m pytest -m thorough`, {date.today()}, {where}"
