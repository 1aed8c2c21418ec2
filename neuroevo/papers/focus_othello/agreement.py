"""Agreement between focus networks and full-width search (Moriarty & Miikkulainen 1994, figure 10).

A network's *window* is the set of legal moves that its search considers. The question is how often the move that a
full-width search chooses is in it.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, UInt32

from jaxgames import bitboard as bb
from jaxgames.arena import Schedule, play_searches
from jaxgames.devices import over_devices
from jaxgames.games.othello.rules import OthelloState
from jaxgames.games.othello.squares import WIDTH, WORDS
from jaxgames.games.othello.tree import Sides
from jaxgames.players import Search
from jaxgames.randomness import GOLDEN, mix
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import Focus

SIDES = "own", "opponent"  # whose positions: the network's or its opponent's


def agreement(
    lab: Lab, task: Focus, streams: jax.Array, champions: np.ndarray, levels: int, games: int
) -> dict[str, np.ndarray]:
    """How often windows hold the choices of a full-width search, in the positions of new games.

    streams: UInt32[replicas], random numbers of the games; the first also serves `_choices`
    champions: Int[replicas genes]
    levels: the largest depth of the full-width search
    games: number of games of each network, in which both sides search as in training

    Returns arrays by name:

    share: Float[replicas sides levels], share of positions in which the window holds the search's choice
    kept: Float[replicas sides], share of all legal moves that the windows hold
    """
    replicas, player = len(champions), task.player(jnp.asarray(champions))
    schedule = Schedule(games, games, openings=task.openings, drawn_openings=True, record_moves=True)
    blank = {"share": np.zeros((replicas, len(SIDES), levels)), "kept": np.zeros((replicas, len(SIDES)))}

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        moves = play_searches((player, task.searcher((replicas,))), streams, schedule).moves
        states, chosen, own = _positions(task, moves)
        window = _windows(player, states, own)
        choice = _choices(task.searcher((), number + 1, max_level=levels), states, streams[0])
        for side, mask in enumerate((chosen & own, chosen & ~own)):
            where = np.asarray(mask), np.arange(replicas)
            inside = bb.any_set(bb.intersection(window, choice))
            tree["share"][:, side, number] = _sum(inside, mask) / where[0].sum((1, 2))
            tree["kept"][:, side] = _sum(bb.count(window), mask) / _sum(bb.count(states.moves), mask)
        return tree, {"level": number + 1}, f"{int(chosen.sum()):,} positions, level {number + 1}"

    return lab.loop("agreement", levels, blank, step)


def _sum(values: jax.Array, mask: jax.Array) -> np.ndarray:
    """Int[replicas]: the sums of values[replicas, games, plies] where the mask is True."""
    return np.asarray(jnp.where(mask, values, 0).sum((1, 2)))


@partial(jax.jit, static_argnums=0)
def _positions(task: Focus, moves: Int[Array, "replicas games plies"]) -> tuple[OthelloState, jax.Array, jax.Array]:
    """(states, chosen, own), all [replicas games plies]: the positions before each ply.

    chosen: whether a player chose the move, which is not the opening's
    own: whether the network's side is to move; the network has seat 0 in every other game
    """

    def ply(state: OthelloState, move: jax.Array) -> tuple[OthelloState, OthelloState]:
        after = task.game.play(state, jnp.maximum(move, 0))
        return jax.tree.map(partial(jnp.where, move >= 0), after, state), state

    def of_game(moves: jax.Array) -> OthelloState:
        return jax.lax.scan(ply, task.game.start(), moves.astype(jnp.int32))[1]

    states = jax.vmap(jax.vmap(of_game))(moves)
    first = np.arange(moves.shape[1])[:, None] % 2
    chosen = (moves >= 0) & (np.arange(moves.shape[2]) >= len(task.openings[0]))
    return states, chosen, states.seat == first


@jax.jit
def _windows(player: Search, states: OthelloState, own: Bool[Array, "replicas games plies"]) -> bb.Board:
    """The window of each position, as bitboards [replicas games plies]."""

    def window(player: Search, state: OthelloState, own: jax.Array) -> bb.Board:
        assert player.move_filter is not None
        ply = jnp.where(own, 0, 1)
        memory = player.move_filter.reset()  # also networks with carried activations start afresh in each position
        kept, instead, _ = player.move_filter.keep(Sides(state.own, state.other), state.moves, ply, memory)
        return bb.first_nonempty(bb.intersection(kept, state.moves), bb.intersection(instead, state.moves))

    flat = jax.tree.map(lambda x: x.reshape(len(x), -1), (states, own))
    windows = jax.vmap(jax.vmap(window, (None, 0, 0)))(player, *flat)
    return jax.tree.map(lambda x: x.reshape(own.shape), windows)


@jax.jit
def _choices(player: Search, states: OthelloState, stream: UInt32[Array, ""]) -> bb.Board:
    """The choice of a full-width search in every position. It does not depend on the number of devices."""

    def choose(state: OthelloState, bits: jax.Array) -> bb.Board:
        return bb.one_hot(player.act(bits, state.seat, state, ())[0], WORDS, WIDTH)

    shape = states.seat.shape
    positions = states.seat.size
    devices = jax.device_count()
    bits = jax.vmap(mix)(stream + jnp.arange(positions, dtype=jnp.uint32) * jnp.uint32(GOLDEN))
    flat = jax.tree.map(
        lambda x: jnp.resize(x.reshape(-1), (devices, -(-positions // devices))), (states, bits.reshape(shape))
    )
    choices = over_devices(jax.vmap(jax.vmap(choose)))(*flat)
    return jax.tree.map(lambda x: x.reshape(-1)[:positions].reshape(shape), choices)
