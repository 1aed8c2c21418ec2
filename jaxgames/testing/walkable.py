"""Checks of games of chance that enumerate their plays."""

from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from jaxgames.arena.unbatched import afterstates
from jaxgames.core import Cursor, State, WalkableGame
from jaxgames.testing.types import TOLERANCE, check_closed, check_type, require

STEPS = 6  # of every enumeration, taken by `next` and again by `step_parts`


def check_walkable_game(
    game: WalkableGame, games: int = 16, plies: int = 60, limit: int = 1000, seed: int = 0, zero_sum: bool = True
) -> None:
    """Plays the first `plies` of `games` random games, and raises AssertionError with a sentence on the first fault.

    What is checked:

    * `resolve` and `play` keep the structure, the shapes and the dtypes of the state, `next` those of the cursor;
    * `outcome_probs` are probabilities that sum to 1, and `draw_outcome` draws none that has probability 0;
    * every position has a play, and of the first `limit` afterstates of each enumeration none comes twice;
    * `next` gives what `begin_step` and `step_parts` give;
    * after chance has been resolved, `to_move` is one of the seats;
    * returns are zero before the end; at the end they lie in [−1, 1] and, with `zero_sum`, add up to zero; so does
      `truncation_return` lie in [−1, 1].
    """
    _check_types(game)
    rng = np.random.default_rng(seed)
    state = jax.tree.map(lambda x: jnp.broadcast_to(x, (games, *jnp.shape(x))), game.start())
    over = np.asarray(_over(game, state)[0])
    require(game, not over.any(), "the game is over at the start")
    for ply in range(plies):
        rolled = _roll(game, ply, state, jnp.asarray(rng.integers(2**32, size=games, dtype=np.uint32)), over)
        _check_steps(game, ply, rolled, over)
        plays, number = afterstates(game, rolled, limit)
        _check_plays(game, ply, plays, np.asarray(number), over)
        chosen = rng.integers(np.clip(number, 1, limit))
        state = _play(game, rolled, jax.tree.map(lambda x, at=chosen: x[np.arange(games), at], plays))
        over = over | _check_end(game, ply, state, over, zero_sum)
        if over.all():
            return


def _check_types(game: WalkableGame) -> None:
    start, number = jax.eval_shape(game.start), jax.ShapeDtypeStruct((), jnp.int32)
    rolled = jax.eval_shape(game.resolve, start, number)
    check_closed(game, "resolve", start, rolled)
    cursor = jax.eval_shape(game.first, rolled)
    later, afterstate, valid = jax.eval_shape(game.next, rolled, cursor)
    check_closed(game, "next", cursor, later)
    check_closed(game, "play", start, jax.eval_shape(game.play, rolled, afterstate))
    bits = jax.ShapeDtypeStruct((), jnp.uint32)
    check_type(game, "valid", valid, (), jnp.bool_)
    check_type(game, "done", jax.eval_shape(game.done, cursor), (), jnp.bool_)
    check_type(game, "to_move", jax.eval_shape(game.to_move, rolled), (), jnp.integer)
    check_type(game, "terminal", jax.eval_shape(game.terminal, start), (), jnp.bool_)
    check_type(game, "returns", jax.eval_shape(game.returns, start), (game.num_seats,), jnp.floating)
    check_type(game, "draw_outcome", jax.eval_shape(game.draw_outcome, start, bits), (), jnp.integer)
    check_type(game, "outcome_probs", jax.eval_shape(game.outcome_probs, start), (game.num_outcomes,), jnp.floating)
    require(game, abs(game.truncation_return) <= 1, f"truncation_return is {game.truncation_return}, not in [-1, 1]")


# ---------------------------------------------------------------- a ply
def _roll(game: WalkableGame, ply: int, state: State, bits: UInt32[Array, "games"], over: np.ndarray) -> State:
    """Chance is resolved in every game; those that are over are not looked at."""
    probs, outcome, rolled, seat = _resolve(game, state, bits)
    probs, outcome, seat = np.asarray(probs), np.asarray(outcome), np.asarray(seat)
    sums = probs.sum(1)
    _expect(game, ply, over | (probs >= 0).all(1), "a probability of an outcome is negative")
    _expect(game, ply, over | (np.abs(sums - 1) <= TOLERANCE), "the probabilities of the outcomes sum to {}", sums)
    in_range = (outcome >= 0) & (outcome < game.num_outcomes)
    _expect(game, ply, over | in_range, "draw_outcome drew {}, which is no outcome", outcome)
    drawn = np.take_along_axis(probs, np.clip(outcome, 0, game.num_outcomes - 1)[:, None], 1)[:, 0]
    _expect(game, ply, over | (drawn > 0), "draw_outcome drew {}, which has probability 0", outcome)
    _expect(game, ply, over | ((seat >= 0) & (seat < game.num_seats)), "to_move is {}, which is no seat", seat)
    return rolled


def _check_plays(game: WalkableGame, ply: int, plays: State, number: np.ndarray, over: np.ndarray) -> None:
    _expect(game, ply, over | (number > 0), "there is no play, not even a pass")
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(plays)]
    rows = np.concatenate([leaf.reshape(*leaf.shape[:2], -1).view(np.uint8) for leaf in leaves], -1)
    counts = np.minimum(number, rows.shape[1])
    different = np.array([len(np.unique(row[:count], axis=0)) for row, count in zip(rows, counts, strict=True)])
    _expect(game, ply, over | (different == counts), "of {} afterstates some come twice", counts)


def _check_steps(game: WalkableGame, ply: int, rolled: State, over: np.ndarray) -> None:
    _expect(game, ply, over | np.asarray(_same_steps(game, rolled)), "next gives something else than step_parts")


def _check_end(game: WalkableGame, ply: int, state: State, over: np.ndarray, zero_sum: bool) -> np.ndarray:
    """Which games are over now."""
    terminal, returns = (np.asarray(x) for x in _over(game, state))
    _expect(game, ply, over | terminal | (returns == 0).all(1), "returns are {} before the end", returns)
    _expect(game, ply, over | (np.abs(returns) <= 1 + TOLERANCE).all(1), "returns {} are not within [-1, 1]", returns)
    if zero_sum:
        balanced = np.abs(returns.sum(1)) <= TOLERANCE
        _expect(game, ply, over | balanced, "returns {} do not add up to zero", returns)
    return terminal


def _expect(game: WalkableGame, ply: int, fine: np.ndarray, sentence: str, values: Any = None) -> None:
    """Fails for the first game that is not fine; `sentence` may have a place for its value."""
    where = int(np.argmin(fine))
    require(game, bool(fine.all()), f"{sentence if values is None else sentence.format(values[where])} at ply {ply}")


# ---------------------------------------------------------------- compiled, for a batch of games
@partial(jax.jit, static_argnums=0)
def _resolve(
    game: WalkableGame, state: State, bits: UInt32[Array, "games"]
) -> tuple[Float[Array, "games outcomes"], Int[Array, "games"], State, Int[Array, "games"]]:
    outcome = jax.vmap(game.draw_outcome)(state, bits)
    rolled = jax.vmap(game.resolve)(state, outcome)
    return jax.vmap(game.outcome_probs)(state), outcome, rolled, jax.vmap(game.to_move)(rolled)


@partial(jax.jit, static_argnums=0)
def _play(game: WalkableGame, rolled: State, afterstate: State) -> State:
    return jax.vmap(game.play)(rolled, afterstate)


@partial(jax.jit, static_argnums=0)
def _over(game: WalkableGame, state: State) -> tuple[Bool[Array, "games"], Float[Array, "games seats"]]:
    return jax.vmap(game.terminal)(state), jax.vmap(game.returns)(state)


@partial(jax.jit, static_argnums=0)
def _same_steps(game: WalkableGame, rolled: State) -> Bool[Array, "games"]:
    """Whether the first STEPS steps are the same by `next` and by `step_parts`."""

    def compare(state: State, cursor: Cursor) -> tuple[Cursor, Bool[Array, ""]]:
        step = game.begin_step(state, cursor)
        for part in game.step_parts:
            step = replace(step, **part(state, step))
        expected = game.next(state, cursor)
        pairs = zip(jax.tree.leaves((step.cursor, step.afterstate, step.valid)), jax.tree.leaves(expected), strict=True)
        same = jnp.array([jnp.all(a == b) for a, b in pairs]).all()
        return expected[0], same | game.done(cursor)

    def walk(state: State) -> Bool[Array, ""]:
        _, same = jax.lax.scan(lambda cursor, _: compare(state, cursor), game.first(state), length=STEPS)
        return same.all()

    return jax.vmap(walk)(rolled)
