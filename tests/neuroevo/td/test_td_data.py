"""Games to learn from: files and folders, what is left out and why, and positions against the oracle's."""

import gzip

import jax.numpy as jnp
import numpy as np
import pytest
from conftest import shared_data
from oracles import pente

from jaxgames import records
from jaxgames.records import RecordError
from jaxgames.records.check import check
from neuroevo.papers.td_pente.games import loaded_games
from neuroevo.runtime.settings import ConfigError
from neuroevo.td import sources
from neuroevo.td.episodes import SYMMETRIES, compact_episodes, episodes, games_of, replayed, symmetry
from neuroevo.td.sources import FILE, SHIPPED_GAMES, Source

FIVE = "1. K10 A1 2. L10 A2 3. M10 A3 4. N10 A4 5. O10"


def game_text(moves, result="1-0", **headers):
    written = {"Game": "Pente", "Rated": "N", "Result": result, **headers}
    return "\n".join([*(f'[{name} "{value}"]' for name, value in written.items()), "", f"{moves} {result}", "", ""])


@pytest.fixture
def folder(tmp_path):
    """Writes files of the given contents and gives their folder."""

    def write(**contents):
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


# ---------------------------------------------------------------- files
def test_games_of_a_folder_come_in_the_order_of_its_files(folder):
    rated = game_text(FIVE, **{"Player 1 Rating": "1700", "Player 2 Rating": "1600"})
    path = folder(b=rated + game_text(FIVE.replace("A", "B")), a=game_text(FIVE.replace("A", "C")))
    loaded = Source(str(path)).load()
    assert [int(row[1]) % 19 for row in loaded.games.moves] == [2, 0, 1]
    assert loaded.games.length.tolist() == [9, 9, 9]
    assert loaded.games.result.tolist() == [1, 1, 1]
    assert loaded.games.moves.dtype == jnp.int16
    assert (loaded.games.moves[:, 9:] == -1).all()
    assert len(Source(str(path), games=2).load().games) == 2
    assert len(Source(str(path), rating=1600).load().games) == 1
    assert Source(str(path), rating=1600).load().dropped == {"not rated high enough": 2}


def test_games_that_are_too_short_or_not_over_are_left_out(folder):
    short, given_up = "1. K10 A1 2. N10", "1. K10 A1 2. N10 A2 3. N11 A3 4. N12 B4 5. M12 C7"
    path = folder(games=game_text(FIVE) + game_text(short) + game_text(given_up, "0-1") + game_text(given_up, "?"))
    loaded = Source(str(path)).load()
    assert loaded.dropped == {"too short": 1, "unfinished": 1, "without a result": 1}
    assert str(loaded) == "1 games; left out: 1 too short, 1 unfinished, 1 without a result"
    loaded = Source(str(path), finished=False, minimum=0).load()
    assert loaded.games.result.tolist() == [1, 1, -1]


WRONG = {
    "a coordinate": (game_text(FIVE.replace("M10", "U10")), "game 2, ply 5: 'U10' is not a point"),
    "an illegal move": (game_text(FIVE.replace("A3", "L10")), "game 2, ply 6: there is a stone on L10"),
    "not from the centre": (game_text(FIVE.replace("K10", "K9")), "game 2, ply 1: the first stone must be"),
    "a move after the end": (game_text(f"{FIVE} A5"), "game 2, ply 10: the game was over after ply 9"),
    "another result": (game_text(FIVE, "0-1"), "game 2: the game ends 1-0, not 0-1"),
    "a broken end": (game_text(FIVE)[:-30], "game 2: the result is 1-0 in the headers|game 2: the result must be"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_record_is_named_and_left_out_or_ends_the_run(folder, wrong, capsys):
    content, message = WRONG[wrong]
    path = folder(games=game_text(FIVE) + content) / "games"
    loaded = Source(str(path)).load()
    assert (len(loaded.games), len(loaded.errors)) == (1, 1)
    with pytest.raises(RecordError, match=message):
        Source(str(path), on_error="fail").load()
    assert f"left out: {path}, game 2" in capsys.readouterr().err


def test_a_truncated_file_is_named(folder):
    packed = gzip.compress(game_text(FIVE).encode() * 50)
    path = folder(whole=game_text(FIVE), broken=packed[: len(packed) // 2])
    loaded = Source(str(path)).load()
    assert len(loaded.games) == 1
    with pytest.raises(RecordError, match="broken: it cannot be unpacked"):
        Source(str(path), on_error="fail").load()


def test_a_run_names_what_is_wrong_with_its_games_in_one_line(folder):
    path = folder(games=game_text(FIVE) + game_text(FIVE.replace("M10", "U10")))
    with pytest.raises(ConfigError, match=f"^data: {path}/games, game 2, ply 5: 'U10' is not a point"):
        loaded_games(Source(str(path), on_error="fail"), seed=0)


def test_windows_line_ends_are_read(folder):
    path = folder(games=(game_text(FIVE) + game_text(FIVE)).replace("\n", "\r\n"))
    assert len(Source(str(path), on_error="fail").load().games) == 2


def test_a_folder_without_a_game_is_an_error(folder):
    with pytest.raises(ValueError, match="has no game to learn from: 0 games; left out: 1 too short"):
        Source(str(folder(games=game_text("1. K10 A1")))).load()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Source("nowhere"), "there is none at 'nowhere'"),
        (lambda: Source(""), "there is none at ''"),
        (lambda: Source(" "), "there is none at ' '"),
        (lambda: Source("a\0b"), "there is none at 'a.x00b'"),
        (lambda: Source("x" * 5000), "there is none at 'xxx"),
        (lambda: Source("/dev/zero"), "there is none at '/dev/zero'"),
        (lambda: Source(on_error="stop"), "on_error must be one of skip, fail"),
        (lambda: Source(minimum=-1), "must not be negative"),
        (lambda: Source("made"), "needs games"),
    ],
)
def test_a_source_that_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# ---------------------------------------------------------------- games of our own
@pytest.mark.thorough
def test_the_shipped_games_are_those_that_the_command_makes():
    games = sources.made(SHIPPED_GAMES)
    for record, moves, length, result in zip(records.read(FILE), games.moves, games.length, games.result, strict=True):
        assert list(record.actions) == moves[:length].tolist()
        assert record.result == ("1-0" if result > 0 else "0-1" if result < 0 else "1/2-1/2")


def test_the_shipped_games_are_legal_and_different():
    assert check(FILE).errors == []
    assert len({record.actions for record in records.read(FILE)}) == SHIPPED_GAMES
    loaded = Source().load()
    assert (len(loaded.games), loaded.errors, len(loaded.dropped)) == (SHIPPED_GAMES, [], 0)


# ---------------------------------------------------------------- positions
def oracle_positions(actions):
    game = pente.Pente()
    for action in actions:
        game.play(action)
        board = [{None: 0, 0: 1, 1: -1}[stone] for stone in game.board]
        yield board, list(game.captured_counts), game.to_move


def shipped(count):
    return Source(games=count).load().games


def test_positions_are_those_of_the_oracle():
    games = shipped(20)
    positions = replayed(games)
    assert positions.captured.max() > 0
    for number, (moves, length) in enumerate(zip(games.moves, games.length, strict=True)):
        seen = positions.of(jnp.int32(number))
        for ply, (board, captured, _) in enumerate(oracle_positions(moves[:length].tolist())):
            assert seen.board[ply].tolist() == board
            assert seen.captured[ply].tolist() == captured


def test_a_long_list_of_games_is_replayed_in_batches(monkeypatch):
    games = shipped(20)
    at_once = replayed(games)
    monkeypatch.setattr("neuroevo.td.episodes.BATCH", 8)
    np.testing.assert_array_equal(replayed(games).board, at_once.board)


def test_each_side_sees_the_game_from_its_own():
    games = shipped(3)
    positions = replayed(games)
    for number, moves in enumerate(games.moves):
        length, result = int(games.length[number]), float(games.result[number])
        both = episodes(positions.of(jnp.int32(number)), "both")
        assert both.outcome.tolist() == [result, -result]
        for ply, (board, captured, to_move) in enumerate(oracle_positions(moves[:length].tolist())):
            for seat, sign in ((0, 1), (1, -1)):
                turn = 1 if to_move == seat else -1
                expected = [*(sign * np.array(board)), captured[seat] / 10, captured[1 - seat] / 10, turn, 1]
                np.testing.assert_allclose(both.features[seat, ply], expected)
        winner = episodes(positions.of(jnp.int32(number)), "winner")
        assert winner.outcome.tolist() == [1]
        np.testing.assert_array_equal(winner.features[0], both.features[0 if result > 0 else 1])
        first = episodes(positions.of(jnp.int32(number)), "first")
        np.testing.assert_array_equal(first.features[0], both.features[0])


def test_a_turned_board_is_the_game_of_turned_moves():
    games = shipped(2)
    maps = np.stack([symmetry(jnp.int32(number)) for number in range(SYMMETRIES)])
    assert len({tuple(map_) for map_ in maps.tolist()}) == SYMMETRIES
    for number, seen_at in enumerate(maps):
        goes_to = np.argsort(seen_at)
        turned = [goes_to[moves[:length]] for moves, length in zip(games.moves, games.length, strict=True)]
        ours = replayed(games_of(turned, games.result.tolist()))
        for game in range(2):
            same = episodes(replayed(games).of(jnp.int32(game)), "both", jnp.int32(number)).features
            length = int(games.length[game])
            np.testing.assert_array_equal(
                episodes(ours.of(jnp.int32(game)), "both").features[:, :length], same[:, :length]
            )


def test_inputs_of_moves_are_those_of_their_points():
    """Also where a point is played again: on a small board, random games."""
    draw, moves = np.random.default_rng(1), []
    for _ in range(6):
        oracle = pente.Pente(19)
        moves.append([])
        near = [row * 19 + column for row in range(7, 12) for column in range(7, 12)]
        while not oracle.over and oracle.legal() & {*near}:
            moves[-1].append(int(draw.choice(sorted(oracle.legal() & {*near}))))
            oracle.play(moves[-1][-1])
    assert any(len({*one}) < len(one) for one in moves)
    positions = replayed(games_of(moves, [1.0] * 6))
    for number in range(6):
        for turned in (None, jnp.int32(5)):
            game = positions.of(jnp.int32(number))
            dense, length = episodes(game, "both", turned), len(moves[number])
            found = compact_episodes(game, "both", turned)
            spread = np.zeros_like(dense.features)
            for column, at in enumerate(found.inputs):
                spread[..., int(at)] += found.features[..., column]
            np.testing.assert_array_equal(spread[:, :length], dense.features[:, :length])


def test_an_unknown_perspective_is_named():
    with pytest.raises(ValueError, match="perspective must be one of winner, first, both"):
        episodes(replayed(shipped(1)).of(jnp.int32(0)), "loser")


def test_the_archive_is_learned_from_whole():
    loaded = Source(str(shared_data("pente/records.tsv.gz"))).load()
    assert loaded.errors == []
    assert len(loaded.games) + sum(loaded.dropped.values()) == 4863
    assert loaded.dropped["unfinished"] > 400
