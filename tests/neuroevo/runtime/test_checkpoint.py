"""Damaged checkpoints are named and left out, foreign ones refused; the run goes on from the newest whole one."""

import shutil

import numpy as np
import pytest

from neuroevo.runtime.checkpoint import CheckpointError, Checkpoints, SaveError
from neuroevo.runtime.interrupts import Interrupts
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import RunConfig


def lab(folder):
    return Lab(RunConfig(checkpoint_every=1), folder, Interrupts(), lambda metrics: None)


def count(folder, total=3, expected=None):
    """A loop that counts its steps, from wherever its checkpoints lead. Returns the numbers of the steps it made."""
    made = []

    def step(number, tree):
        made.append(number)
        return {"sum": tree["sum"] + number}, {}, ""

    tree = lab(folder).loop("steps", total, {"sum": np.zeros((), int)}, step)
    assert tree["sum"] == sum(range(total))
    return made


def cut(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES = {
    "the item is missing": lambda steps: shutil.rmtree(steps / "3" / "default"),
    "all files are cut off": lambda steps: cut(steps / "3"),
    "the arrays are cut off": lambda steps: cut(steps / "3" / "default" / "d"),
    "a newer folder is empty": lambda steps: (steps / "4").mkdir(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_newest_whole_checkpoint_is_found(tmp_path, capsys, damage):
    assert count(tmp_path) == [0, 1, 2]
    DAMAGES[damage](tmp_path / "checkpoints" / "steps")
    made = count(tmp_path)
    assert made == ([] if "newer" in damage else [2])
    assert "is damaged and left out" in capsys.readouterr().err
    assert count(tmp_path) == []  # what was made again is saved again


def test_if_no_checkpoint_is_whole_the_run_says_so(tmp_path):
    count(tmp_path)
    for number in (2, 3):
        shutil.rmtree(tmp_path / "checkpoints" / "steps" / str(number) / "default")
    with pytest.raises(CheckpointError, match=r"no checkpoint in .*steps is whole"):
        count(tmp_path)


@pytest.mark.parametrize("number", [2, 999])
def test_a_checkpoint_of_another_number_is_refused(tmp_path, number):
    count(tmp_path)
    steps = tmp_path / "checkpoints" / "steps"
    (steps / "3").rename(steps / "30")
    shutil.rmtree(steps / "2")
    (steps / "30").rename(steps / str(number))
    with pytest.raises(CheckpointError, match=f"checkpoint {number} of steps is none of this run, which has 3 steps"):
        count(tmp_path)


def test_a_checkpoint_that_cannot_be_written_names_its_folder(tmp_path, monkeypatch):
    checkpoints = Checkpoints(tmp_path / "a")

    def fail(*_, **__):
        raise ValueError("RESOURCE_EXHAUSTED: No space left on device")

    monkeypatch.setattr(checkpoints._manager, "save", fail)
    with pytest.raises(SaveError, match=r"checkpoint 1 cannot be written to .*/a: RESOURCE_EXHAUSTED: No space left"):
        checkpoints.save(1, {"a": np.zeros(2)})
