"""Champions whose files hold anything at all: a player, or one line that names the file and what is wrong."""

import io
import json
import os
import shutil
import zipfile

import numpy as np
import pytest

from jaxgames import devices
from neuroevo import cross_table
from neuroevo.app import champions
from neuroevo.runtime.settings import ConfigError, RunConfig
from neuroevo.serve.__main__ import main as serve

ABOUT = {
    "game": {"kind": "gomoku", "rows": 5, "columns": 5},
    "network": {"kind": "mdrnn", "hidden": 2},
    "task": {"kind": "versus_opponent"},
}


@pytest.fixture
def run(tmp_path):
    champions.save(tmp_path / "run" / "champion", np.ones((2, 12), np.float32), 1, RunConfig("x", **ABOUT))
    return tmp_path / "run"


def packed(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def changed(group, **values):
    return json.dumps({**ABOUT, group: {**ABOUT[group], **values}})


GENOMES = np.ones((2, 12), np.float32)
WRONG_ABOUT = {
    "huge": (changed("network", hidden=1e25), "hidden = 1e.25 is too much"),
    "huge whole": (changed("network", hidden=10**25), "hidden = 10{25} is too much"),
    "larger than its genome": (changed("network", hidden=100), "hidden = 100 is too much: its genome has 12"),
    "of other genes": (changed("network", hidden=3), "such a network has 17|genes, and the genome has 12"),
    "negative": (changed("network", hidden=-1), ""),
    "nothing": (changed("network", hidden=0), ""),
    "layers": (changed("network", kind="stacked_mdrnn", layers=10**9), "is too much"),
    "a word": (changed("network", hidden="many"), "hidden"),
    "an interpolation": (changed("network", hidden="${oc.env:HOME}"), ""),
    "a list": (changed("network", hidden=[2]), "hidden"),
    "an unknown key": (changed("network", hiden=2), "nearest valid one is network.hidden"),
    "an unknown network": (changed("network", kind="huge"), "network.kind must be one of"),
    "a huge board": (changed("game", rows=1_000_000), "1 to 19 rows"),
    "an unknown game": (changed("game", kind="chess"), "game.kind must be one of"),
    "not a number": ('{"game": {"rows": NaN}}', "NaN is no number of JSON"),
    "infinity": (changed("task", speed_weight=1e999).replace("Infinity", "1e999"), "is too much"),
    "deep": ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
    "deep inside": (changed("game", rows=0).replace("0", "[" * 900 + "]" * 900, 1), ""),
    "no object": ("[1]", "a champion has game, network, task"),
    "without a task": (json.dumps({**ABOUT, "task": None}), "a champion has game, network, task"),
    "empty": ("", "Expecting value"),
    "cut": (json.dumps(ABOUT)[:-9], ""),
    "many digits": ('{"game": ' + "9" * 5000 + "}", ""),
    "not text": (b"\xff\xfe", "utf-8"),
    "too large": (" " * (2**20 + 1), "more than 1,048,576 bytes"),
}
WRONG_GENOMES = {
    "empty": (b"", ""),
    "text": (b"genomes", "zip"),
    "without genomes": (packed(best=0), "genomes"),
    "objects": (packed(genomes=np.array([[print]], object), best=0), "allow_pickle=False"),
    "words": (packed(genomes=np.array([["a"]]), best=0), "genomes must be numbers"),
    "one genome": (packed(genomes=np.ones(12), best=0), "genomes must be numbers"),
    "no replica": (packed(genomes=np.ones((0, 12)), best=0), "genomes must be numbers"),
    "no such best": (packed(genomes=GENOMES, best=2), "there is no replica 2: they are 0 to 1"),
    "the last": (packed(genomes=GENOMES, best=-1), "there is no replica -1"),
    "not finite": (packed(genomes=GENOMES * np.nan, best=0), "not all genes of replica 0 are finite"),
    "too short": (packed(genomes=GENOMES[:, :5], best=0), "such a network has 12 genes, and the genome has 5"),
    "a bomb": (packed(genomes=np.zeros((2, 2**25), np.float32), best=0), "unpacked it has more than"),
    "cut": (packed(genomes=GENOMES, best=0)[:-40], "zip"),
}


def refused(run, capsys, message=""):
    """The line that `load` and all commands have for it."""
    with pytest.raises(ConfigError, match=message or None) as caught:
        champions.load(run)
    for command in (["gtp", "--player", str(run)], ["fibs", "--player", str(run)]):
        assert serve(command) == 1
        assert capsys.readouterr().err == f"{caught.value}\n"
    assert cross_table.main([str(run), "naive", "--out", str(run.parent / "table")]) == 1
    assert capsys.readouterr().err == f"{caught.value}\n"
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.fixture(autouse=True)
def _set_up(monkeypatch):
    monkeypatch.setattr(devices, "set_up", lambda: None)  # it was


@pytest.mark.parametrize("name", WRONG_ABOUT)
def test_wrong_descriptions_are_refused(run, capsys, name):
    content, message = WRONG_ABOUT[name]
    path = run / "champion" / champions.ABOUT
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert refused(run, capsys, message).startswith(str(path))


@pytest.mark.parametrize("name", WRONG_GENOMES)
def test_wrong_genomes_are_refused(run, capsys, name):
    content, message = WRONG_GENOMES[name]
    path = run / "champion" / champions.GENOMES
    path.write_bytes(content)
    assert refused(run, capsys, message).startswith(str(path.parent))


@pytest.mark.parametrize("name", [champions.ABOUT, champions.GENOMES])
@pytest.mark.parametrize("kind", ["folder", "loop", "pipe", "device"])
def test_what_is_no_file_is_refused(run, capsys, name, kind):
    path = run / "champion" / name
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "loop" else "/dev/zero")
    assert refused(run, capsys).startswith(str(path))


def test_genomes_that_are_missing_are_named(run, capsys):
    (run / "champion" / champions.GENOMES).unlink()
    assert refused(run, capsys) == f"{run / 'champion' / champions.GENOMES}: there is no such file"


@pytest.mark.parametrize("path", ["a\0b", "", "x" * 5000, "loop"])
def test_paths_that_lead_nowhere_are_refused(tmp_path, monkeypatch, capsys, path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert serve(["gtp", "--player", path]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert cross_table.main([f"name={path}", "--out", "table"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_replica_that_is_not_there_is_named(run):
    with pytest.raises(ConfigError, match="there is no replica 7: they are 0 to 1"):
        champions.load(run, replica=7)


def test_nothing_in_a_champion_is_executed(run, tmp_path, capsys):
    """A pickle that would make a file."""
    made = tmp_path / "made"

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(made),)

    for content in (
        packed(genomes=np.array([[Evil()]], object), best=0),
        packed(genomes=GENOMES, best=np.array(Evil())),
    ):
        (run / "champion" / champions.GENOMES).write_bytes(content)
        refused(run, capsys)
    assert not made.exists()


def test_a_header_that_promises_more_than_there_is(run, capsys):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed_file:
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 12), }".ljust(117) + b"\n"
        packed_file.writestr("genomes.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        packed_file.writestr("best.npy", b"")
    (run / "champion" / champions.GENOMES).write_bytes(buffer.getvalue())
    refused(run, capsys)
    shutil.rmtree(run)
