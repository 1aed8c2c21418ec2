"""Records of Othello games: the archive's by the rules, files as they were, and every error by its words."""

import numpy as np
import pytest
from conftest import shared_data
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import othello as oracle

from jaxgames.records import RecordError
from jaxgames.records.__main__ import main
from jaxgames.records.check import check
from jaxgames.records.othello import replay, wthor
from jaxgames.records.othello.wthor import GAME, HEADER, Header, OthelloRecord, WthorFile

ARCHIVE = "othello/WTH_2013.wtb"
WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"  # dark takes all discs with the ninth ply


def actions_of(names):
    return tuple(8 * (int(row) - 1) + "abcdefgh".index(column) for column, row in names.split())


WON = OthelloRecord(actions_of(WIPE_OUT), score=64)


def encoded(*games, **header):
    return wthor.encode(WthorFile(Header(**header), games))


def changed(content, offset, *values):
    """The content with other bytes at a place."""
    return content[:offset] + bytes(values) + content[offset + len(values) :]


def move_at(game, ply):
    """Where the byte of a move is; both from 1."""
    return HEADER.size + (game - 1) * GAME.size + 8 + ply - 1


@pytest.fixture
def file(tmp_path):
    """Writes a file of the given content."""

    def write(content, name="games.wtb"):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


# ---------------------------------------------------------------- the archive
def test_every_game_of_the_archive_is_legal_and_has_its_score():
    checked = check(shared_data(ARCHIVE))
    assert checked.errors == []
    assert checked.games == 2303
    assert checked.endings == {"dark": 1058, "light": 1173, "draw": 72}


def test_games_of_the_archive_end_as_by_the_oracle():
    games = wthor.read(shared_data(ARCHIVE)).games
    skips = 0
    for record in games[::25]:
        game = oracle.Othello()
        for action in record.actions:
            game.play(action)
            skips += game.skipped
        assert game.over
        assert record.score == replay.final_score(*game.discs())
    assert skips > 0


def test_archive_is_written_as_it_was_read(tmp_path):
    source = shared_data(ARCHIVE)
    archive = wthor.read(source)
    wthor.write(tmp_path / "games.wtb", archive)
    assert (tmp_path / "games.wtb").read_bytes() == source.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["games.wtb"]
    assert (archive.header.created, archive.header.year, archive.header.depth) == ((20, 14, 3, 24), 2013, 24)


def test_a_changed_move_of_the_archive_is_found(file):
    content = shared_data(ARCHIVE).read_bytes()
    (error,) = check(file(changed(content, move_at(1000, 30), content[move_at(1000, 29)]))).errors
    assert (error.place.game, error.ply) == (1000, 30)


# ---------------------------------------------------------------- the format
def test_bytes_are_as_the_format_says():
    record = OthelloRecord((19, 18), score=33, best_score=31, tournament=258, dark=3, light=4)
    content = wthor.encode(WthorFile(Header((19, 99, 12, 31), 0, 1998, 8, 1, 22), (record,)))
    assert content[:16] == bytes([19, 99, 12, 31, 1, 0, 0, 0, 0, 0, 1998 % 256, 1998 // 256, 8, 1, 22, 0])
    assert content[16:] == bytes([2, 1, 3, 0, 4, 0, 33, 31, 34, 33, *[0] * 58])


BYTES = st.integers(0, 255)
HEADERS = st.builds(
    Header,
    created=st.tuples(BYTES, BYTES, BYTES, BYTES),
    names=st.integers(0, 65535),
    year=st.integers(0, 65535),
    size=st.sampled_from([0, 8]),
    kind=BYTES,
    depth=BYTES,
    reserved=BYTES,
)
NUMBERS = st.integers(0, 65535)
RECORDS = st.builds(
    OthelloRecord,
    actions=st.lists(st.integers(0, 63), max_size=60).map(tuple),
    score=st.integers(0, 64),
    best_score=st.integers(0, 64),
    tournament=NUMBERS,
    dark=NUMBERS,
    light=NUMBERS,
)


@settings(max_examples=60, deadline=None)
@given(HEADERS, st.lists(RECORDS, max_size=4))
def test_what_is_written_is_read_again(header, games):
    assert wthor.parse(wthor.encode(WthorFile(header, tuple(games))), "a file") == (header, games)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (WthorFile(Header(depth=256), ()), "the header cannot be written"),
        (WthorFile(Header(), (WON, OthelloRecord(dark=65536))), "game 2 cannot be written"),
    ],
)
def test_number_without_room_is_refused(file, words):
    with pytest.raises(RecordError, match=words):
        wthor.encode(file)


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: OthelloRecord((19, 64)), "ply 2: action 64 is not on the board"),
        (lambda: OthelloRecord((19,) * 61), "a game has at most 60 plies, not 61"),
        (lambda: OthelloRecord(score=65), "the score must be from 0 to 64, not 65"),
        (lambda: OthelloRecord(best_score=-1), "the best score must be from 0 to 64, not -1"),
        (lambda: Header(size=10), "the board is 10×10, and only 8×8 can be read"),
    ],
)
def test_impossible_record_is_refused(construct, words):
    with pytest.raises(RecordError, match=words):
        construct()


# ---------------------------------------------------------------- what is wrong
TWO = encoded(WON, WON)
ERRORS = [
    (changed(TWO, move_at(2, 3), 99), "game 2, ply 3: 99 is not a square from 11 to 88"),
    (changed(TWO, move_at(2, 3), 10), "game 2, ply 3: 10 is not a square from 11 to 88"),
    (changed(TWO, move_at(2, 3), 89), "game 2, ply 3: 89 is not a square from 11 to 88"),
    (changed(TWO, move_at(1, 4), 0), "game 1, ply 4: there is no move, but 5 more after it"),
    (changed(TWO, move_at(1, 2), 11), "game 1, ply 2: light turns no disc over from a1"),
    (changed(TWO, move_at(1, 1), 44), "game 1, ply 1: there is a disc on d4"),
    (changed(TWO, move_at(1, 10), 11, 11), "game 1, ply 10: the game was over after ply 9 (dark)"),
    (changed(TWO, move_at(2, 0) - 1, 63), "game 2: the score of dark is 64, not 63"),
    (changed(TWO, move_at(2, 0) - 1, 65), "game 2: the score must be from 0 to 64, not 65"),
]


@pytest.mark.parametrize(("content", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_error_names_file_game_ply_and_reason(file, content, message):
    path = file(content)
    checked = check(path)
    assert [str(error) for error in checked.errors] == [f"{path}, {message}"]
    assert checked.endings == {"dark": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TWO[:-1], "2 games take 152 bytes, and there are 151"),
        (TWO + b"\0", "2 games take 152 bytes, and there are 153"),
        (TWO[:15], "a header has 16 bytes, and there are 15"),
        (b"", "a header has 16 bytes, and there are 0"),
        (changed(TWO, 12, 10), "the board is 10×10, and only 8×8 can be read"),
    ],
)
def test_file_that_is_not_whole_or_of_another_board_is_refused(file, content, message):
    path = file(content)
    with pytest.raises(RecordError) as caught:
        check(path)
    assert str(caught.value) == f"{path}: {message}"
    with pytest.raises(RecordError):
        wthor.read(path)


def test_reading_stops_at_the_first_error_that_can_be_seen_without_rules(file):
    path = file(changed(changed(TWO, move_at(1, 2), 11), move_at(2, 5), 90))
    with pytest.raises(RecordError) as caught:
        wthor.read(path)
    assert (caught.value.place.game, caught.value.ply) == (2, 5)


# ---------------------------------------------------------------- endings and scores
def test_game_broken_off_is_unfinished_whatever_its_score():
    short = OthelloRecord(WON.actions[:8], score=1)
    won, broken_off, empty = replay.replay([WON, short, OthelloRecord()])
    assert won == ("dark", None)
    assert broken_off == empty == ("unfinished", None)


@pytest.mark.parametrize(
    ("dark", "light", "score"), [(33, 31, 33), (40, 20, 44), (20, 40, 20), (13, 0, 64), (0, 13, 0), (30, 30, 32)]
)
def test_empty_squares_go_to_the_winner(dark, light, score):
    assert replay.final_score(dark, light) == score


def test_more_games_than_a_batch_are_replayed():
    games = [WON] * replay.BATCH + [OthelloRecord(WON.actions, score=32)]
    errors = [error for _, error in replay.replay(games)]
    assert np.flatnonzero(errors).tolist() == [replay.BATCH]


# ---------------------------------------------------------------- the command
def test_check_prints_counts_errors_and_their_exit_code(file, capsys):
    good, bad = file(TWO, "good.wtb"), file(ERRORS[0][0], "bad.WTB")
    assert main(["check", str(good)]) == 0
    assert main(["check", str(bad), str(good)]) == 1
    out, err = capsys.readouterr()
    whole = f"{good}: 2 games: 2 dark, 0 light, 0 draw, 0 unfinished; 0 errors"
    assert out.splitlines() == [whole, f"{bad}: 2 games: 1 dark, 0 light, 0 draw, 0 unfinished; 1 errors", whole]
    assert err == f"{bad}, {ERRORS[0][1]}\n"
