"""Othello against the plain oracle in whole games, against exact counts, and in the arena."""

import random
from collections import Counter
from functools import cache, partial
from typing import NamedTuple

import conftest
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import othello as oracle
from replay import source, write_between
from squares import squares, words

from jaxgames import Othello, Schedule, play_games
from jaxgames.core import draw_legal
from jaxgames.players import Random

GAME = Othello()
LANES = 240  # games in one call: the program is compiled once
THOROUGH_BATCHES = 42  # after the one that the short test plays
BEGIN = "<!-- begin of Othello, by `python -m pytest -m thorough` -->"
QUICKLY = {"xla_backend_optimization_level": 0}


# ---------------------------------------------------------------- games of the oracle
TEMPERS = {  # what a player wants most of after its move; random between equals
    "random": None,
    "greedy": lambda before, after: after.discs()[before.to_move],  # wins by taking everything now and then
    "stifling": lambda before, after: -len(after.moves(1 - before.to_move)),  # many seats are skipped
}


class Seen(NamedTuple):
    """What is compared, for one position; `replay` gives it leading axes [games, plies + 1]."""

    legal: np.ndarray
    to_move: np.ndarray
    terminal: np.ndarray
    returns: np.ndarray
    planes: np.ndarray
    discs: np.ndarray


def look(game):
    """What the oracle says of a position."""

    def mask(numbers):
        return np.isin(np.arange(64), list(numbers))

    seat, result = game.to_move, {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[game.winner]
    planes = [mask(game.squares(seat)), mask(game.squares(1 - seat))]
    return Seen(mask(game.legal()), seat, game.over, np.float32(result), np.array(planes), np.array(game.discs()))


def choose(game, actions, temper, rng):
    """One of the actions, and the position after it."""
    results = {action: game.copy() for action in (actions if temper else rng.sample(actions, 1))}
    for action, after in results.items():
        after.play(action)
    action = max(results, key=lambda action: (temper(game, results[action]) if temper else 0, rng.random()))
    return action, results[action]


def play_out(rng, tempers):
    """One game: its actions, its positions, and what happened in it."""
    game, actions, tally = oracle.Othello(), [], Counter(games=1, plies=0, skips=0)
    seen = [look(game)]
    while not seen[-1].terminal:
        action, game = choose(game, np.flatnonzero(seen[-1].legal).tolist(), TEMPERS[tempers[game.to_move]], rng)
        actions.append(action)
        seen.append(look(game))
        tally["skips"] += game.skipped and not game.over
    tally["plies"] = len(actions)
    tally["wipe-outs"] += 0 in game.discs()
    tally["ends with empty squares"] += len(game.board) < 64
    tally["draws"] += game.winner is None
    return actions, seen, tally


def batch_of_games(number):
    rng = random.Random(number)
    return [play_out(rng, rng.choices(list(TEMPERS), (3, 1, 1), k=2)) for _ in range(LANES)]


@partial(jax.jit, compiler_options=QUICKLY)
def replay(actions):
    """Plays games by jaxgames, each of its own length; what is over stays as it is."""

    def ply(state, action):
        views = GAME.legal, GAME.to_move, GAME.terminal, GAME.returns, GAME.planes, GAME.discs
        seen = Seen(*(view(state) for view in views))
        after = GAME.play(state, action)
        return jax.tree.map(lambda old, new: jnp.where(seen.terminal, old, new), state, after), seen

    return jax.vmap(lambda row: jax.lax.scan(ply, GAME.start(), row)[1])(actions)


def compare(games):
    """Fails at the first ply of a game where jaxgames and the oracle differ; returns what was played."""
    actions = np.zeros((LANES, GAME.max_plies + 1), np.int32)
    for row, (played, _, _) in zip(actions, games, strict=True):
        row[: len(played)] = played
    replayed = jax.device_get(replay(actions))
    for index, (played, positions, _) in enumerate(games):
        for name, expected in zip(Seen._fields, zip(*positions, strict=True), strict=True):
            actual = getattr(replayed, name)[index, : len(positions)]
            equal = (actual == np.array(expected)).reshape(len(positions), -1).all(1)
            assert equal.all(), f"{name} differs at ply {equal.argmin()} of {played}"
    return Counter({name: sum(tally[name] for _, _, tally in games) for name in games[0][2]})


def test_every_ply_agrees_with_the_oracle():
    tally = compare(batch_of_games(0))
    assert tally["games"] == LANES
    assert tally["skips"] > LANES
    assert min(tally["wipe-outs"], tally["ends with empty squares"], tally["draws"]) > 0


@pytest.mark.thorough
def test_every_ply_of_10000_games_agrees_with_the_oracle():
    tally = Counter()
    for number in range(1, 1 + THOROUGH_BATCHES):
        tally.update(compare(batch_of_games(number)))
    assert tally["games"] >= 10_000
    assert tally["wipe-outs"] >= 100
    counts = ", ".join(f"{number:,} {name}" for name, number in tally.items())
    write_between(
        conftest.ROOT / "docs" / "verification.md", BEGIN, f"{source()}: {counts}; no difference was found.\n"
    )


# ---------------------------------------------------------------- counts of all games
# Sequences of 1 to 10 plies as they are published: a skipped turn is a ply too, and what is over counts on.
PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
CHUNK = 1 << 14  # positions that are played at once


@partial(jax.jit, compiler_options=QUICKLY)
def play_all(states, actions):
    return jax.vmap(GAME.play)(states, actions)


def expand(states):
    """The position after every legal move in each of many positions."""
    mask = np.unpackbits(np.stack(states.moves, 1).astype("<u4").view(np.uint8), axis=1, bitorder="little")
    parents, actions = np.nonzero(mask)
    parts = []
    for first in range(0, len(actions), CHUNK):
        rows = np.resize(np.arange(first, min(first + CHUNK, len(actions))), CHUNK)
        after = play_all(jax.tree.map(lambda x, at=parents[rows]: x[at], states), actions[rows].astype(np.int32))
        parts.append(jax.device_get(after))
    return jax.tree.map(lambda *chunks: np.concatenate(chunks)[: len(actions)], *parts)


def num_moves(states):
    return np.bitwise_count(np.stack(states.moves)).sum(0, dtype=int)


@cache
def positions_after(plies):
    """After every sequence of so many plies."""
    if plies == 0:
        return jax.tree.map(lambda x: np.asarray(x)[None], GAME.start())
    return expand(positions_after(plies - 1))


def next_published(plies):
    """How many sequences of one ply more there are, as they are published, and how many games are over."""
    states = positions_after(plies)
    count = num_moves(states)
    usual = states.seat == plies % 2  # unless the only move there is skips a turn, or the game is over
    return np.where(usual, count, 1).sum(), (count == 0).sum()


def test_all_sequences_of_up_to_9_plies_are_counted():
    counted = [next_published(plies) for plies in range(9)]
    assert counted == [(expected, 0) for expected in PERFT[:9]]  # no game is over before min_plies
    assert num_moves(positions_after(8)).sum() == PERFT[8] + 32  # after 24 sequences a seat is skipped


@pytest.mark.thorough
def test_all_sequences_of_10_plies_are_counted():
    assert next_published(9) == (PERFT[9], 228)
    assert GAME.min_plies == 9


def test_244_sequences_of_4_plies_lead_to_60_positions_up_to_symmetry():
    states = positions_after(4)
    boards = {
        (frozenset(squares(own)), frozenset(squares(other)))
        for own, other in zip(zip(*states.own, strict=True), zip(*states.other, strict=True), strict=True)
    }
    grid = np.arange(64).reshape(8, 8)
    images = [np.rot90(g, quarter).ravel() for g in (grid, grid.T) for quarter in range(4)]
    classes = {min(tuple(tuple(sorted(image[list(side)])) for side in board) for image in images) for board in boards}
    assert (len(states.seat), len(boards), len(classes)) == (244, 236, 60)


# ---------------------------------------------------------------- random play
def test_random_moves_are_drawn_uniformly():
    state = position_with_moves((0, 5, 31, 32, 33, 47, 63))
    even = jnp.arange(1 << 16, dtype=jnp.uint32) << 16
    drawn = jax.jit(jax.vmap(lambda word: draw_legal(GAME, state, word)))(even)
    counts = np.bincount(drawn, minlength=64)
    assert set(np.flatnonzero(counts)) == squares(state.moves)
    assert np.ptp(counts[counts > 0]) <= 1


def position_with_moves(actions):
    return GAME.start().replace(moves=words(actions))


def test_arena_plays_as_the_rules_say():
    streams = jnp.arange(2, dtype=jnp.uint32)
    results = play_games(GAME, (Random(GAME),) * 2, streams, Schedule(32, 16, record_moves=True))
    moves, plies, winner = map(np.asarray, (results.moves, results.plies, results.winner))
    skips = 0
    for block, number in np.ndindex(2, 32):
        game = oracle.Othello()
        for action in moves[block, number, : plies[block, number]]:
            game.play(int(action))
            skips += game.skipped and not game.over
        assert game.over
        first = number % 2  # the player who has seat 0
        assert winner[block, number] == (-1 if game.winner is None else game.winner ^ first)
    assert results.finished.all()
    assert skips > 0
