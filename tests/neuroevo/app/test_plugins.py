"""A stranger's own game, player, network, strategy and task train from a folder outside the package."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

import neuroevo
from neuroevo.app import cli, registry
from neuroevo.runtime.settings import ConfigError

MODULE = '''
from dataclasses import dataclass

import flax.linen as nn
import flax.struct
import jax
import jax.numpy as jnp
import numpy as np

import neuroevo
from jaxgames.players import Random
from neuroevo.networks.base import PrefersPoints
from neuroevo.strategies import ES
from neuroevo.tasks import VersusOpponent

@flax.struct.dataclass
class Position:
    own: jax.Array
    other: jax.Array
    seat: jax.Array

@neuroevo.register("game", "last_point")
@dataclass(frozen=True)
class LastPoint:
    """Nine points; whoever takes the last corner wins."""

    title = "Last Corner"
    num_seats, num_actions = 2, 9
    max_plies: int = 9

    def start(self):
        return Position(jnp.zeros(9, bool), jnp.zeros(9, bool), jnp.int32(0))

    def to_move(self, state):
        return state.seat

    def legal(self, state):
        return ~(state.own | state.other)

    def play(self, state, action):
        return Position(state.other, state.own.at[action].set(True), 1 - state.seat)

    def terminal(self, state):
        corners = np.isin(np.arange(9), [0, 2, 6, 8])
        return jnp.all(state.own | state.other | ~corners)

    def returns(self, state):
        won = jnp.where(jnp.arange(2) == state.seat, -1.0, 1.0)
        return jnp.where(self.terminal(state), won, 0.0)

    def planes(self, state):
        return jnp.stack([state.own, state.other])

@neuroevo.register("network", "bias_only")
class BiasOnly(PrefersPoints, nn.Module):
    scale: float = 1.0

    @nn.compact
    def __call__(self, planes):
        return self.scale * self.param("bias", nn.initializers.normal(1.0), (planes.shape[1] * planes.shape[2],))

@neuroevo.register("strategy", "my_es")
@dataclass(frozen=True)
class MyES(ES):
    mu: int = 3
    lambda_: int = 3

neuroevo.register("player", "my_random", Random)
'''
EXPERIMENT = """# @package _global_
defaults:
  - /study: training
  - /game: last_point
  - /network: bias_only
  - /strategy: my_es
  - /task: versus_opponent

experiment: mine
paper: none
title: A game of my own
replicas: 1
generations: 2
retest_games: 20
task:
  games: 10
  opponent: my_random
"""


def run(folder, *words):
    cache = {"JAX_COMPILATION_CACHE_DIR": str(ROOT / ".jax_cache")}
    environment = {**os.environ, **cache, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    command = [sys.executable, "-m", "neuroevo", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def test_parts_from_outside_train_for_two_generations(tmp_path):
    (tmp_path / "my_module.py").write_text(MODULE)
    (tmp_path / "my_conf" / "exp").mkdir(parents=True)
    (tmp_path / "my_conf" / "exp" / "mine.yaml").write_text(EXPERIMENT)
    process = run(tmp_path, "--config-dir", "my_conf", "+exp=mine", "plugins=[my_module]")
    assert process.returncode == 0, process.stderr
    (folder,) = (tmp_path / "outputs" / "mine").iterdir()
    assert json.loads((folder / "results.json").read_text())["games"] == 2 * 6 * 10
    config = json.loads((folder / "config.json").read_text())
    assert (config["game"]["kind"], config["network"]["kind"], config["plugins"]) == (
        "last_point",
        "bias_only",
        ["my_module"],
    )
    page = (folder / "report.html").read_text()
    assert "Last Corner" in page
    assert "<svg" in page  # its games are drawn


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plugins=[nowhere]"], "plugins: there is no module nowhere, here or installed"),
        (["plugins=[broken]"], "plugins: broken cannot be imported: NameError: name 'undefined' is not defined"),
        (["plugins=[broken_import]"], "plugins: broken_import cannot be imported: No module named 'no_such_module'"),
        (["plugins=[wrong_group]"], "there is no group 'gmae'; the nearest one is game"),
        (["plugins=[taken]"], "game 'gomoku' is taken already"),
        (["plugins=[no_default]"], "the field size of Mine needs a default"),
        (["game=my_gmae"], "there is no game 'my_gmae'; the valid ones are"),
    ],
)
def test_a_wrong_module_ends_in_one_line(tmp_path, words, message):
    sources = {
        "broken": "undefined",
        "broken_import": "import no_such_module",
        "wrong_group": "import neuroevo\nneuroevo.register('gmae', 'x', int)",
        "taken": "import neuroevo\nneuroevo.register('game', 'gomoku', int)",
        "no_default": "import dataclasses, neuroevo\n@neuroevo.register('game', 'mine')\n"
        "@dataclasses.dataclass\nclass Mine:\n    size: int\n",
    }
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
    process = run(tmp_path, "+exp=mdrnn_atarigo", *words)
    assert process.returncode == 1
    assert message in process.stderr
    assert len(process.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "outputs").exists()


def test_the_command_line_names_plugins_in_both_forms():
    assert cli.plugins(["plugins=[a,b.c]", "+exp=x"]) == ["a", "b.c"]
    assert cli.plugins(["+plugins=a"]) == ["a"]
    assert cli.plugins(["seed=1"]) == []


def test_a_name_can_be_registered_twice_for_one_thing_only():
    registry.register("player", "of_a_test", min)
    registry.register("player", "of_a_test", min)
    with pytest.raises(ValueError, match="taken already"):
        neuroevo.register("player", "of_a_test", max)
    del registry.REGISTRIES["player"]["of_a_test"]


def test_a_module_that_cannot_be_imported_is_a_config_error():
    with pytest.raises(ConfigError, match="there is no module no_such_plugin"):
        registry.load_plugins(["no_such_plugin"])
