"""Cross tables of kept champions, from the command line."""

import csv

import numpy as np
import pytest

from neuroevo import cross_table
from neuroevo.app import champions
from neuroevo.runtime.settings import RunConfig

GAME, OTHER = {"kind": "atari_go", "size": 3}, {"kind": "atari_go", "size": 5}


def run_folder(folder, game=GAME):
    """A run whose champions are random networks."""
    task = {"kind": "versus_opponent"}
    run = RunConfig("x", game=game, network={"kind": "mdrnn", "hidden": 2}, task=task)
    champions.save(folder / "champion", np.random.default_rng(0).normal(size=(2, 12)).astype(np.float32), 1, run)
    return folder


def test_champions_and_hand_coded_players_meet(tmp_path, capsys):
    first, second = run_folder(tmp_path / "first" / "1"), run_folder(tmp_path / "second" / "1")
    out = tmp_path / "table"
    assert cross_table.main([str(first), f"twin={second}", "random", "--games", "8", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("first", "twin", "random"))
    rows = list(csv.reader((tmp_path / "table.csv").read_text().splitlines()))
    assert rows[0] == ["player", "rating", "first", "twin", "random"]
    score = np.array([row[2:] for row in rows[1:]], float)
    np.testing.assert_allclose(score + score.T + np.eye(3), 1, atol=1e-4)
    assert (tmp_path / "table.png").stat().st_size > 1000


def test_champions_of_esp_meet_each_other(tmp_path):
    folder = tmp_path / "esp" / "1"
    network, task = {"kind": "neurons", "hidden": 2}, {"kind": "gauntlet", "tests": ["random"]}
    run = RunConfig("x", game={"kind": "pente", "size": 5}, network=network, task=task)
    genomes = np.random.default_rng(0).normal(size=(3, 200)).astype(np.float32)
    champions.save(folder / "champion", genomes, 1, run)
    game, players = cross_table.gather([f"{i}={folder}" for i in "ab"] + ["naive"])
    of_file = players["a"]
    assert (game.title, list(players)) == ("Pente 5×5", ["a", "b", "naive"])
    np.testing.assert_array_equal(of_file.layers["output"], genomes[1].reshape(2, -1)[:, -25:])
    other = champions.load(folder, replica=2)
    np.testing.assert_array_equal(other.layers["output"], genomes[2].reshape(2, -1)[:, -25:])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["naive"], "at least one run"),
        (["nowhere"], "nowhere is neither a run with a champion nor one of naive"),
        (["{run}", "{run}"], "two players are called"),
        (["{run}", "b={other}"], "different games: Atari-Go 3×3 and Atari-Go 5×5"),
        (["{run}", "naive", "--games", "3"], "even number"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(tmp_path, capsys, words, message):
    folders = {"run": run_folder(tmp_path / "a" / "1"), "other": run_folder(tmp_path / "b" / "1", OTHER)}
    assert cross_table.main([word.format(**folders) for word in words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
