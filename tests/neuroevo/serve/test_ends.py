"""How the command ends, and what it and the other commands refuse: an exit code and one line, never a traceback."""

import os
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

from jaxgames import devices
from neuroevo import cross_table
from neuroevo.app import champions
from neuroevo.runtime.settings import RunConfig
from neuroevo.serve.__main__ import main as serve
from neuroevo.td.sources import main as make_games

POOR = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
GTP = ["gtp", "--player", "random", "--game", "gomoku"]
FIBS = ["fibs", "--player", "random", "--port", "0"]


def start(arguments):
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "neuroevo.serve", *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, env={**os.environ, **POOR})


def ready(process, arguments):
    """Waits until it serves."""
    if arguments is FIBS:
        return process.stderr.readline()
    process.stdin.write(b"version\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    assert answer == b"= 1 (random, Gomoku 15x15, 5 in a row)\n"
    return answer


ENDS = [(GTP, "SIGTERM"), (GTP, "SIGHUP"), (FIBS, "SIGTERM"), (FIBS, "SIGINT")]


def test_signals_and_readers_that_leave_end_a_session_quietly():
    """All at once, as each needs seconds to start; the terminal has nothing but ASCII."""
    processes = [start(arguments) for arguments, _ in ENDS]
    leaving = start(GTP)
    for process, (arguments, name) in zip(processes, ENDS, strict=True):
        first = ready(process, arguments)
        if arguments is FIBS:
            client = socket.create_connection(("127.0.0.1", int(first.rpartition(b":")[2])))
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 128 + getattr(signal, name)
        assert process.stderr.read() == b""
        if arguments is FIBS:
            client.close()
    ready(leaving, GTP)
    leaving.stdout.close()
    leaving.stdin.write(b"name\n")
    leaving.stdin.flush()
    assert (leaving.wait(60), leaving.stderr.read()) == (141, b"")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(devices, "set_up", lambda: None)  # it was
    task, game = {"kind": "versus_opponent"}, {"kind": "atari_go", "size": 3}
    config = RunConfig("x", game=game, network={"kind": "mdrnn", "hidden": 2}, task=task)
    champions.save(tmp_path / "run" / "champion", np.ones((1, 12), np.float32), 0, config)
    return str(tmp_path / "run")


WRONG = [
    (serve, [*GTP, "--seed", "-1"], "argument --seed: must be a whole number from 0 to 4294967295, not '-1'"),
    (serve, [*GTP, "--seed", str(2**40)], "argument --seed: must be a whole number"),
    (serve, [*FIBS, "--seed", "x"], "argument --seed: must be a whole number"),
    (serve, [*FIBS, "--port", "99999"], "argument --port: must be a whole number from 0 to 65535, not '99999'"),
    (serve, [*FIBS, "--port", "-1"], "argument --port: must be a whole number"),
    (serve, [*FIBS, "--clients", "0"], "argument --clients: must be a whole number"),
    (serve, [*FIBS, "--idle", "0"], "argument --idle: must be a whole number"),
    (cross_table.main, ["{run}", "--games", str(10**12)], "argument --games: must be a whole number from 2 to 1000000"),
    (cross_table.main, ["{run}", "--games", "0"], "argument --games: must be a whole number"),
    (cross_table.main, ["{run}", "--seed", "-1"], "argument --seed: must be a whole number"),
    (make_games, ["{run}/games.tsv", "--games", str(10**12)], "argument --games: must be a whole number"),
    (make_games, ["{run}/games.tsv", "--seed", str(2**40)], "argument --seed: must be a whole number"),
]


@pytest.mark.parametrize(("command", "arguments", "message"), WRONG)
def test_numbers_beyond_their_limits_are_refused(run, capsys, command, arguments, message):
    with pytest.raises(SystemExit) as left:
        command([argument.format(run=run) for argument in arguments])
    assert left.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]


PLACES = [
    "{run}/champion",
    "{run}/champion/champion.json/in",
    "/proc/nothing/here",
    "/dev/null/x",
    "a\0b",
    "x" * 300,
    "",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", [cross_table.main, make_games], ids=["cross_table", "sources"])
def test_places_where_nothing_can_be_written_are_named_before_anything_is_played(run, capsys, tmp_path, place, command):
    place = place.format(run=run)
    if command is cross_table.main and place.endswith("champion"):
        os.mkdir(f"{place}.png")
    arguments = [run, "naive", "--out", place] if command is cross_table.main else [place]
    assert command(arguments) == 1
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


def test_a_table_that_cannot_be_written_in_the_end_is_not_lost(run, capsys, tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(cross_table.files, "write", full)
    assert cross_table.main([run, "naive", "--games", "2", "--out", str(tmp_path / "table")]) == 1
    out, err = capsys.readouterr()
    assert "rating" in out
    assert err == f"{tmp_path}/table.csv: No space left on device\n"


def test_a_port_that_is_taken_is_named(run, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert serve(["fibs", "--player", "random", "--port", str(taken.getsockname()[1])]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
