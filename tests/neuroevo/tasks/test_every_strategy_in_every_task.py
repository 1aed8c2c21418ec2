"""Every strategy evolves in every task: a few generations leave better players than the first had. Thorough: on every
game.

Compiling is nearly all of the time, so that each task is compiled once per game, for all strategies: their populations
are filled up to one size, and those without opponents of their own are given their population as such.
"""

import functools
import subprocess
import sys
from dataclasses import dataclass
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import ROOT

from jaxgames import AtariGo, Gomoku, Pente
from jaxgames.players import Naive
from neuroevo.evolution import Evolution
from neuroevo.networks import MDRNN, Neurons
from neuroevo.strategies import ES, ESP, Coevolution, Evosax, Pareto
from neuroevo.strategies.evaluation import Evaluation, Opponents
from neuroevo.tasks import Gauntlet, Objectives, VersusOpponent, VersusOthers

REPLICAS, SIZE = 32, 8
STRATEGIES = {
    "ES": ES(4, 4),
    "ES without elitism": ES(2, 8, elitist=False),
    "hill climbing": ES(1, 1),
    "coevolution": Coevolution(2, 6, parasites=4, famous=4, capacity=8),
    "coevolution without elitism": Coevolution(2, 6, elitist=False, parasites=4, famous=4, capacity=8),
    "Pareto": Pareto(4, 4),
    "CMA-ES": Evosax("CMA_ES", SIZE),
    "ESP": ESP(4, neurons=4, trials=2, initial_range=1.0),
}
GAMES = [AtariGo(5), Gomoku(5, 5)]
PENTE = Pente(5)
GENERATIONS = {GAMES[0]: 2, GAMES[1]: 6, PENTE: 4}  # most games of Gomoku are drawn on 5×5, so that it takes longer
TASKS = ["opponent", "others", "objectives"]
COMBINED = [*product(GAMES[:1], TASKS), (PENTE, "gauntlet")]
COMBINED += [pytest.param(*both, marks=pytest.mark.thorough) for both in product(GAMES[1:], TASKS)]
NETWORK = MDRNN(4)


@functools.cache
def task_of(name, game):
    match name:
        case "others":
            return VersusOthers(game, NETWORK)
        case "opponent":
            return VersusOpponent(game, NETWORK, Naive(game), games=20, lanes=10)
        case "gauntlet":
            return Gauntlet(game, Neurons(4), ("random", "better"), matches=5, lanes=10)
        case _:
            return Objectives(game, NETWORK, Naive(game), sizes=(5, 6), games=20, lanes=10)


@functools.partial(jax.jit, static_argnums=0)
def tell(strategy, key, state, evaluation):
    return strategy.tell(key, state, evaluation)


@functools.partial(jax.jit, static_argnums=0)
def ask(strategy, state):
    return strategy.ask(state)


@functools.partial(jax.jit, static_argnums=(0, 2))
def init(strategy, key, genes):
    return strategy.init(key, genes)


@functools.partial(jax.jit, static_argnums=0)
def evaluate(task, streams, genomes, opponents):
    return task.evaluate(streams, genomes, opponents)


@dataclass(frozen=True)
class CompiledStrategy:
    strategy: Any

    @property
    def population(self):
        return self.strategy.population

    def init(self, key, genes):
        return init(self.strategy, key, genes)

    def ask(self, state):
        return ask(self.strategy, state)

    def tell(self, key, state, evaluation):
        return tell(self.strategy, key, state, evaluation)

    def champion(self, state):
        return self.strategy.champion(state)


@dataclass(frozen=True)
class Compiled:
    """A task for SIZE genomes and opponents, or fewer. Its results lie on no particular device."""

    task: Any

    @property
    def genes(self):
        return self.task.genes

    def evaluate(self, streams, genomes, opponents=None) -> Evaluation:
        count = genomes.shape[1]
        filled = jnp.pad(genomes, ((0, 0), (0, SIZE - count), (0, 0)))
        if not isinstance(self.task, VersusOthers):
            opponents = None
        elif opponents is None:
            opponents = Opponents(filled, jnp.tile(jnp.arange(SIZE) < count, (len(genomes), 1)))
        evaluation = jax.tree.map(np.asarray, evaluate(self.task, streams, filled, opponents))
        present = evaluation.present
        return jax.tree.map(lambda x: jnp.asarray(x[:, :count]), evaluation).replace(present=jnp.asarray(present))


def evolve(strategy, task):
    """The populations before the first generation and after the last; on the way everything is finite."""
    evolution = Evolution(CompiledStrategy(strategy), Compiled(task), REPLICAS, seed=3)
    states = evolution.init()
    first, _ = jax.vmap(evolution.strategy.ask)(states)
    for number in range(GENERATIONS[task.game]):
        states, generation = Evolution.step.__wrapped__(evolution, states, jnp.int32(number))
        for leaf in jax.tree.leaves(generation):
            assert np.isfinite(leaf).all()
        assert generation.evaluation.fitness.shape == (REPLICAS, strategy.population)
    return first, jax.vmap(evolution.strategy.ask)(states)[0]


def gain(name, game, first, last):
    """How much better the last population is in fresh games, [replicas]: its mean score against the first, or, where
    evolution was against hand-coded players, the difference between their mean scores against those.
    """
    streams = jnp.arange(REPLICAS, dtype=jnp.uint32) + 1000
    if name != "others":
        task = Compiled(task_of("gauntlet" if name == "gauntlet" else "opponent", game))
        scores = [task.evaluate(streams, genomes).fitness.mean(1) for genomes in (first, last)]
        return np.asarray(scores[1] - scores[0])
    there = jnp.tile(jnp.arange(SIZE) < first.shape[1], (REPLICAS, 1))
    opponents = Opponents(jnp.pad(first, ((0, 0), (0, SIZE - first.shape[1]), (0, 0))), there)
    return np.asarray(Compiled(task_of(name, game)).evaluate(streams, last, opponents).fitness.mean(1))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("game", "task"), COMBINED, ids=lambda value: value if isinstance(value, str) else value.title)
def test_evolution_improves_the_population(game, task, strategy):
    """The mean gain over the replicas is above 0. Hill climbing chooses between two players only and by noisy games, so
    that its gain may drown in the noise: it must not lose more than two standard errors.
    """
    gains = gain(task, game, *evolve(STRATEGIES[strategy], task_of(task, game)))
    error = gains.std(ddof=1) / REPLICAS**0.5
    assert gains.mean() > (-2 * error if strategy == "hill climbing" else 0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_generation_keeps_the_type_of_its_states(strategy):
    """The step as it is outside this file, traced only."""
    evolution = Evolution(STRATEGIES[strategy], task_of("opponent", GAMES[0]), replicas=2)
    before = jax.eval_shape(evolution.init)
    after, _ = jax.eval_shape(evolution.step, before, jnp.int32(0))
    assert jax.tree.structure(before) == jax.tree.structure(after)
    for old, new in zip(*map(jax.tree.leaves, (before, after)), strict=True):
        assert (old.shape, old.dtype, old.weak_type) == (new.shape, new.dtype, new.weak_type)


def test_every_combination_is_configured_before_jax_starts():
    """Devices are set up after the config is checked, which JAX refuses once it has computed."""
    program = """
from jax._src import xla_bridge
from neuroevo.app import config
from neuroevo.app.registry import GROUPS
from neuroevo.runtime.settings import ConfigError, RunConfig
backgammon = "backgammon", "mlp"
of_task = {"gauntlet": ("pente", "neurons"), "focus": ("othello", "markers"), "round_robin": backgammon,
           "versus_pubeval": backgammon}
for strategy in GROUPS["strategy"]:
    for task in GROUPS["task"]:
        game, network = of_task.get(task, ("atari_go", "mdrnn"))
        chosen = {"game": game, "network": network, "strategy": strategy, "task": task}
        try:
            config.evolution_of(RunConfig(**{group: {"kind": kind} for group, kind in chosen.items()}))
        except ConfigError:
            assert (strategy == "marker_ga") != (network == "markers")  # only these have 8-bit genes
assert not xla_bridge._backends
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
