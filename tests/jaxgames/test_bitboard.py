"""Bitboards against sets of points in plain Python; random draws and random words against chance."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxgames import bitboard as bb
from jaxgames.core import draw_legal
from jaxgames.games.gomoku.rules import Gomoku
from jaxgames.randomness import mix, more_bits, random_bits

SHAPES = [(1, 1), (3, 3), (4, 7), (2, 31), (19, 19)]
few = settings(max_examples=40, deadline=None)


@st.composite
def boards(draw, number=1):
    """A shape and so many sets of its points."""
    rows, columns = draw(st.sampled_from(SHAPES))
    points = st.sets(st.integers(0, rows * columns - 1))
    return (rows, columns, *(draw(points) for _ in range(number)))


def board_of(points, rows, columns):
    words = [sum(1 << point % columns for point in points if point // columns == row) for row in range(rows)]
    return tuple(jnp.uint32(word) for word in words)


def points_of(board, columns):
    return {row * columns + bit for row, word in enumerate(board) for bit in range(32) if int(word) >> bit & 1}


# ---------------------------------------------------------------- sets of points
@few
@given(boards(2))
def test_boards_are_sets_of_points(case):
    rows, columns, one, other = case
    a, b = board_of(one, rows, columns), board_of(other, rows, columns)
    assert points_of(bb.union(a, b), columns) == one | other
    assert points_of(bb.intersection(a, b), columns) == one & other
    assert points_of(bb.without(a, b), columns) == one - other
    assert points_of(bb.select(jnp.bool_(True), a, b), columns) == one
    assert points_of(bb.select(jnp.bool_(False), a, b), columns) == other
    assert points_of(bb.first_nonempty(a, b), columns) == (one or other)
    assert bool(bb.any_set(a)) == bool(one)


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_empty_and_full_boards(rows, columns):
    assert points_of(bb.empty(rows), columns) == set()
    assert points_of(bb.full(rows, columns), columns) == set(range(rows * columns))


@few
@given(boards(), st.data())
def test_one_point_is_set(case, data):
    rows, columns, _ = case
    action = jnp.int32(data.draw(st.integers(0, rows * columns - 1)))
    assert points_of(bb.one_hot(action, rows, columns), columns) == {int(action)}


@few
@given(boards())
def test_masks_are_boards(case):
    rows, columns, points = case
    mask = bb.to_mask(board_of(points, rows, columns), columns)
    assert set(np.flatnonzero(mask).tolist()) == points
    assert mask.shape == (rows * columns,)
    assert points_of(bb.from_mask(mask, columns), columns) == points


@few
@given(boards(), st.integers(-5, 5), st.integers(-5, 5))
def test_shifted_board_looks_further(case, down, right):
    rows, columns, points = case
    expected = set()
    for row, column in np.ndindex(rows, columns):
        r, c = row + down, column + right
        if 0 <= r < rows and 0 <= c < columns and r * columns + c in points:
            expected.add(row * columns + column)
    seen = bb.shifted(board_of(points, rows, columns), down, right)
    assert points_of(bb.intersection(seen, bb.full(rows, columns)), columns) == expected
    if right >= 0:
        assert points_of(seen, columns) == expected


# ---------------------------------------------------------------- draws
@few
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**16))
def test_scaled_word_is_a_whole_part(word, below):
    assert int(bb.scaled(jnp.uint32(word), jnp.uint32(below))) == word * below >> 32


RANKS = np.arange(31, dtype=np.uint32)
nth_set_bits = jax.jit(jax.vmap(lambda word, rank: bb.nth_set_bit(word, rank, 31), (None, 0)))


@few
@given(st.integers(1, 2**31 - 1))
def test_set_bits_are_found_by_rank(word):
    bits = [bit for bit in range(31) if word >> bit & 1]
    assert nth_set_bits(jnp.uint32(word), RANKS)[: len(bits)].tolist() == bits


DRAWS = 1 << 16
draw_many = jax.jit(jax.vmap(bb.draw, (None, None, 0)), static_argnums=1)


def is_uniform(counts):
    """Whether a chi-square statistic is within five standard deviations of what chance gives."""
    expected = counts.sum() / len(counts)
    freedom = len(counts) - 1
    return ((counts - expected) ** 2 / expected).sum() <= freedom + 5 * np.sqrt(2 * freedom) + 5


@pytest.mark.parametrize(
    ("rows", "columns", "points"),
    [
        (5, 5, range(25)),
        (5, 5, [24]),
        (5, 5, [0, 7, 8, 9, 21]),
        (19, 19, range(361)),
        (19, 19, range(5, 361, 7)),
        (19, 19, [18, 360]),
    ],
)
def test_draws_are_uniform_over_the_points_set(rows, columns, points):
    words = np.random.default_rng(0).integers(0, 2**32, DRAWS, np.uint32)
    drawn = np.bincount(draw_many(board_of(points, rows, columns), columns, words), minlength=rows * columns)
    assert set(np.flatnonzero(drawn)) == set(points)
    assert is_uniform(drawn[list(points)])


@few
@given(boards(), st.integers(0, 2**32 - 1))
def test_only_points_that_are_set_are_drawn(case, word):
    rows, columns, points = case
    extremes = np.array([word, 0, 2**32 - 1], np.uint32)
    points = points or {0}
    drawn = draw_many(board_of(points, rows, columns), columns, extremes)
    assert set(drawn.tolist()) <= points


class Plain:
    """The first position of a game with 21 actions, of which every third is legal."""

    num_seats, num_actions, max_plies = 2, 21, 1

    def legal(self, state):
        return jnp.arange(21) % 3 == 0

    start = to_move = play = terminal = returns = legal  # never called


def test_game_without_bitboards_draws_legal_actions_uniformly():
    words = np.random.default_rng(1).integers(0, 2**32, DRAWS, np.uint32)
    drawn = np.bincount(jax.vmap(lambda word: draw_legal(Plain(), None, word))(words), minlength=21)
    assert set(np.flatnonzero(drawn)) == set(range(0, 21, 3))
    assert is_uniform(drawn[::3])


def test_stone_game_draws_empty_points():
    game = Gomoku(3, 3, 3)
    state = game.play(game.play(game.start(), jnp.int32(4)), jnp.int32(0))
    drawn = jax.vmap(lambda word: draw_legal(game, state, word))(jnp.arange(1 << 8, dtype=jnp.uint32) << 24)
    assert set(drawn.tolist()) == {1, 2, 3, 5, 6, 7, 8}


# ---------------------------------------------------------------- random words
many_words = jax.jit(jax.vmap(random_bits))


def words_of(stream, games, plies):
    numbers = np.broadcast_arrays(np.uint32(stream), np.int32(games), np.int32(plies))
    return np.asarray(many_words(*map(np.ravel, numbers)))


@pytest.mark.parametrize("stream", [0, 1, 2**32 - 1])
def test_distinct_games_and_distinct_plies_have_distinct_words(stream):
    numbers = np.arange(-1, DRAWS - 1)
    assert len(np.unique(words_of(stream, numbers, 0))) == DRAWS
    assert len(np.unique(words_of(stream, 3, numbers))) == DRAWS


def test_different_streams_share_no_sequence_of_words():
    sequences = [words_of(stream, game, np.arange(4)).tobytes() for stream in range(64) for game in range(64)]
    assert len(set(sequences)) == 64 * 64


def test_bits_are_balanced_and_do_not_depend_on_their_neighbours():
    grid = words_of(9, np.arange(256)[:, None], np.arange(256)).reshape(256, 256)
    next_game, next_ply, next_stream = grid[:-1] ^ grid[1:], grid[:, :-1] ^ grid[:, 1:], grid ^ np.roll(grid, 77)
    for words in (grid, next_game, next_ply, next_stream):
        share = np.unpackbits(words.reshape(-1, 1).view(np.uint8), axis=1).mean(0)
        assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(words.size)
    assert is_uniform(np.bincount(grid.ravel() >> 24, minlength=256))


def test_mixing_loses_nothing():
    numbers = np.random.default_rng(2).permutation(1 << 20).astype(np.uint32) << 12 | 5
    assert len(np.unique(jax.jit(jax.vmap(mix))(numbers))) == len(np.unique(numbers))


def test_more_bits_are_distinct_from_the_first():
    words = np.asarray(more_bits(jnp.uint32(5), 1000)).tolist()
    assert len({5, *words}) == 1001
