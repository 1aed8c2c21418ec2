"""The registry of players: who plays what, and that everybody who does plays by the rules."""

import conftest
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toys import Nim

from jaxgames import AtariGo, Gomoku, Othello, Pente, Schedule, play_games, play_walks
from jaxgames.games import board_game
from jaxgames.players import LEVELS, PLAYERS, players_of

ALL_BOARDS, LINES = {"random", "naive", "heuristic"}, {"blocker", "simple", "better"}
SEARCHES = {f"search-{level}" for level in LEVELS}
OF_OTHELLO = {f"{name}-{level}" for name in ("positional", "norvig", "bill") for level in LEVELS}
OF_BACKGAMMON = {"random_plays", "pubeval"}
KNOWN = ALL_BOARDS | LINES | {"capturer"} | SEARCHES | OF_OTHELLO | OF_BACKGAMMON
QUICK = [name for name in PLAYERS if not name[-1].isdigit() or name.endswith("-1")]


def expected(game):
    """Those of KNOWN that play a board game."""
    kind = type(game)
    lines = LINES if kind in (Gomoku, Pente) else set()
    capturer = {"capturer"} if kind is Pente and game.captures else set()
    searches = SEARCHES if game.num_seats == 2 else set()
    return ALL_BOARDS | lines | capturer | searches | (OF_OTHELLO if kind is Othello else set())


def test_every_player_plays_a_tested_game():
    played = {name for game in conftest.GAMES + conftest.WALKABLE for name in players_of(game)}
    assert played == set(PLAYERS) >= KNOWN


def test_players_play_their_games_and_no_others(game):
    assert KNOWN & {*players_of(game)} == expected(game)


@pytest.mark.parametrize("game", conftest.WALKABLE, ids=str)
def test_players_of_walkable_games(game):
    assert KNOWN & {*players_of(game)} == OF_BACKGAMMON


@pytest.mark.parametrize(
    ("name", "game", "sentence"),
    [
        ("naive", conftest.WALKABLE[0], "Backgammon is not played by numbered actions: it has no num_actions"),
        ("random", conftest.WALKABLE[0], "Backgammon is not played by numbered actions"),
        ("better", AtariGo(5), "Better plays Gomoku and Pente, not Atari-Go 5×5"),
        ("capturer", Pente(5, captures=False), "Capturer plays Pente with captures, not Gomoku from the centre 5×5"),
        ("search-2", Gomoku(5, 5, num_seats=3), "a search tree has two sides"),
        ("bill-3", Gomoku(5, 5), "bill-3 plays Othello, not Gomoku 5×5"),
        ("blocker", Nim(), r"Blocker plays Gomoku and Pente, not Nim\(sticks=9\)"),
        ("pubeval", Othello(), "pubeval plays Backgammon, not Othello"),
        ("random_plays", Othello(), "random_plays plays games whose plays are walked, such as Backgammon, not Othello"),
    ],
)
def test_player_refuses_a_game_in_one_sentence(name, game, sentence):
    with pytest.raises(ValueError, match=sentence):
        PLAYERS[name](game)


# ---------------------------------------------------------------- they play
def play_by_the_rules(game, names):
    """Two games of every player at each seat, against the next ones; fails where a move is not legal."""
    players = tuple(PLAYERS[name](game) for name in names)
    seatings = tuple(
        tuple((number + seat) % len(players) for seat in range(game.num_seats)) for number in range(len(players))
    )
    schedule = Schedule(2 * len(players), len(players), seatings, record_moves=True)
    results = jax.device_get(play_games(board_game(game), players, jnp.array([7], jnp.uint32), schedule, batched=False))

    def ply(state, move):
        at = jnp.maximum(move, 0).astype(jnp.int32)
        return game.play(state, at), game.legal(state)[at]

    moves = results.moves[0]
    legal = jax.device_get(jax.jit(jax.vmap(lambda row: jax.lax.scan(ply, game.start(), row)[1]))(moves))
    for number, row in enumerate(moves):
        assert legal[number][row >= 0].all(), [names[player] for player in seatings[number % len(names)]]
    assert results.finished.all()


def test_every_player_plays_legal_games_to_the_end(game):
    play_by_the_rules(game, [name for name in QUICK if name in players_of(game)])


@pytest.mark.thorough
def test_searches_of_all_levels_play_legal_games_to_the_end(game):
    slow = [name for name in players_of(game) if name not in QUICK]
    for first in range(0, len(slow), 2):
        play_by_the_rules(game, ["random", *slow[first : first + 2]])


def test_every_player_of_backgammon_plays_to_the_end():
    game = conftest.WALKABLE[0]
    players = tuple(PLAYERS[name](game) for name in players_of(game))
    results = jax.device_get(play_walks(game, players, jnp.array([7], jnp.uint32), Schedule(8, 8), batched=False))
    assert results.finished.all()
    assert np.abs(results.returns.sum(-1)).max() == 0
