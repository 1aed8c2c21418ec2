"""A run of every kind is killed at any moment, many times, and resumes to the same numbers, to the bit."""

import json
import random
import signal
import time

import numpy as np
import pytest
from conftest import ROOT
from replay import source, write_between
from test_run import finish, only_run, start

KINDS = {  # an experiment of each kind, long enough to be killed on its way
    "ES": ("mdrnn_atarigo", ["generations=40", "checkpoint_every=3"]),
    "coevolution": ("mdrnn_coevolution", ["generations=8", "checkpoint_every=1"]),
    "ESP": ("esp_pente_2p", ["generations=12", "checkpoint_every=2"]),
    "focus": ("focus_othello", ["generations=6"]),
    "TD": ("td_pente_selfplay", ["study.selfplay=8"]),
    "backgammon": ("coevo_backgammon", ["generations=60", "checkpoint_every=1"]),
}
KILLS = 20
MARK = "<!-- begin of killed runs, by `python -m pytest -m thorough` -->"


def outcome(run):
    """What a run leaves, without what it measures: its arrays and its claims."""
    with np.load(run / "history.npz") as arrays:
        kept = {name: arrays[name] for name in arrays.files}
    return kept, json.loads((run / "results.json").read_text())["claims"]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_kill_nine_at_random_moments(tmp_path, kind):
    experiment, extra = KINDS[kind]
    words = [f"+exp={experiment}", "scale=smoke", *extra, "tracker.mode=disabled"]
    (tmp_path / "unbroken").mkdir()
    (tmp_path / "killed").mkdir()
    began = time.monotonic()
    finish(start(tmp_path / "unbroken", *words))
    seconds = time.monotonic() - began
    draw, kills, resume = random.Random(kind), 0, []
    for _ in range(KILLS):
        process = start(tmp_path / "killed", *words, *resume)
        time.sleep(draw.uniform(0.3, 0.9) * seconds)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
        folders = list((tmp_path / "killed").glob(f"outputs/{experiment}/*"))
        resume = [f"resume={folders[0]}"] if folders else []
        if folders and (folders[0] / "results.json").exists():
            break
    finish(start(tmp_path / "killed", *words, *resume))
    (ours, claims), (theirs, expected) = (
        outcome(only_run(tmp_path / name, experiment)) for name in ("killed", "unbroken")
    )
    assert claims == expected
    assert ours.keys() == theirs.keys()
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])
    text = f"{source()}: {experiment} killed {kills} times (SIGKILL) and resumed, equal to the bit.\n"
    write_between(ROOT / "docs" / "verification.md", MARK.replace("killed runs", f"killed runs, {kind}"), text)
