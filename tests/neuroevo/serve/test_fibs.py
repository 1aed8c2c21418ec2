"""Backgammon over a socket: answers to board lines, and a match against GNU Backgammon (Debian: gnubg) if it is
there."""

import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from backgammon_positions import FEW, side
from oracles import backgammon as oracle

from jaxgames import devices
from jaxgames.players import pubeval_player
from jaxgames.records.backgammon.fibs_board import FibsBoard, line
from neuroevo.runtime.settings import ConfigError
from neuroevo.serve import fibs
from neuroevo.serve.__main__ import main
from neuroevo.serve.connections import Limits, LineServer

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
START = FibsBoard(oracle.START, oracle.START)
MATCH = """
set rng mersenne
set seed 1
set player 0 external localhost:{port}
set player 1 gnubg
set player 1 chequerplay evaluation plies 0
set player 1 chequerplay evaluation noise 0.5
set automatic game on
set automatic roll on
set automatic bearoff on
set display off
set cube use off
new match 7
quit
y
"""


@pytest.fixture(scope="module")
def responder():
    return fibs.Responder(fibs.choose_player("pubeval"))


def asked(responder, own, other, dice):
    return responder.respond(line(FibsBoard(own, other, dice=dice)))


def test_known_answers(responder):
    assert asked(responder, oracle.START, oracle.START, (3, 1)) == "8/5 6/5"
    assert asked(responder, side(bar=1, p6=14), oracle.START, (5, 5)) == "bar/20 20/15 15/10 10/5"
    assert asked(responder, side(p6=1, p1=1), side(p1=15), (6, 5)) == "6/off 1/off"
    assert responder.respond(line(START)) == "roll"
    assert responder.respond(line(FibsBoard(oracle.START, oracle.START, was_doubled=1))) == "take"
    assert asked(responder, side(bar=1, p6=14), side(p1=2, p2=2, p3=2, p4=2, p5=2, p6=5), (6, 1)) == ""  # cannot move
    assert responder.respond("version").startswith("error: a board line begins with 'board:'")


def test_answers_lead_to_the_plays_of_the_rules(responder):
    for position, high, low in oracle.positions(0, FEW)[:40]:
        answer = asked(responder, *position, (low, high))
        after = position
        for move in answer.split():
            source, target = ({"bar": 25, "off": 0}[word] if word in ("bar", "off") else int(word)
                              for word in move.split("/"))  # fmt: skip
            dice = [die for die in (high, low) if source - target == die or (target == 0 and source <= die)]
            after = next(found for die in dice if (found := oracle.one_man(after, source, die)) is not None)
        assert after in oracle.plays(position, high, low)


def test_an_impossible_play_is_an_error():
    with pytest.raises(ValueError, match="no play by 6 and 5"):
        fibs.path((oracle.START, oracle.START), (side(p1=15), oracle.START), (6, 5))


def test_unknown_players_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(devices, "set_up", lambda: None)  # it was
    with pytest.raises(ConfigError, match="neither a run with a champion nor one of pubeval, random"):
        fibs.choose_player(str(tmp_path))
    assert main(["fibs", "--player", "nobody"]) == 1
    assert "nobody is neither" in capsys.readouterr().err


class Kept(fibs.Responder):
    """Keeps lines and answers."""

    def __init__(self, answered):
        super().__init__(pubeval_player())
        self.answered = answered

    def respond(self, text):
        self.answered.append((text, fibs.Responder.respond(self, text)))
        return self.answered[-1][1]


@contextmanager
def serving(new_responder, connections, **limits):
    """The port of a server in a thread, which must be done within a minute after the block."""
    with socket.create_server((fibs.HOST, 0)) as listener:
        server = LineServer(listener, new_responder, Limits(**limits))
        thread = threading.Thread(target=server.serve, args=(connections,), daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(60)
        assert not thread.is_alive()


@contextmanager
def client(port):
    with socket.create_connection((fibs.HOST, port), timeout=60) as connection, connection.makefile("rb") as answers:
        yield connection, answers


def echo():
    return lambda text: f"<{text}>"


def test_lines_are_answered_one_by_one():
    answered = []
    with serving(lambda: Kept(answered).respond, 1) as port, client(port) as (connection, answers):
        connection.sendall((line(START) + "\r\n" + line(START)[:20]).encode())
        assert answers.readline() == b"roll\n"
        connection.sendall((line(START)[20:] + "\n").encode())
        assert answers.readline() == b"roll\n"
        connection.sendall(b"board:without an end")
        connection.shutdown(socket.SHUT_WR)
        assert answers.readline() == b""
    assert len(answered) == 2


def test_a_silent_client_blocks_nobody():
    with serving(echo, 3) as port, client(port), client(port) as (half, _):
        half.sendall(b"a line without an")
        with client(port) as (connection, answers):
            connection.sendall(b"one\ntwo\nthree\n")
            assert [answers.readline() for _ in range(3)] == [b"<one>\n", b"<two>\n", b"<three>\n"]


def test_a_client_that_reads_nothing_blocks_nobody():
    with serving(lambda: lambda text: text * 1000, 2, idle=2.0) as port, client(port) as (deaf, _):
        deaf.setblocking(False)
        with suppress(BlockingIOError):  # neither side takes more
            for _ in range(100_000):
                deaf.send(b"x" * 1000 + b"\n")
        with client(port) as (connection, answers):
            connection.sendall(b"one\n")
            assert answers.readline() == b"one" * 1000 + b"\n"


def test_more_clients_than_the_limit_are_told_so():
    with serving(echo, 3, clients=2) as port:
        with client(port), client(port) as (second, answers):
            second.sendall(b"in\n")
            assert answers.readline() == b"<in>\n"
            for _ in range(130):
                with client(port) as (_, refusal):
                    assert refusal.read() == b"error: 2 clients are served already, and no more at once\n"
        time.sleep(0.2)
        with client(port) as (third, answers):  # there is room again
            third.sendall(b"back\n")
            assert answers.readline() == b"<back>\n"


@pytest.mark.parametrize("sent", [b"", b"no end", b"one\n"])
def test_an_idle_client_is_sent_away(sent):
    with serving(echo, 1, idle=0.3) as port, client(port) as (connection, answers):
        connection.sendall(sent)
        said = answers.read().splitlines()
        assert said[-1] == b"error: there was no line for 0.3 seconds"
        assert said[:-1] == [b"<one>"] * (sent == b"one\n")


def test_a_line_that_is_too_long_ends_the_conversation():
    with serving(echo, 1) as port, client(port) as (connection, answers):
        connection.sendall(b"x" * 10_000)
        assert answers.readline() == b"error: a line has at most 4096 bytes\n"


def test_a_client_that_leaves_in_the_middle_ends_nothing():
    with serving(lambda: lambda text: text * 1000, 3) as port:
        for _ in range(2):
            with client(port) as (connection, _):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # no farewell
                connection.sendall(b"one\ntwo\n")
        with client(port) as (connection, answers):
            connection.sendall(b"one\n")
            assert answers.readline() == b"one" * 1000 + b"\n"


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon (Debian's package gnubg) is not installed")
def test_a_match_of_seven_points_against_gnu_backgammon(tmp_path, responder):
    asked(responder, oracle.START, oracle.START, (3, 1))  # all is compiled before the clock runs
    answered = []
    command = [str(GNUBG), "-t", "-q", "-r"]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    with serving(lambda: Kept(answered).respond, 1) as port:
        played = subprocess.run(
            command,
            input=MATCH.format(port=port),
            capture_output=True,
            text=True,
            timeout=120,
            env=environment,
            check=False,
        )
    print(played.stdout, file=sys.stderr)
    assert "has won the match" in played.stdout, played.stdout
    scores = re.findall(r"The score \(after \d+ games?\) is: (\w+) (\d+), (\w+) (\d+)", played.stdout)
    assert max(int(scores[-1][1]), int(scores[-1][3])) >= 7
    assert len(answered) > 50
    assert not [pair for pair in answered if pair[1].startswith("error")]
