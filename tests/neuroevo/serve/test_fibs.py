"""Backgammon over a socket: answers to board lines, and a match against GNU Backgammon (Debian: gnubg) if it is
there."""

import re
import shutil
import socket
import subprocess
import sys
import threading

import pytest
from backgammon_positions import FEW, side
from oracles import backgammon as oracle

from jaxgames import devices
from jaxgames.players import pubeval_player
from jaxgames.records.backgammon.fibs_board import FibsBoard, line
from neuroevo.runtime.settings import ConfigError
from neuroevo.serve import fibs
from neuroevo.serve.__main__ import main

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


def served(port, answered):
    """A thread that answers one connection by Pubeval, and keeps lines and answers."""

    class Kept(fibs.Responder):
        def respond(self, text):
            answered.append((text, fibs.Responder.respond(self, text)))
            return answered[-1][1]

    def serve():
        with socket.create_server((fibs.HOST, port)) as server:
            server.settimeout(60)
            connection, _ = server.accept()
            with connection:
                fibs.converse(connection, Kept(pubeval_player()))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return thread


def free_port():
    with socket.create_server((fibs.HOST, 0)) as server:
        return server.getsockname()[1]


def test_lines_are_answered_one_by_one():
    port, answered = free_port(), []
    thread = served(port, answered)
    for _ in range(100):
        try:
            client = socket.create_connection((fibs.HOST, port), timeout=60)
            break
        except OSError:
            thread.join(0.05)
    with client, client.makefile("rb") as answers:
        client.sendall((line(START) + "\r\n" + line(START)[:20]).encode())
        assert answers.readline() == b"roll\n"
        client.sendall((line(START)[20:] + "\n").encode())
        assert answers.readline() == b"roll\n"
        client.sendall(b"board:without an end")
        client.shutdown(socket.SHUT_WR)
        assert answers.readline() == b""
    thread.join(60)
    assert len(answered) == 2


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon (Debian's package gnubg) is not installed")
def test_a_match_of_seven_points_against_gnu_backgammon(tmp_path, responder):
    asked(responder, oracle.START, oracle.START, (3, 1))  # all is compiled before the clock runs
    port, answered = free_port(), []
    thread = served(port, answered)
    command = [str(GNUBG), "-t", "-q", "-r"]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
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
    thread.join(60)
    assert "has won the match" in played.stdout, played.stdout
    scores = re.findall(r"The score \(after \d+ games?\) is: (\w+) (\d+), (\w+) (\d+)", played.stdout)
    assert max(int(scores[-1][1]), int(scores[-1][3])) >= 7
    assert len(answered) > 50
    assert not [pair for pair in answered if pair[1].startswith("error")]
