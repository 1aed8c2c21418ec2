"""The Go Text Protocol: sessions as text, and a match against GRhino (Debian's package grhino) if it is installed."""

import io
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from oracles import othello as oracle

from jaxgames import Gomoku, Pente
from jaxgames.games.othello.positional import weights
from jaxgames.games.othello.squares import parse_square, square_name
from jaxgames.players import Better
from neuroevo.app import champions
from neuroevo.runtime.settings import ConfigError, RunConfig
from neuroevo.serve import Choice, Engine, choose, serve
from neuroevo.serve.__main__ import main

SKIP = ["d3", "c3", "f5", "d2", "d1", "e1", "b2", "c1"]  # then black cannot move
WIPE_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
COLOURS = "black", "white"
GRHINO = shutil.which("gtp-rhino", path="/usr/games:/usr/bin:/usr/local/bin")


def random_engine(game="othello", seed=3):
    return Engine(choose("random", game), seed)


def session(engine, text):
    """The answers, one a command."""
    out = io.StringIO()
    serve(engine, io.StringIO(text), out)
    assert out.getvalue().endswith("\n\n")
    return out.getvalue().split("\n\n")[:-1]


def play(engine, moves, first=0):
    for ply, move in enumerate(moves, first):
        assert engine.respond(f"play {'bw'[ply % 2]} {move}") == "=\n\n"


# ---------------------------------------------------------------- sessions
SESSION = """
# a comment alone is not answered
1 protocol_version
name\t# the answer does not repeat this
known_command genmove
known_command fly
7 boardsize 8
clear_board
komi 0.5
time_settings 0 1 1
play black F5
3 play w d6
play b c5
showboard
undo
play b c4
99 quit
name
"""
BOARD = """=
   a b c d e f g h
 1 . . . . . . . .
 2 . . . . . . . .
 3 . . . . . . . .
 4 . . . O X . . .
 5 . . X X X X . .
 6 . . . O . . . .
 7 . . . . . . . .
 8 . . . . . . . .
to move: white"""


def test_a_session_as_text():
    answers = ["=1 2", "= neuroevo", "= true", "= false", "=7", "=", "=", "=", "=", "=3", "=", BOARD, "=", "=", "=99"]
    assert session(random_engine(), SESSION) == answers


WRONG = {
    "fly": "unknown command",
    "5": "unknown command",
    "play": "syntax error: play has 2 arguments, not 0",
    "play black": "syntax error: play has 2 arguments, not 1",
    "play green d3": "invalid color or coordinate: 'green' is no color",
    "play b i9": "invalid color or coordinate: 'i9' is not a square from a1 to h8",
    "play b d33": "invalid color or coordinate: 'd33' is not a square from a1 to h8",
    "play b a1": "illegal move: the rules do not allow this move",
    "play b d4": "illegal move: the rules do not allow this move",
    "play w d3": "illegal move: the other side is to move",
    "play b pass": "illegal move: a side passes only when it cannot move",
    "play w pass": "illegal move: a side passes only when it cannot move",
    "genmove w": "illegal move: the other side is to move",
    "genmove": "syntax error: genmove has 1 arguments, not 0",
    "undo": "cannot undo: nothing was played",
    "boardsize 6": "unacceptable size",
    "boardsize many": "syntax error: boardsize not an integer",
    "komi much": "syntax error: komi not a float",
    "final_score": "cannot score: the game is not over",
    "set_game chess": "unsupported game: only Othello is played here",
    "\x00\x07fl\x7fy \ufffd": "unknown command",
}


def test_wrong_input_is_answered_and_nothing_is_lost():
    engine = random_engine()
    for number, (line, error) in enumerate(WRONG.items()):
        expected = f"?{line if line.isdecimal() else number} {error}\n\n"
        assert engine.respond(line if line.isdecimal() else f"{number} {line}\r\n") == expected
    assert [engine.respond(line) for line in ("", "  \t \n", "# play b d3")] == [None] * 3
    play(engine, SKIP)


def test_a_skipped_side_passes_or_does_not():
    answers = {}
    for name, line in {"passes": "play b pass", "generates": "genmove b", "says nothing": "name"}.items():
        engine = random_engine()
        play(engine, SKIP)
        assert engine.respond("play w pass").startswith("? illegal move")
        assert engine.respond("play b d6").startswith("? illegal move: the other side")
        answers[name] = engine.respond(line)
        if name != "says nothing":
            assert engine.respond("genmove b").startswith("? illegal move")
            assert engine.respond("undo") == "=\n\n"  # the pass
            assert engine.respond("play b pass") == "=\n\n"
        play(engine, ["b4"], first=1)
        assert parse_square(engine.respond("genmove b")[2:].strip()) in legal_after([*SKIP, "b4"])
    assert answers == {"passes": "=\n\n", "generates": "= pass\n\n", "says nothing": "= neuroevo\n\n"}


def legal_after(names):
    game = oracle.Othello()
    for name in names:
        game.play(parse_square(name))
    return game.legal()


def test_the_end_of_a_game():
    engine = random_engine()
    play(engine, WIPE_OUT)
    assert engine.respond("final_score") == "= B+64\n\n"
    assert engine.respond("play w d3") == "? illegal move: the game is over\n\n"
    assert [engine.respond(f"genmove {colour}") for colour in "wb"] == ["= pass\n\n"] * 2
    assert engine.respond("play b pass") == "=\n\n"
    for _ in range(3):
        engine.respond("undo")
    assert engine.respond("final_score") == "= B+64\n\n"
    assert engine.respond("undo") == "=\n\n"
    assert engine.respond("final_score").startswith("? cannot score")
    play(engine, ["c5"])
    assert engine.respond("final_score") == "= B+64\n\n"


def test_generated_games_are_legal_and_reproducible():
    def game(engine):
        rules, moves = oracle.Othello(), []
        engine.respond("clear_board")
        while not rules.over:
            answer = engine.respond(f"genmove {'bw'[rules.to_move]}")
            moves.append(answer.removeprefix("= ").strip())
            rules.play(parse_square(moves[-1]))  # raises where it is not legal
        lead = rules.discs()[0] - rules.discs()[1]
        expected = "0" if lead == 0 else f"{'BW'[lead < 0]}+{abs(lead)}"
        assert engine.respond("final_score") == f"= {expected}\n\n"
        return moves

    first, second = random_engine(seed=1), random_engine(seed=2)
    games = [game(first), game(first), game(second)]
    assert len({tuple(moves) for moves in games}) == 3
    assert game(random_engine(seed=1)) == games[0]


def test_undo_restores_what_the_player_remembers():
    """Better goes on with its row; taken back, it goes on from where it was."""
    game = Pente(7)
    engine = Engine(Choice(game, Better(game), "better"), seed=5)
    moves = []
    for _ in range(2):
        moves.append([engine.respond(line) for line in ("genmove b", "genmove w", "genmove b")])
        for _ in moves[-1]:
            engine.respond("undo")
    assert engine.table.now.memories[0].anchor == -1
    assert moves[0] == moves[1]


@pytest.mark.parametrize("name", ["a1", "h1", "f5", "h8"])
def test_squares_have_names(name):
    assert square_name(parse_square(name.upper())) == name


@pytest.mark.parametrize("name", ["", "a", "a9", "i1", "a0", "11", "aa", "a10", "ª1"])
def test_wrong_names_of_squares_are_refused(name):
    with pytest.raises(ValueError, match="not a square from a1 to h8"):
        parse_square(name)


# ---------------------------------------------------------------- who plays
def test_a_champion_plays(tmp_path):
    run = RunConfig(
        "x",
        game={"kind": "gomoku", "rows": 5, "columns": 5},
        network={"kind": "mdrnn", "hidden": 2},
        task={"kind": "versus_opponent"},
    )
    champions.save(tmp_path / "champion", np.ones((2, 12), np.float32), 1, run)
    choice = choose(str(tmp_path))
    assert choice.game == Gomoku(5, 5)
    engine = Engine(choice)
    assert engine.respond("genmove b")[2] in "ABCDE"
    assert engine.respond("boardsize 5") == "=\n\n"
    assert engine.respond("play b c3") == "=\n\n"
    assert "X" in engine.respond("showboard").splitlines()[4]  # C3 lies in the middle
    assert engine.respond("play w pass").startswith("? illegal move")
    with pytest.raises(ConfigError, match="plays Gomoku 5×5, 5 in a row, not othello"):
        choose(str(tmp_path), "othello")


def test_a_search_plays_the_move_after_which_its_discs_are_worth_most():
    engine, rules, generator = Engine(choose("positional-1")), oracle.Othello(), np.random.default_rng(0)
    for _ in range(20):
        action = int(generator.choice(sorted(rules.legal())))
        assert engine.respond(f"play {COLOURS[rules.to_move]} {square_name(action)}") == "=\n\n"
        rules.play(action)
    seat, table, worth = rules.to_move, weights("classic"), {}
    for action in rules.legal():
        after = rules.copy()
        after.play(action)
        worth[action] = sum(table[s] for s in after.squares(seat)) - sum(table[s] for s in after.squares(1 - seat))
    answer = engine.respond(f"genmove {COLOURS[seat]}").removeprefix("=").strip()
    assert worth[parse_square(answer)] == max(worth.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "nobody is neither a run with a champion nor one of naive, random"),
        (["pubeval", "othello"], "pubeval plays Backgammon, not Othello"),
        (["random", "chess"], "game must be one of atari_go, gomoku, pente, othello"),
        (["better", "atari_go"], "Better plays Gomoku and Pente"),
        (["bill-2", "pente"], "bill-2 plays Othello, not Pente 19×19"),
    ],
)
def test_wrong_choices_are_named(arguments, message):
    with pytest.raises(ConfigError, match=message):
        choose(*arguments)


@pytest.mark.parametrize("player", ["naive", "heuristic", "search-1"])
def test_players_of_boards_play_othello(player):
    engine = Engine(choose(player, "othello"))
    assert engine.respond("genmove black")[2:].strip() in {"d3", "c4", "f5", "e6"}


def test_the_command_line_plays(tmp_path, capsys):
    assert main(["gtp", "--player", str(tmp_path)]) == 1
    assert "neither a run" in capsys.readouterr().err
    command = [sys.executable, "-m", "neuroevo.serve", "gtp", "--player", "random", "--game", "othello"]
    given = "1 genmove black\nbytes \xff\n2 quit\nname\n".encode("latin-1")
    done = subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=True)
    first, second, third, rest = done.stdout.decode().split("\n\n")
    assert first in [f"=1 {name}" for name in ("d3", "c4", "f5", "e6")]
    assert (second, third, rest) == ("? unknown command", "=2", "")


# ---------------------------------------------------------------- against another program
class Program:
    """Another program that speaks GTP."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def respond(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            answer += self.process.stdout.readline()
        return answer

    def close(self):
        self.respond("quit")
        assert self.process.wait(timeout=10) == 0


def match(players):
    """Plays one game by GTP, with passes; returns the lead of black by the rules. players: of black and white."""
    rules = oracle.Othello()
    for player in players:
        assert player.respond("clear_board").startswith("=")
    while not rules.over:
        seat = rules.to_move
        answer = players[seat].respond(f"genmove {COLOURS[seat]}")
        move = answer.removeprefix("=").strip().lower()
        rules.play(parse_square(move))  # raises where it is not legal
        assert players[1 - seat].respond(f"play {COLOURS[seat]} {move}").startswith("="), move
        if rules.skipped and not rules.over:
            skipped = COLOURS[1 - seat]
            assert players[1 - seat].respond(f"genmove {skipped}").strip().lower().endswith("pass")
            players[seat].respond(f"play {skipped} pass")  # GRhino calls it a syntax error, and goes on
    black, white = rules.discs()
    return (black > white) * (64 - 2 * white) - (white > black) * (64 - 2 * black)  # empty squares are the winner's


@pytest.mark.skipif(GRHINO is None, reason="GRHino's gtp-rhino (Debian's package grhino) is not installed")
def test_ten_games_against_grhino():
    ours, other = random_engine(seed=11), Program(GRHINO)
    other.respond("time_settings 0 1 1")
    leads = []
    for number in range(10):
        players = (ours, other) if number % 2 == 0 else (other, ours)
        lead = match(players)
        expected = "0" if lead == 0 else f"{'BW'[lead < 0]}+{abs(lead)}"
        assert [player.respond("final_score").split()[1] for player in players] == [expected] * 2
        leads.append(lead if number % 2 == 0 else -lead)
    other.close()
    assert len(set(leads)) > 1
