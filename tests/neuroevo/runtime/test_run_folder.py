"""A run folder belongs to one run and to one process; what is wrong with its files is said in one line."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

from neuroevo.app.experiment import resume_command
from neuroevo.runtime import run_folder
from neuroevo.runtime.run_folder import check_folder, claim_folder, locked
from neuroevo.runtime.settings import ConfigError, RunConfig


def resumed(folder, **changes):
    return RunConfig(experiment="x", resume=str(folder), **changes)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_a_damaged_config_is_named(tmp_path, content):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(
        ConfigError, match=rf"^resume: {tmp_path}/config.json (cannot be read|holds no settings)"
    ) as error:
        check_folder(resumed(tmp_path), tmp_path)
    assert "\n" not in str(error.value)


def test_a_key_that_was_there_is_asked_for(tmp_path):
    claim_folder(RunConfig(experiment="x", replicas=3), tmp_path)
    with pytest.raises(ConfigError, match=r"resume: replicas was 3 in .* and is None now"):
        check_folder(resumed(tmp_path), tmp_path)


def test_every_commit_that_took_part_is_kept(tmp_path, monkeypatch):
    for commit, expected in (("a", ["a"]), ("a", ["a"]), ("b", ["a", "b"]), ("b", ["a", "b"])):
        monkeypatch.setattr(run_folder, "commit", lambda commit=commit: commit)
        assert claim_folder(resumed(tmp_path), tmp_path) == expected
    assert json.loads((tmp_path / "commits.json").read_text()) == {"commits": ["a", "b"]}


HOLD = """
import sys, time
from pathlib import Path
from neuroevo.runtime.run_folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_two_processes_cannot_hold_a_folder_and_a_dead_one_does_not(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout.readline() == "held\n"
    with pytest.raises(ConfigError, match=rf"is in use by process {process.pid} on \S+$"), locked(tmp_path):
        pass
    process.kill()
    process.wait()
    with locked(tmp_path):
        assert f"process {os.getpid()} on" in (tmp_path / ".lock").read_text()


@pytest.mark.parametrize("folder", ["outputs/x", "out puts/ä", "it's here"])
def test_the_command_to_go_on_with_is_read_back_by_shell_and_hydra(tmp_path, folder):
    import shlex

    from hydra.core.override_parser.overrides_parser import OverridesParser

    words = shlex.split(resume_command(["+exp=mdrnn_atarigo", "resume=old"], tmp_path / folder))
    assert words[:4] == ["python", "-m", "neuroevo", "+exp=mdrnn_atarigo"]
    (override,) = OverridesParser.create().parse_overrides(words[4:])
    assert override.value() == str(tmp_path / folder)
