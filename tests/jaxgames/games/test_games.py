"""Rules against the plain oracles, against exact counts, and against the symmetries of the board."""

import math
from collections import Counter
from functools import cache, partial

import conftest
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import atari_go
from replay import TEMPERS, Seen, compare, compiled, lanes, oracle, oracle_games, replay, write_down

from jaxgames import AtariGo, Gomoku, Pente
from jaxgames.testing import check_game, check_walkable_game

COMPARED = [
    *(AtariGo(size) for size in (3, 4, 5, 7, 9, 10, 11, 13, 19)),
    *(AtariGo(size, captures_to_win) for size in (5, 9) for captures_to_win in (2, 3, 5)),
    Gomoku(3, 3, 3),
    Gomoku(1, 9, 3),
    Gomoku(5, 5, 4),
    Gomoku(5, 5, directions=3),
    Gomoku(6, 6, 4, directions=3),
    Gomoku(4, 7, 4, exact=True),
    Gomoku(8, 3, 3, exact=True, num_seats=3),
    Gomoku(7, 6, 4, num_seats=3),
    Gomoku(6, 9, 3, num_seats=4),
    Gomoku(9, 9, 5),
    Gomoku(15, 15, 5, exact=True),
    Gomoku(19, 19, 5),
    Pente(7),
    Pente(7, num_seats=3),
    Pente(9, num_seats=4, keryo=True, tournament_rule="5x5"),
]
MORE_PENTE = [
    Pente(5),
    Pente(5, num_seats=3, keryo=True),
    Pente(6, captures=False),
    Pente(7, keryo=True, tournament_rule="3x3"),
    Pente(7, num_seats=4),
    Pente(8, num_seats=3, tournament_rule="5x5"),
    Pente(11, num_seats=3, captures=False, tournament_rule="3x3"),
    Pente(13, num_seats=4),
    Pente(15, keryo=True),
    Pente(19),
    Pente(19, num_seats=3, keryo=True, tournament_rule="5x5"),
]
SHORTLY = [
    *(AtariGo(size) for size in (3, 5, 9, 19)),
    AtariGo(9, captures_to_win=5),
    Gomoku(1, 9, 3),
    Gomoku(6, 6, 4, directions=3),
    Gomoku(4, 7, 4, exact=True),
    Gomoku(8, 3, 3, exact=True, num_seats=3),
    Gomoku(6, 9, 3, num_seats=4),
    Gomoku(19, 19, 5),
    Pente(7),
    Pente(7, num_seats=3),
    Pente(9, num_seats=4, keryo=True, tournament_rule="5x5"),
]  # of those above, what is compared in every run of the tests
SYMMETRIC = [g for g in SHORTLY if g.num_actions <= 81 and getattr(g, "directions", 4) == 4]
THOROUGH_BATCHES = 9  # of every game; one batch of all is about 2,500 games
PENTE_GAMES = 20_000
CHUNK = 1 << 14  # positions that are expanded at once


@pytest.fixture(scope="module", autouse=True)
def compile_ahead(request):
    """Starts to compile, in the background, what the selected tests will replay."""
    for item in request.session.items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if "compared" in parameters:
            compiled(parameters["compared"])


# ---------------------------------------------------------------- the oracle
@cache
def short_games(game):
    """The oracle searches a position for tactics in time that grows with the square of the board: not at every ply."""
    return oracle_games(game, batch=0, stride=max(1, game.num_actions // 12))


@pytest.mark.parametrize("compared", SHORTLY, ids=str)
def test_every_ply_agrees_with_the_oracle(compared):
    tally = compare(compared, short_games(compared))
    assert tally["games"] > 2 * len(TEMPERS)


def compare_batches(games, batches):
    """game → what was played; batch 0 is left to the short test."""
    tallies = {game: Counter() for game in games}
    for game in games:
        compiled(game)
    for game, tally in tallies.items():
        for batch in range(1, 1 + batches):
            tally.update(compare(game, oracle_games(game, batch, stride=max(1, game.num_actions // 100))))
    return tallies


@pytest.mark.thorough
def test_every_ply_of_20000_games_agrees_with_the_oracle():
    tallies = compare_batches([game for game in COMPARED if not isinstance(game, Pente)], THOROUGH_BATCHES)
    write_down(conftest.ROOT / "docs" / "verification.md", tallies)


@pytest.mark.thorough
def test_every_ply_of_20000_games_of_pente_agrees_with_the_oracle():
    games = [game for game in COMPARED if isinstance(game, Pente)] + MORE_PENTE
    tallies = compare_batches(games, math.ceil(PENTE_GAMES / sum(map(lanes, games))))
    assert sum(tally["games"] for tally in tallies.values()) >= PENTE_GAMES
    write_down(conftest.ROOT / "docs" / "verification.md", tallies, "Pente")


# ---------------------------------------------------------------- counts of all games
def count_games(game, depth):
    """Sequences of each length up to `depth`, and the complete games by (winner, plies), as the oracles count them."""
    state = jax.tree.map(lambda x: np.asarray(x)[None], game.start())
    legal, perft, endings = np.ones((1, game.num_actions), bool), [], Counter()
    while len(perft) < depth and len(legal):
        parent, action = np.nonzero(legal)
        perft.append(len(parent))
        state, over, returns, legal = play_all(game, jax.tree.map(lambda x, rows=parent: x[rows], state), action)
        for result in returns[over]:
            endings[int(result.argmax()) if result.any() else None, len(perft)] += 1
        state, legal = jax.tree.map(lambda x, on=~over: x[on], (state, legal))
    return perft, endings


def play_all(game, state, action):
    """(state, terminal, returns, legal) after a move in each of many positions, CHUNK at a time."""
    parts = []
    for first in range(0, len(action), CHUNK):
        rows = slice(first, first + CHUNK)
        size = len(action[rows])
        some = jax.tree.map(lambda x, at=rows, more=CHUNK - size: fill_up(x[at], more), (state, action))
        parts.append(jax.tree.map(lambda x, end=size: x[:end], jax.device_get(expand(game, *some))))
    return jax.tree.map(lambda *chunks: np.concatenate(chunks), *parts)


def fill_up(x, missing):
    return np.concatenate([x, np.repeat(x[:1], missing, 0)])


@partial(jax.jit, static_argnums=0)
def expand(game, state, action):
    after = jax.vmap(game.play)(state, action)
    return after, *(jax.vmap(view)(after) for view in (game.terminal, game.returns, game.legal))


def by_winner(endings):
    return {winner: sum(n for (w, _), n in endings.items() if w == winner) for winner in {w for w, _ in endings}}


def test_all_games_of_atari_go_3x3_are_counted():
    game = AtariGo(3)
    perft, endings = count_games(game, game.max_plies)
    assert perft == [9, 72, 504, 2976, 14160, 51072, 123984, 160704, 43776]
    assert endings.total() == 215624
    assert min(plies for _, plies in endings) == game.min_plies


def test_all_games_of_tic_tac_toe_are_counted():
    game = Gomoku(3, 3, 3)
    perft, endings = count_games(game, game.max_plies)
    assert perft == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert by_winner(endings) == {0: 131184, 1: 77904, None: 46080}
    assert min(plies for _, plies in endings) == game.min_plies


def test_first_plies_of_atari_go_4x4_are_counted_as_by_the_oracle():
    assert count_games(AtariGo(4), 4) == atari_go.count_games(atari_go.AtariGo(4), 4)


# ---------------------------------------------------------------- properties
def test_game_passes_every_check(game):
    check_game(game)


@pytest.mark.parametrize("game", conftest.WALKABLE, ids=str)
def test_walkable_game_passes_every_check(game):
    check_walkable_game(game, games=8, plies=12)


def symmetries(rows, columns):
    """For every symmetry of the board: at each point, the point that comes to lie there."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    images = [np.rot90(g, quarter) for g in (grid, grid.T) for quarter in range(4)]
    return [image.ravel() for image in images if image.shape == grid.shape]


@pytest.mark.parametrize("compared", SYMMETRIC, ids=str)
def test_symmetric_games_are_symmetric(compared):
    games = [played.actions for played in short_games(compared)]
    images = symmetries(compared.rows, compared.columns)
    assert len(images) == (8 if compared.rows == compared.columns else 4)
    seen = replay(compared, games)
    for image in images:
        turned = replay(compared, [np.argsort(image)[moves] for moves in games])
        for name in Seen._fields:
            expected = getattr(seen, name)
            over_points = name in {"legal", "winning", "losing", "planes"}
            np.testing.assert_array_equal(getattr(turned, name), expected[..., image] if over_points else expected)


@pytest.mark.parametrize("compared", [AtariGo(5), AtariGo(9), AtariGo(5, 3), AtariGo(9, 5)], ids=str)
def test_atari_go_is_the_same_with_the_colours_swapped(compared):
    games = [played.actions for played in short_games(compared)]
    seen = replay(compared, games)
    swapped = replay(compared, games, compared.start().replace(seat=jnp.int32(1)))
    expected = seen._replace(
        to_move=1 - seen.to_move, returns=seen.returns[..., ::-1], captures=seen.captures[..., ::-1]
    )
    for name in Seen._fields:
        np.testing.assert_array_equal(getattr(swapped, name), getattr(expected, name))


@pytest.mark.parametrize("compared", [AtariGo(9), AtariGo(9, 5)], ids=str)
def test_compared_games_have_large_chains_and_captures(compared):
    chains = captured = 0
    for played in short_games(compared):
        position = oracle(compared)
        for action in played.actions:
            position.play(action)
            chains = max(chains, len(position.chain(action)))
        captured = max(captured, played.tally["captured stones"])
    assert chains >= 20
    assert captured >= 5


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: AtariGo(2), "size 3 to 19, not 2"),
        (lambda: AtariGo(20), "size 3 to 19, not 20"),
        (lambda: AtariGo(9, captures_to_win=0), "captures_to_win must be at least 1, not 0"),
        (lambda: Gomoku(0, 5), "1 to 19 rows and columns, not 0 × 5"),
        (lambda: Gomoku(5, 20), "1 to 19 rows and columns, not 5 × 20"),
        (lambda: Gomoku(4, 5, 6), "in_a_row = 6 does not fit a board of 4 × 5"),
        (lambda: Gomoku(5, 5, 1), "in_a_row = 1 does not fit"),
        (lambda: Gomoku(5, 5, num_seats=1), "2 to 4 seats, not 1"),
        (lambda: Gomoku(5, 5, num_seats=5), "2 to 4 seats, not 5"),
        (lambda: Gomoku(5, 5, directions=2), "directions must be 4, or 3 to leave out the anti-diagonal, not 2"),
        (lambda: AtariGo(9).resized(20), "size 3 to 19, not 20"),
        (lambda: Gomoku(9, 9).resized(4), "in_a_row = 5 does not fit a board of 4 × 4"),
    ],
)
def test_impossible_game_is_refused(construct, words):
    with pytest.raises(ValueError, match=words):
        construct()


def test_resized_game_keeps_its_rules():
    assert AtariGo(9, captures_to_win=3).resized(5) == AtariGo(5, captures_to_win=3)
    assert Gomoku(4, 7, 4, True, 3, 3).resized(6) == Gomoku(6, 6, 4, True, 3, 3)


def test_title_names_the_rules():
    assert Gomoku(9, 9).title == "Gomoku 9×9, 5 in a row"
    assert Gomoku(9, 9, directions=3).title == "Gomoku 9×9, 5 in a row, no anti-diagonals"
