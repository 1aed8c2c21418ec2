"""Records spoilt at random: what is read without an error says just what the file says, and ends as by the oracle."""

import random
import struct

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backgammon_positions import FEW
from mutation import LEAN, THOROUGH, Clock, one_line, spoilt, write_down
from oracles import backgammon, othello, pente

from jaxgames import AtariGo, Gomoku, Othello, Pente
from jaxgames.games.backgammon.board import board_of, sides_of
from jaxgames.records import RecordError, parse, playthrough, replay
from jaxgames.records.backgammon import fibs_board
from jaxgames.records.backgammon.fibs_board import FibsBoard
from jaxgames.records.backgammon.position_id import board_from_id, position_id
from jaxgames.records.othello import replay as othello_replay
from jaxgames.records.othello import wthor
from jaxgames.records.othello.wthor import OthelloRecord, WthorFile
from jaxgames.records.pente import table, text
from jaxgames.records.pente.record import Record
from jaxgames.render import game_text

BOARD = Pente()


# ---------------------------------------------------------------- Pente
def pente_games(draw, number):
    """Games near the centre, most of them over; their results as by the oracle."""
    games = []
    for index in range(number):
        game = pente.Pente()
        points = [row * 19 + column for row in range(6, 13) for column in range(6, 13)]
        actions = [180]
        game.play(180)
        while not game.over and len(actions) < 45 - 5 * (index % 3):
            actions.append(draw.choice([point for point in points if game.allowed(point) and point in game.legal()]))
            game.play(actions[-1])
        result = "?" if not game.over else ("1-0", "0-1")[game.winner] if game.winner is not None else "1/2-1/2"
        headers = {"Game": "Pente", "Player 1 Name": "a b", "Date": "07/04/2006", "Rated": "N", "Result": result}
        games.append(Record(headers, tuple(actions), result, None, str(index)))
    return games


def first_fault(record):
    """(ending, the first ply that is illegal or None) by the oracle."""
    rule = "5x5" if record.headers.get("Rated") == "Y" else "none"
    game, ending = pente.Pente(tournament_rule=rule), "unfinished"
    for ply, action in enumerate(record.actions, 1):
        if game.over or action not in game.legal():
            return ending, ply
        five = game.completes_five(game.to_move, action)
        game.play(action)
        caps = max(game.captured_counts) >= game.captures_to_win
        if game.winner is not None:
            ending = "both" if five and caps else "five" if five else "caps"
        elif game.over:
            ending = "draw"
    return ending, None


def lossless(content, games):
    """Whether a file without errors says what its records say, whatever its spaces."""
    decoded = content.decode()
    if decoded.startswith("gid\t"):
        lines = [line.rstrip("\r") for line in decoded.removesuffix("\n").split("\n")[1:]]
        for line, record in zip(lines, games, strict=True):
            written, cells = table.write(record).rstrip("\n").split("\t"), line.split("\t")
            cells[1] = written[1]  # a date may lack its zeros
            assert [cell.split() for cell in written] == [cell.split() for cell in cells]
    else:
        assert "".join("".join(map(text.write, games)).split()) == "".join(decoded.split())


def read_pente(content, kept):
    try:
        games = list(parse(content, "a file"))
    except RecordError as error:
        one_line(error)
        return "refused files"
    errors = [game for game in games if isinstance(game, RecordError)]
    assert all(str(error).isprintable() and len(str(error)) < 1200 for error in errors)
    good = [game for game in games if isinstance(game, Record)]
    kept += good
    if errors:
        return "files with a wrong game"
    lossless(content, good)
    return "read files"


def fuzz_pente(number, seed):
    draw = random.Random(seed)
    bases = [pente_games(draw, 2) for _ in range(20)]
    files = ["".join(map(text.write, games)) for games in bases]
    files += ["\t".join(table.COLUMNS) + "\n" + "".join(map(table.write, games)) for games in bases]
    words = [b"K10", b"L10 A1", b"1.", b'[Result "1-0"]', b"1-0", b"five", b"2006-07-04", b"Y", b"5"]
    clock, kept = Clock(), []
    for _ in range(number):
        clock.run(read_pente, spoilt(draw, draw.choice(files).encode(), words), kept)
    sample = draw.sample(kept, min(len(kept), number // 2))
    for record, (ending, error) in zip(sample, replay(sample), strict=True):
        expected, ply = first_fault(record)
        if record.headers.get("Game", "Pente") != "Pente":
            assert "only Pente" in str(error)
        elif ply is not None:
            assert error.ply == ply, record
        else:
            assert ending == expected, record
            assert error is None or "result" in str(error) or "ends" in str(error) or "ending" in str(error)
            clock.counts["games as by the oracle"] += 1
    return clock.counts


# ---------------------------------------------------------------- Othello
def othello_games(draw, number):
    games = []
    for _ in range(number):
        game, actions = othello.Othello(), []
        while not game.over:
            actions.append(draw.choice(sorted(game.legal())))
            game.play(actions[-1])
        games.append(OthelloRecord(tuple(actions), othello_replay.final_score(*game.discs())))
    return games


def read_wthor(content, kept):
    try:
        header, games = wthor.parse(content, "a file")
    except RecordError as error:
        one_line(error)
        return "refused files"
    errors = [game for game in games if isinstance(game, RecordError)]
    kept += [game for game in games if isinstance(game, OthelloRecord)]
    if errors:
        return "files with a wrong game"
    assert wthor.encode(WthorFile(header, tuple(games))) == content
    return "read files"


def spoilt_wthor(draw, content):
    """Most faults leave the length as it is, or mend the number of games."""
    kind = draw.random()
    if kind < 0.2:
        return spoilt(draw, content)
    changed = bytearray(content)
    for _ in range(draw.choice([1, 1, 2, 4])):
        changed[draw.randrange(len(changed))] = draw.choice([0, draw.randrange(256), draw.choice([11, 34, 56, 88])])
    if kind < 0.4:
        changed = changed[: 16 + 68 * draw.randrange(3)]
        changed[4:8] = struct.pack("<I", (len(changed) - 16) // 68)
    return bytes(changed)


def fuzz_wthor(number, seed):
    draw = random.Random(seed)
    files = [wthor.encode(WthorFile(wthor.Header(), tuple(othello_games(draw, 2)))) for _ in range(10)]
    clock, kept = Clock(), []
    for _ in range(number):
        clock.run(read_wthor, spoilt_wthor(draw, draw.choice(files)), kept)
    sample = draw.sample(kept, min(len(kept), number // 8))
    for record, (_, error) in zip(sample, othello_replay.replay(sample), strict=True):
        game, ply = othello.Othello(), None
        for place, action in enumerate(record.actions, 1):
            if game.over or action not in game.legal():
                ply = place
                break
            game.play(action)
        assert (error.ply if error else None) == ply, record
        if ply is None and game.over:
            assert (error is None) == (record.score == othello_replay.final_score(*game.discs())), record
            clock.counts["games as by the oracle"] += 1
    return clock.counts


# ---------------------------------------------------------------- runs' own games
PLAYED = [Gomoku(3, 3, 3), Gomoku(5, 4, 3, num_seats=3), AtariGo(3), Pente(5, num_seats=3), Othello()]


def kept_games(draw, game, number):
    play, legal, over = jax.jit(game.play), jax.jit(game.legal), jax.jit(game.terminal)
    blocks = []
    for _ in range(number):
        state, actions = game.start(), []
        while not over(state) and len(actions) < 30:
            actions.append(int(draw.choice(np.flatnonzero(legal(state)).tolist())))
            state = play(state, jnp.int32(actions[-1]))
        title = playthrough.title_of(game)
        blocks.append(f"{title}: us (seat 0) – them (seat 1)\n{game_text(game, actions)}\n")
    return "\n".join(blocks).encode()


def read_playthrough(content, counts):
    try:
        games = playthrough.parse(content, "a file")
    except RecordError as error:
        one_line(error)
        return "refused files"
    good = [game for game in games if not isinstance(game, RecordError)]
    lines = [line.split() for line in content.decode().replace("\r\n", "\n").split("\n") if " plies" in line]
    for game, (_, error) in zip(good, playthrough.replay(good), strict=True):
        if error is None:
            assert game_text(game.game, game.actions).split() in lines
            counts["games read without an error"] += 1
    assert all(str(error).isprintable() for error in games if isinstance(error, RecordError))
    return "read files" if len(good) == len(games) else "files with a wrong game"


def fuzz_playthroughs(number, seed):
    draw = random.Random(seed)
    files = [kept_games(draw, game, 2) for game in PLAYED for _ in range(3)]
    clock = Clock()
    for file in files:  # compiled before
        assert read_playthrough(file, clock.counts) == "read files"
    clock.counts.clear()
    words = [b"A1", b"C3", b"pass", b"1.", b"2.", b"seat 1 wins", b"draw", b"unfinished", b"3", b"d3"]
    for _ in range(number):
        clock.run(read_playthrough, spoilt(draw, draw.choice(files), words), clock.counts)
    return clock.counts


# ---------------------------------------------------------------- backgammon


def read_fibs(line):
    try:
        board = fibs_board.parse(line)
    except RecordError as error:
        one_line(error)
        return "refused"
    again = fibs_board.line(board)
    assert fibs_board.parse(again) == board
    before, after = line.strip().split(":"), again.split(":")
    assert before[:3] == after[:3]
    derived = {43, 44, 47, 48}
    for index in set(range(3, 53)) - derived:
        if index in (6, 31) and int(after[index]) == 0:  # checkers off, said twice
            assert abs(int(before[index])) in (0, int(after[45]), int(after[46])), line
            continue
        assert int(before[index]) == int(after[index]), (index, line)
    assert sum(board.own) == sum(board.other) == 15
    try:
        state = board.state()
    except RecordError:
        return "read, the game over"
    expected = (board.own, board.other) if board.turn == board.sign else (board.other, board.own)
    assert sides_of(state.board) == expected
    return "read"


def fibs_lines(number):
    draw, lines = random.Random(7), []
    for position, high, low in backgammon.positions(0, FEW)[:number]:
        sign, direction, turn = (draw.choice([-1, 1]) for _ in range(3))
        lines.append(fibs_board.line(FibsBoard(*position, turn=turn, dice=(low, high), sign=sign, direction=direction)))
    return lines


def fuzz_fibs(number, seed):
    draw, clock, lines = random.Random(seed), Clock(), fibs_lines(60)
    words = [b"1", b"-1", b"2", b"-2", b"0", b"6", b"25", b"15", b"+1"]
    for _ in range(number):
        clock.run(read_fibs, spoilt(draw, draw.choice(lines).encode(), words).decode("utf-8", "surrogateescape"))
    return clock.counts


def read_id(text):
    try:
        board = board_from_id(text)
    except RecordError as error:
        one_line(error)
        return "refused"
    own, other = sides_of(board)
    assert position_id(board) == text
    assert sum(own) == sum(other) == 15
    assert not any(own[point] and other[25 - point] for point in range(1, 25))
    return "read"


def fuzz_ids(number, seed):
    draw, clock = random.Random(seed), Clock()
    texts = [position_id(board_of(*position)) for position, _, _ in backgammon.positions(0, FEW)[:60]]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
    for _ in range(number):
        text = draw.choice(texts)
        if draw.random() < 0.7:
            for _ in range(draw.choice([1, 2])):
                place = draw.randrange(14)
                text = text[:place] + draw.choice(letters) + text[place + 1 :]
        else:
            text = spoilt(draw, text.encode()).decode("utf-8", "surrogateescape")
        clock.run(read_id, text)
    return clock.counts


FUZZERS = {
    "records of Pente": fuzz_pente,
    "files of WTHOR": fuzz_wthor,
    "games of runs": fuzz_playthroughs,
    "FIBS boards": fuzz_fibs,
    "position IDs": fuzz_ids,
}


@pytest.mark.parametrize("kind", FUZZERS)
def test_spoilt_records_are_read_truly_or_refused(kind):
    counts = FUZZERS[kind](LEAN, 1)
    assert counts["inputs"] == LEAN


@pytest.mark.thorough
@pytest.mark.parametrize("kind", FUZZERS)
def test_many_spoilt_records_are_read_truly_or_refused(kind):
    write_down(kind, FUZZERS[kind](THOROUGH, 2))
