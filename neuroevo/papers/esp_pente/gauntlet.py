"""Evolution against hand-coded opponents in Pente (Schrum): with two seats, three, and with networks that remember.

The best network of every generation says how many games it won against whom; each replica's last one is tested anew.
Where networks evolve against each other, the champions of all generations are tested in games that evolution does not
see.
"""

from dataclasses import dataclass, replace
from typing import Any

import jax.numpy as jnp
import numpy as np

from neuroevo.evolution import Evolution, train
from neuroevo.networks.neurons import MEMORIES, Neurons
from neuroevo.papers.esp_pente import findings
from neuroevo.papers.esp_pente.findings import Outcome
from neuroevo.papers.sample_games import Sample, drawn
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.strategies import ESP
from neuroevo.tasks import Gauntlet as Task

CHUNK = 50  # generations whose champions are tested at once


@dataclass(frozen=True)
class Gauntlet:
    """`memories`: the kinds of networks that are compared, see `Neurons`; `retests`: fresh matches of the last champion
    per test and seat. `elsewhere`: seats of the same game with more or fewer, in which champions are tested, too.
    """

    memories: tuple[str, ...] = ("none",)
    retests: int = 1000
    elsewhere: int | None = None

    def __post_init__(self):
        if unknown := [memory for memory in self.memories if memory not in MEMORIES]:
            raise ValueError(f"memories must be among {', '.join(MEMORIES)}, not {unknown[0]!r}")
        if not self.memories or self.retests < 1:
            raise ValueError(f"memories must not be empty and retests at least 1, not {self.retests}")
        if self.elsewhere not in (None, 2, 3, 4):
            raise ValueError(f"elsewhere must be 2 to 4 seats, or null, not {self.elsewhere}")

    def check(self, evolution: Evolution) -> None:
        task, strategy = evolution.task, evolution.strategy
        if not isinstance(task.absolute(), Task) or not isinstance(task.network, Neurons):
            raise ValueError("gauntlet needs game=pente and network=neurons")
        if isinstance(strategy, ESP) and strategy.subpopulations != task.network.hidden:
            raise ValueError(
                f"strategy.subpopulations and network.hidden must be the same, "
                f"not {strategy.subpopulations} and {task.network.hidden}"
            )

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        run = lab.run
        outcomes = {memory: self.outcome(lab, _with(evolution, memory), memory) for memory in self.memories}
        lab.interrupts.obey_at_once()  # all is saved
        first = outcomes[self.memories[0]]
        champions, best = first.history.champions[-1], int(first.fresh.mean((1, 2)).argmax())
        of_each = run.generations * evolution.games_per_generation + run.replicas * self.tests(first, run.generations)
        return findings.conclude(
            outcomes,
            lab.folder / "figures",
            Findings(
                size=f"{len(outcomes)} kinds of networks × {run.replicas} replicas × {run.generations} generations of "
                f"{evolution.strategy.population} networks, {evolution.games_per_evaluation} games each",
                games=len(outcomes) * of_each,
                claims=[],
                pictures=[],
                sample=sample_games(evolution, first.task, champions[best], run.sample_games),
                arrays={
                    f"{memory}_{name}": values
                    for memory, outcome in outcomes.items()
                    for name, values in outcome.arrays().items()
                },
                champions=champions,
                best=best,
            ),
        )

    def outcome(self, lab: Lab, evolution: Evolution, name: str) -> Outcome:
        """Of one kind of network."""
        task, relative = evolution.task.absolute(), not isinstance(evolution.task, Task)
        history = train(evolution, lab.run.generations, lab, name, cases=0 if relative else len(task.tests))
        if relative:
            history.best_cases = examine(lab, evolution, history.champions, f"{name}_wins", task.matches).mean(-1)
        last, elsewhere = history.champions[-1:], None
        fresh = examine(lab, evolution, last, f"{name}_test", self.retests)[0]
        if self.elsewhere:
            other = replace(evolution, task=_with_seats(task, self.elsewhere))
            elsewhere = examine(lab, other, last, f"{name}_elsewhere", self.retests)[0]
        return Outcome(task, history, fresh, elsewhere, relative)

    def tests(self, outcome: Outcome, generations: int) -> int:
        """How many games test the champions of one replica."""
        task = outcome.task
        found = len(task.seatings) * (self.retests + outcome.relative * generations * task.matches)
        return found + (len(_with_seats(task, self.elsewhere).seatings) * self.retests if self.elsewhere else 0)


def _with(evolution: Evolution, memory: str) -> Evolution:
    task: Any = evolution.task
    return replace(evolution, task=replace(task, network=task.network.clone(memory=memory)))


def _with_seats(task: Task, seats: int) -> Task:
    """All tests of the game with so many seats."""
    return replace(task, game=replace(task.game, num_seats=seats), tests=(), seats=())


def examine(lab: Lab, evolution: Evolution, champions: np.ndarray, name: str, matches: int) -> np.ndarray:
    """Shares[generations, replicas, tests, seats] of fresh games that champions[generations, replicas, genes] win."""
    task, (generations, replicas, _) = evolution.task.absolute(), champions.shape
    assert isinstance(task, Task)
    shape = len(task.tests), len(task.own_seats)
    at_once = min(generations, CHUNK)
    starts = range(0, generations, at_once)

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        which = np.minimum(np.arange(starts[number], starts[number] + at_once), generations - 1)
        streams = evolution.fresh_stream() + jnp.arange(replicas, dtype=jnp.uint32)
        genomes = jnp.asarray(champions[which].reshape(at_once * replicas, -1))
        results = task.play(jnp.tile(streams, at_once), genomes, matches)
        won = np.asarray(results.winner == 0).reshape(at_once, replicas, matches, *shape)
        tree["won"][which] = won.mean(2)
        return tree, {"tested": won.size}, f"{matches} matches a test and seat"

    return lab.loop(name, len(starts), {"won": np.zeros((generations, replicas, *shape))}, step)["won"]


def sample_games(evolution: Evolution, task: Task, champion: np.ndarray, games: int) -> list[Sample]:
    """A game of the champion from so many seatings."""
    if games == 0:
        return []
    results = task.play(evolution.fresh_stream()[None], jnp.asarray(champion)[None], 1, record_moves=True)
    return drawn(task, np.asarray(results.moves[0]), games)
