"""Openings: first plies that are given and not played by the players."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.arena.schedule import Schedule
from jaxgames.core import Game, State
from jaxgames.randomness import random_bits

Opening = tuple[int, ...]  # actions
DRAWN = -2  # in place of a ply, for the word that draws an opening; arenas use −1 for players' resets


def all_openings(game: Game, plies: int) -> tuple[Opening, ...]:
    """Every sequence of so many plies. In Othello there are 244 of four. May be called while something is traced."""
    with jax.ensure_compile_time_eval():
        play, legal = jax.jit(game.play), jax.jit(game.legal)
        found: list[tuple[Opening, State]] = [((), game.start())]
        for _ in range(plies):
            found = [
                ((*actions, action), play(state, jnp.int32(action)))
                for actions, state in found
                for action in np.flatnonzero(legal(state)).tolist()
            ]
    return tuple(actions for actions, _ in found)


def states_after(game: Game, openings: tuple[Opening, ...]) -> State:
    """The position after each opening, with a leading axis of them; of no openings, the start alone."""
    if not openings:
        return jax.tree.map(lambda x: jnp.asarray(x)[None], game.start())

    def played(actions: Int[Array, "plies"]) -> State:
        return jax.lax.scan(lambda state, action: (game.play(state, action), None), game.start(), actions)[0]

    return jax.vmap(played)(jnp.array(openings, jnp.int32))


def starts(states: State, number: Int[Array, "*lanes"]) -> State:
    """`states[number]`, without a gather if there is only one."""
    shared = len(jax.tree.leaves(states)[0]) == 1
    return jax.tree.map(
        lambda x: jnp.broadcast_to(x[0], (*number.shape, *x.shape[1:])) if shared else x[number], states
    )


def numbers(
    schedule: Schedule, num_seatings: int, streams: UInt32[Array, "blocks"], games: Int[Array, "blocks games"]
) -> Int[Array, "blocks games"]:
    """Which opening each game begins with."""
    turns = games // num_seatings
    if not schedule.drawn_openings:
        return turns % max(len(schedule.openings), 1)

    def drawn(stream: UInt32[Array, ""], turn: Int[Array, ""]) -> UInt32[Array, ""]:
        return bb.scaled(random_bits(stream, turn, jnp.int32(DRAWN)), jnp.uint32(len(schedule.openings)))

    return jax.vmap(jax.vmap(drawn, (None, 0)))(streams, turns).astype(jnp.int32)


def begun_moves(
    schedule: Schedule, num_seatings: int, streams: UInt32[Array, "blocks"], plies: int
) -> Int[Array, "blocks games plies"]:
    """A blank record of the moves of all games: their openings, and then −1."""
    games = jnp.broadcast_to(jnp.arange(schedule.games), (len(streams), schedule.games))
    moves = jnp.full((*games.shape, plies), -1, jnp.int16)
    if not schedule.opening_plies:
        return moves
    openings = jnp.array(schedule.openings, jnp.int16)[numbers(schedule, num_seatings, streams, games)]
    return moves.at[..., : schedule.opening_plies].set(openings)
