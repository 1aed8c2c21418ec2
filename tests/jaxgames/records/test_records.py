"""Records of Pente games: the archive's by the rules, files as they were, and every error by its words."""

import gzip
from dataclasses import replace
from itertools import chain

import pytest
from conftest import shared_data
from oracles import pente

from jaxgames import records
from jaxgames.records import Record, RecordError
from jaxgames.records.__main__ import main
from jaxgames.records.check import check
from jaxgames.records.pente.files import TITLES
from jaxgames.records.pente.record import actions_of

CENTRE = 180
FIVE = "1. K10 A1 2. L10 A2 3. M10 A3 4. N10 A4 5. O10"  # of player 1
TABLE, TEXT = "pente/records.tsv.gz", "pente/sample.pgn"


def game_text(moves, **headers):
    """One game; the result is the last word of the moves."""
    written = {"Game": "Pente", "Rated": "N", "Result": moves.split()[-1], **headers}
    return "\n".join([*(f'[{name} "{value}"]' for name, value in written.items()), "", moves, "", ""])


def row(moves, result="1-0", end="five", **cells):
    """One line of a table."""
    names = [word for word in moves.split() if not word.endswith(".")]
    values = {"gid": "7", "date": "2006-07-04", "rated": "N", "days_per_move": "7", "p1": "p001", "p2": "p002"}
    values |= {"r1": "1600", "r2": "1700", "result": result, "end": end, "plies": str(len(names))}
    return "\t".join({**values, "moves": " ".join(names), **cells}.values()) + "\n"


@pytest.fixture
def file(tmp_path):
    """Writes a file of the given content."""

    def write(content, name="games.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# ---------------------------------------------------------------- the archive
def test_every_record_of_the_archive_ends_as_it_says():
    checked = check(shared_data(TABLE))
    assert checked.errors == []
    assert checked.games == 4863
    assert checked.endings == {"five": 3829, "caps": 562, "both": 3, "unfinished": 469}


def test_games_of_the_archive_in_text_end_as_by_the_oracle():
    games = records.read(shared_data(TEXT))
    replayed = records.replay(games)
    assert len(games) == 200
    assert [error for _, error in replayed if error] == []
    for game, (ending, _) in zip(games, replayed, strict=True):
        assert ending == oracle_ending(game.actions)


def oracle_ending(actions):
    game = pente.Pente()
    for action in actions:
        five = game.completes_five(game.to_move, action)
        game.play(action)
    caps = max(game.captured_counts) >= game.captures_to_win
    if game.winner is not None:
        return "both" if five and caps else "five" if five else "caps"
    return "draw" if game.over else "unfinished"


def test_text_is_written_as_it_was_read(tmp_path):
    source = shared_data(TEXT)
    records.write(tmp_path / "games.pgn", records.read(source))
    assert (tmp_path / "games.pgn").read_bytes() == source.read_bytes()


def test_table_is_written_as_it_was_read(tmp_path):
    source = shared_data(TABLE)
    games = records.read(source)
    for name in ("games.tsv", "games.tsv.gz"):
        records.write(tmp_path / name, games)
        assert records.read(tmp_path / name) == games
    assert (tmp_path / "games.tsv").read_bytes() == gzip.decompress(source.read_bytes())


def test_table_goes_through_text(tmp_path):
    games = records.read(shared_data(TABLE))
    records.write(tmp_path / "games.txt.gz", games)
    assert records.read(tmp_path / "games.txt.gz") == [replace(game, game_id=None, ending=None) for game in games]


# ---------------------------------------------------------------- text
def test_moves_are_wrapped_at_80_characters(file, tmp_path):
    actions = (CENTRE, *range(60))
    records.write(tmp_path / "one.txt", [Record({"Game": "Pente", "Result": "0-1"}, actions, "0-1")])
    text = (tmp_path / "one.txt").read_text()
    lines = text.partition("\n\n")[2].rstrip("\n").split("\n")
    assert all(70 < len(line) <= 80 for line in lines[:-1])
    assert len(lines) > 3
    words = " ".join(lines)
    for other in (text, text.replace("\n1.", "\r\n1."), game_text(words), game_text(words.replace(" ", "\n"))):
        (game,) = records.read(file(other))
        assert (game.actions, game.result) == (actions, "0-1")


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "?"])
def test_every_result_is_read_and_written(file, tmp_path, result):
    text = game_text("1. K10 L10 2. N10 " + result) + game_text(result)
    first, second = records.read(file(text))
    assert (first.result, second.result, len(first.actions), second.actions) == (result, result, 3, ())
    records.write(tmp_path / "again.txt", [first, second])
    assert (tmp_path / "again.txt").read_text() == text


def test_row_1_is_at_the_bottom_and_there_is_no_column_i(file):
    (game,) = records.read(file(game_text("1. K10 A1 2. T19 J2 ?")))
    assert game.actions == (CENTRE, 18 * 19, 18, 17 * 19 + 8)


def test_result_need_not_be_in_the_headers(file):
    (game,) = records.read(file('[Game "Pente"]\n1. K10 ?'))
    assert game == Record({"Game": "Pente"}, (CENTRE,), "?")


# ---------------------------------------------------------------- what is wrong
ERRORS = [
    (game_text("1. K10 K10 ?"), "game 1, ply 2: there is a stone on K10"),
    (game_text("1. K11 K10 ?"), "game 1, ply 1: the first stone must be on the centre, K10, not on K11"),
    (game_text("1. K10 A1 2. M10 ?", Rated="Y"), "game 1, ply 3: M10 is too near to the centre"),
    (game_text(f"{FIVE} A5 1-0"), "game 1, ply 10: the game was over after ply 9 (five)"),
    (game_text(f"{FIVE} A5 6. A5 A5 1-0"), "game 1, ply 10: the game was over after ply 9 (five)"),
    (game_text(f"{FIVE} 0-1"), "game 1: the game ends 1-0, not 0-1"),
    (game_text(f"{FIVE} 1/2-1/2"), "game 1: the game ends 1-0, not 1/2-1/2"),
    (game_text("1. K10 I10 ?"), "game 1, ply 2: 'I10' is not a point from A1 to T19"),
    (game_text("1. K10 A20 ?"), "game 1, ply 2: 'A20' is not a point from A1 to T19"),
    (game_text("1. K10 L10 3. M10 ?"), "game 1, ply 3: there must be 2. in place of 3."),
    (game_text("1. K10 2. L10 ?"), "game 1, ply 2: there must be L10 in place of 2."),
    (game_text("1. K10 L10 2. ?"), "game 1, ply 3: there must be nothing in place of 2."),
    (game_text("1. K10 L10"), "game 1: the result must be one of 1-0, 0-1, 1/2-1/2, ?, not 'L10'"),
    (game_text("1. K10 1-0", Result="0-1"), "game 1: the result is 0-1 in the headers and 1-0 elsewhere"),
    ('[Game "Pente"]\n\n[Game "Pente"]\n\n?', "game 1: the result must be one of"),
    ('[Game "Pente"]\n[Game "Pente"]\n\n?', "game 1: two headers are called Game"),
    ('[Game "Pente"]\n[Pente]\n\n?', 'game 1: a header must look like [Name "value"], not [Pente]'),
    (game_text("1. K10 ?", Game="Keryo-Pente"), "game 1: only Pente can be replayed, not Keryo-Pente"),
    (game_text("1. K10 ?") + game_text("1. K10 K10 ?"), "game 2, ply 2: there is a stone on K10"),
    (f"{TITLES}\n{row(FIVE, end='caps')}", "game 1 (7): the ending is five, not caps"),
    (f"{TITLES}\n{row(FIVE, end='six')}", "game 1 (7): the ending must be one of five, caps, both, draw, unfinished"),
    (f"{TITLES}\n{row(FIVE)}{row(FIVE, '0-1', gid='8')}", "game 2 (8): the game ends 1-0, not 0-1"),
    (f"{TITLES}\n{row(FIVE, plies='10')}", "game 1 (7): there are 9 moves, and plies says '10'"),
    (f"{TITLES}\n{row(FIVE, date='7/4/06')}", "game 1 (7): '7/4/06' is not a date of the form %Y-%m-%d"),
    (f"{TITLES}\n{row(FIVE, '2-0')}", "game 1 (7): the result must be one of"),
    (f"{TITLES}\n{row('K10 K10', end='unfinished')}", "game 1 (7), ply 2: there is a stone on K10"),
    (f"{TITLES}\n7\t8\n", "game 1 (7): there must be 12 columns, not 2"),
]


@pytest.mark.parametrize(("content", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_error_names_file_game_ply_and_reason(file, content, message):
    path = file(content)
    checked = check(path)
    (error,) = checked.errors
    assert str(error).startswith(f"{path}, {message}")
    assert checked.endings.total() == checked.games - 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "neither a game of pente.org nor a table"),
        (b"1. K10 ?", "neither a game of pente.org nor a table"),
        (b"\x1f\x8bnothing", "cannot be unpacked"),
        (b'[Game "\xff"]', "not UTF-8"),
    ],
)
def test_file_of_another_kind_is_refused(file, content, message):
    with pytest.raises(RecordError, match=message):
        records.read(file(content))


def test_reading_stops_at_the_first_error_that_can_be_seen_without_rules(file):
    with pytest.raises(RecordError) as caught:
        records.read(file(game_text("1. K10 K10 ?") + game_text("1. K10 L10 2. Z9 ?")))
    error = caught.value
    assert (error.place.game, error.place.game_id, error.ply) == (2, None, 3)
    assert error.place.file.endswith("games.txt")


@pytest.mark.parametrize(
    "record",
    [
        Record(),
        Record({"Game [old]": "Pente"}),
        Record({"Event": "two\nlines"}),
    ],
)
def test_text_that_could_not_be_read_again_is_not_written(tmp_path, record):
    with pytest.raises(RecordError, match="header"):
        records.write(tmp_path / "games.txt", [record])


@pytest.mark.parametrize("headers", [{"Game": "Keryo-Pente"}, {"Date": "yesterday"}, {"Player 1 Name": "a\tb"}])
def test_table_that_could_not_be_read_again_is_not_written(tmp_path, headers):
    with pytest.raises(RecordError, match=r"table|date"):
        records.write(tmp_path / "games.tsv", [Record(headers)])


def test_action_beyond_the_board_is_refused():
    with pytest.raises(RecordError, match="ply 2: action 361 is not on the board"):
        Record(actions=(CENTRE, 361))


# ---------------------------------------------------------------- endings
def drawn_game():
    """Fills the board so that no five and no captured pair come about, in whatever order: only the points matter."""
    seats = [[], []]
    for row in range(19):
        for column in range(19):
            seats["XO".index("XXXOXOOOXO"[(5 * row + column) % 10])].append(row * 19 + column)
    first, second = seats
    first.remove(CENTRE)
    return (CENTRE, *chain(*zip(second, first, strict=True)))


def test_fifth_pair_ends_the_game():
    names = ["K10", "L10", "A1", "M10", "N10"]  # player 1 captures L10 and M10, then the same in other rows
    names += [f"{column}{row}" for row in (1, 3, 5, 7) for column in "LKMN"]
    actions = actions_of(names)
    won, longer, shorter = records.replay(
        [Record({}, actions, "1-0"), Record({}, (*actions, 0), "1-0"), Record({}, actions[:-1])]
    )
    assert won == ("caps", None)
    assert str(longer.error) == "ply 22: the game was over after ply 21 (caps)"
    assert shorter == ("unfinished", None)


def test_full_board_is_a_draw():
    actions = drawn_game()
    drawn, wrong, longer = records.replay(
        [Record({}, actions, "1/2-1/2", "draw"), Record({}, actions, "1-0"), Record({}, (*actions, *actions), "?")]
    )
    assert drawn == ("draw", None)
    assert str(wrong.error) == "the game ends 1/2-1/2, not 1-0"
    assert str(longer.error) == "ply 362: the game was over after ply 361 (draw)"


def test_unknown_result_fits_every_ending(file):
    checked = check(file(game_text(f"{FIVE} ?") + game_text("1. K10 ?") + game_text("1. K10 L10 1-0")))
    assert checked.errors == []
    assert checked.endings == {"five": 1, "unfinished": 2}


def test_second_stone_beside_the_centre_is_allowed_in_games_that_are_not_rated(file):
    assert check(file(game_text("1. K10 A1 2. L10 ?"))).errors == []


# ---------------------------------------------------------------- the command
def test_check_prints_counts_and_returns_0(file, capsys):
    path = file(game_text(f"{FIVE} 1-0") + game_text("1. K10 0-1"))
    other = file(gzip.compress(f"{TITLES}\n{row(FIVE)}".encode()), "table")
    assert main(["check", str(path), str(other)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{path}: 2 games: 1 five, 0 caps, 0 both, 0 draw, 1 unfinished; 0 errors",
        f"{other}: 1 games: 1 five, 0 caps, 0 both, 0 draw, 0 unfinished; 0 errors",
    ]
    assert err == ""


def test_check_prints_errors_and_returns_1(file, tmp_path, capsys):
    path = file(game_text("1. K10 K10 ?") + game_text("1. K10 ?") + game_text("K10 ?"))
    other, missing = file("nothing", "other"), tmp_path / "missing"
    assert main(["check", str(other), str(missing), str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{path}: 3 games: 0 five, 0 caps, 0 both, 0 draw, 1 unfinished; 2 errors\n"
    assert [line.partition(": ")[0] for line in err.splitlines()] == [
        str(other),
        str(missing),
        f"{path}, game 1, ply 2",
        f"{path}, game 3, ply 1",
    ]


def test_unknown_command_returns_2(capsys):
    with pytest.raises(SystemExit) as left:
        main(["czech", "games.txt"])
    assert left.value.code == 2
