"""Checks of games whose actions are numbered."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import chex
import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import bitboard as bb
from jaxgames.core import BoardGame, Game, State, StoneGame
from jaxgames.testing.types import TOLERANCE, check_closed, check_type, require

PLAIN_PLIES = 12  # of one game, played again without jit and vmap, which is slow


def check_game(game: Game, games: int = 64, seed: int = 0, zero_sum: bool = True) -> None:
    """Plays `games` random legal games, and raises AssertionError with a sentence on the first fault it meets.

    What is checked:

    * `play` keeps the structure, the shapes and the dtypes of the state that `start` makes;
    * `to_move` is an integer, `legal` one Bool per action, `terminal` a Bool, `returns` one float per seat;
    * the start is not terminal, and no game goes on after `max_plies`;
    * before the end `to_move` is one of the seats, at least one action is legal, and the returns are all zero;
    * at the end the returns lie in [−1, 1] and, with `zero_sum`, add up to zero;
    * games go the same way with and without jit, and vmapped as not (some plies are played again plainly);
    * nothing compiles more than once: `chex.assert_max_traces`, whose counters are cleared first;
    * BoardGame: `planes` shows the stone just placed, at most one on a point and none on a legal one; names of actions
      differ and can be read back; `final_scores` is one integer per seat;
    * StoneGame: before the end the empty points are the legal ones, `tactics` foretells how the moves turn out, and
      `priorities` are boards.
    """
    _check_types(game)
    trial = _Trial(game)
    _play_batch(trial, games, np.random.default_rng(seed), zero_sum)
    _play_plainly(trial)


class _View(NamedTuple):
    """What a game says of a position."""

    to_move: Any
    legal: Any
    terminal: Any
    returns: Any
    planes: Any  # None if it is no BoardGame


class _Stones(NamedTuple):
    """What a StoneGame says besides, as masks over the points."""

    empties: Any
    winning: Any
    losing: Any


class _Ply(NamedTuple):
    """The positions of a batch of games after a ply, and the actions that led to them."""

    action: np.ndarray
    state: State
    view: _View
    played: np.ndarray  # False where the game was over before


@dataclass
class _Trial:
    game: Game
    plies: list[_Ply] = field(default_factory=list)

    def step(self, state: State, action: jax.Array) -> tuple[State, _View]:
        after = self.game.play(state, action)
        return after, _view(self.game, after)

    def expect(self, fine: np.ndarray, sentence: str, values: Any = None) -> None:
        """Fails for the first game that is not fine; `sentence` may have a place for its value."""
        if not fine.all():
            where = int(fine.argmin())
            sentence = sentence if values is None else sentence.format(values[where])
            raise AssertionError(f"{self.game}: {sentence} {self.after_actions(where)}")

    def after_actions(self, where: int) -> str:
        actions = [int(ply.action[where]) for ply in self.plies if ply.played[where]]
        return f"after the actions {actions}" if actions else "at the start"


def _view(game: Game, state: State) -> _View:
    planes = game.planes(state) if isinstance(game, BoardGame) else None
    return _View(game.to_move(state), game.legal(state), game.terminal(state), game.returns(state), planes)


def _stones(game: Game, state: State) -> _Stones | None:
    if not isinstance(game, StoneGame):
        return None
    boards = game.empties(state), *game.tactics(state)
    empties, winning, losing = (bb.to_mask(board, game.columns) for board in boards)
    return _Stones(empties, winning, losing)


# ---------------------------------------------------------------- shapes and dtypes
def _check_types(game: Game) -> None:
    start = jax.eval_shape(game.start)
    check_closed(game, "play", start, jax.eval_shape(game.play, start, jax.ShapeDtypeStruct((), jnp.int32)))
    view = jax.eval_shape(lambda state: _view(game, state), start)
    check_type(game, "to_move", view.to_move, (), jnp.integer)
    check_type(game, "legal", view.legal, (game.num_actions,), jnp.bool_)
    check_type(game, "terminal", view.terminal, (), jnp.bool_)
    check_type(game, "returns", view.returns, (game.num_seats,), jnp.floating)
    if isinstance(game, BoardGame):
        check_type(game, "planes", view.planes, (game.num_seats, game.rows * game.columns), jnp.bool_)
        scores = jax.eval_shape(game.final_scores, start)
        check_type(game, "final_scores", scores, (game.num_seats,), jnp.integer)
        _check_names(game)
    if isinstance(game, StoneGame):
        for board in jax.eval_shape(game.priorities, start):
            require(game, len(board) == game.rows, f"a board of priorities has {len(board)} rows, not {game.rows}")
            check_type(game, "a row of priorities", board[0], (), jnp.uint32)


def _check_names(game: BoardGame) -> None:
    names = [game.action_name(action) for action in range(game.num_actions)]
    require(game, len(set(names)) == len(names), "two actions have the same name")
    for action, name in enumerate(names):
        read = game.parse_action(name)
        require(game, read == action, f"parse_action reads {name!r}, the name of action {action}, as {read}")


# ---------------------------------------------------------------- random games
def _play_batch(trial: _Trial, games: int, rng: np.random.Generator, zero_sum: bool) -> None:
    """Plays a batch of games and checks every position. Games that are over are played on, but not looked at."""
    step, start = _compiled_step(trial), trial.game.start()
    state = jax.tree.map(lambda x: jnp.broadcast_to(x, (games, *jnp.shape(x))), start)
    view = jax.tree.map(lambda x: np.broadcast_to(x, (games, *jnp.shape(x))), _view(trial.game, start))
    stones, over = None, np.zeros(games, bool)
    trial.expect(~view.terminal, "the game is over")
    for _ in range(trial.game.max_plies):
        _check_positions(trial, view, over, zero_sum)
        over = over | view.terminal
        if over.all():
            return
        mask = view.legal & ~over[:, None]
        action = np.where(mask, rng.random(mask.shape), -1).argmax(1).astype(np.int32)
        before, foretold = view, stones
        state, view, stones = step(state, action)
        view, stones = jax.tree.map(np.asarray, (view, stones))
        trial.plies.append(_Ply(action, state, view, ~over))
        if stones is not None:
            free = (stones.empties == view.legal).all(1)
            trial.expect(over | view.terminal | free, "the points that may be played are not the legal ones")
        if view.planes is not None:
            _check_planes(trial, view.legal if stones is None else stones.empties, over)
        if foretold is not None:
            _check_tactics(trial, foretold, before.to_move, over)
    _check_positions(trial, view, over, zero_sum)
    trial.expect(over | view.terminal, f"the game goes on after max_plies = {trial.game.max_plies} plies,")


def _compiled_step(trial: _Trial) -> Callable:
    """A ply of a whole batch of games; it fails when it is traced a second time."""

    def step(state: State, action: jax.Array) -> tuple[State, _View, _Stones | None]:
        after, view = trial.step(state, action)
        return after, view, _stones(trial.game, after)

    chex.clear_trace_counter()
    compiled = jax.jit(jax.vmap(chex.assert_max_traces(step, n=1)))

    def checked(state: State, action: np.ndarray) -> tuple[State, _View, _Stones | None]:
        try:
            return compiled(state, action)
        except AssertionError as error:
            if "is traced >" not in str(error):
                raise
            why = "play returns a state of another type than the one it was given (weak_type, for instance)"
            raise AssertionError(f"{trial.game}: play compiles more than once; {why}") from error

    return checked


def _check_positions(trial: _Trial, view: _View, over: np.ndarray, zero_sum: bool) -> None:
    """What must hold before the end and at it."""
    ends, on = view.terminal & ~over, ~view.terminal & ~over
    seats = trial.game.num_seats
    in_range = (view.to_move >= 0) & (view.to_move < seats)
    trial.expect(~on | in_range, f"to_move is {{}}, but the seats are 0 to {seats - 1},", view.to_move)
    trial.expect(~on | view.legal.any(1), "no action is legal before the end")
    trial.expect(~on | (view.returns == 0).all(1), "returns are {} before the end", view.returns)
    bounded = (np.abs(view.returns) <= 1).all(1)
    trial.expect(~ends | bounded, "returns {} are not within [-1, 1]", view.returns)
    if zero_sum:
        balanced = np.abs(view.returns.sum(1)) <= TOLERANCE
        trial.expect(~ends | balanced, "returns {} do not add up to zero", view.returns)


def _check_planes(trial: _Trial, empties: np.ndarray, over: np.ndarray) -> None:
    action, _, view, _ = trial.plies[-1]
    shown = (view.planes.sum(1) <= ~empties).all(1)
    trial.expect(over | shown, "planes show two stones on a point or one where a stone may be played")
    placed = view.planes[np.arange(len(action)), :, action].any(1)
    trial.expect(over | placed, "planes do not show the stone just placed")


def _check_tactics(trial: _Trial, foretold: _Stones, seat: np.ndarray, over: np.ndarray) -> None:
    """Whether the moves just played turned out as `tactics` had said."""
    action, _, view, _ = trial.plies[-1]
    games = np.arange(len(action))
    mine = np.where(view.terminal, view.returns[games, seat], 0)
    for name, board, happened in (("win", foretold.winning, mine > 0), ("lose", foretold.losing, mine < 0)):
        said = board[games, action]
        sentence = f"tactics said {{}} to whether the last move would {name} at once, wrongly,"
        trial.expect(over | (said == happened), sentence, np.where(said, "yes", "no"))


# ---------------------------------------------------------------- the same games, plainly
def _play_plainly(trial: _Trial) -> None:
    """Plays some plies of the longest game again, as one position and without jit, and compares all there is."""
    game = int(np.argmax(sum(ply.played for ply in trial.plies)))

    def of_game(tree: Any) -> Any:
        return jax.tree.map(lambda x: x[game], tree)

    for number in sorted({round(x) for x in np.linspace(0, len(trial.plies) - 1, PLAIN_PLIES)}):
        ply = trial.plies[number]
        state = of_game(trial.plies[number - 1].state) if number else trial.game.start()
        action = jnp.asarray(ply.action[game])
        plain, batched = trial.step(state, action), of_game((ply.state, ply.view))
        name = _difference(plain, batched)
        if name is not None:
            jitted = jax.jit(trial.step)(state, action)
            cause = "with and without jit" if _difference(plain, jitted) else "when vmapped and when not"
            raise AssertionError(f"{trial.game}: {name} differs {cause} at ply {number} {trial.after_actions(game)}")


def _difference(one: tuple[State, _View], other: tuple[State, _View]) -> str | None:
    """Where two results of a step differ; None if nowhere."""
    for part, mine, theirs in zip(("state", ""), one, other, strict=True):
        leaves, _ = jax.tree_util.tree_flatten_with_path(mine)
        for (path, a), b in zip(leaves, jax.tree.leaves(theirs), strict=True):
            a, b = np.asarray(a), np.asarray(b)
            close = (
                np.allclose(a, b, TOLERANCE, TOLERANCE, equal_nan=True) if a.dtype.kind == "f" else np.array_equal(a, b)
            )
            if not close:
                return part + jax.tree_util.keystr(path).removeprefix("" if part else ".")
    return None
