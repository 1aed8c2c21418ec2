"""Every example runs, as its first lines say, and is short."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LAST_LINES = {  # what the last line of the output begins with
    "evolve_without_hydra": "the champion of replica 1 wins",
    "play_games": "the first game: ",
    "your_game": "generation 1: best fitness",
    "your_strategy": "the best of 1000 genomes is",
}


def run(folder, *command):
    cache = {"JAX_COMPILATION_CACHE_DIR": str(ROOT / ".jax_cache"), "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.3"}
    environment = {**os.environ, **cache, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    process = subprocess.run(
        [sys.executable, *map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_every_example_is_tested():
    assert {path.stem for path in EXAMPLES} == {*LAST_LINES, "load_a_champion"}


@pytest.mark.parametrize("name", LAST_LINES)
def test_an_example_runs(tmp_path, name):
    assert run(tmp_path, ROOT / "examples" / f"{name}.py").splitlines()[-1].startswith(LAST_LINES[name])


def test_a_champion_is_loaded(tmp_path):
    run(tmp_path, "-m", "neuroevo", "+exp=mdrnn_atarigo", "scale=smoke")
    (folder,) = (tmp_path / "outputs" / "mdrnn_atarigo").iterdir()
    assert "a player of Atari-Go 5×5 with 140 genes" in run(tmp_path, ROOT / "examples" / "load_a_champion.py", folder)


def test_the_strategy_of_the_example_is_a_choice_of_a_config(tmp_path):
    words = "+exp=mdrnn_atarigo", "scale=smoke", "plugins=[examples.your_strategy]", "strategy=keep_the_best"
    assert "report: " in run(tmp_path, "-m", "neuroevo", *words)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
