"""Evolution against hand-coded opponents in Pente (Schrum), with two or three seats, with and without memory.

The wins of the best network of every generation are kept, and the last champion of each replica is tested in new games.
If networks evolve against each other, the champions of all generations are tested in games outside evolution.
"""

from dataclasses import dataclass, replace
from typing import Any

import jax
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

CHUNK = 50  # number of generations whose champions are tested at the same time; chosen by judgement


@dataclass(frozen=True)
class Gauntlet:
    """Networks of neurons evolve against hand-coded players, or against each other, and their champions are tested.

    evolution: with task=gauntlet, or with task=versus_others for networks that evolve against each other.
    generations: number of generations.
    sample_games: number of games that are kept as records and pictures.
    memories: the kinds of networks that are compared, see `Neurons`.
    retests: number of new games of the last champion per test and seat.
    elsewhere: number of seats of a second game in which champions are tested; None for no such game.
    """

    evolution: Evolution
    generations: int
    sample_games: int
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
        task, strategy = self.evolution.task, self.evolution.strategy
        if not isinstance(task.absolute(), Task) or not isinstance(task.network, Neurons):
            raise ValueError("gauntlet needs game=pente and network=neurons")
        if isinstance(strategy, ESP) and strategy.subpopulations != task.network.hidden:
            raise ValueError(
                f"strategy.subpopulations and network.hidden must be the same, "
                f"not {strategy.subpopulations} and {task.network.hidden}"
            )

    def compute(self, lab: Lab) -> dict[str, Outcome]:
        return {memory: self.outcome(lab, _with(self.evolution, memory), memory) for memory in self.memories}

    def conclude(self, outcome: dict[str, Outcome]) -> Findings:
        evolution, replicas, first = self.evolution, self.evolution.replicas, outcome[self.memories[0]]
        champions, best = first.history.champions[-1], int(first.fresh.mean((1, 2)).argmax())
        of_each = self.generations * evolution.games_per_generation + replicas * self.tests(first)
        return Findings(
            size=f"{len(outcome)} kinds of networks × {replicas} replicas × {self.generations} generations of "
            f"{evolution.strategy.population} networks, {evolution.games_per_evaluation} games each",
            games=len(outcome) * of_each,
            claims=findings.claims(outcome),
            tables=[findings.fresh_wins(outcome)],
            figures=findings.draw(outcome),
            sample=sample_games(evolution, first.task, champions[best], self.sample_games),
            arrays={f"{memory}_{name}": values for memory, one in outcome.items()
                    for name, values in one.arrays().items()},
            champions=champions,
            best=best,
        )  # fmt: skip

    def outcome(self, lab: Lab, evolution: Evolution, name: str) -> Outcome:
        """Evolves and tests one kind of network. `name`: of its loops."""
        task, relative = evolution.task.absolute(), not isinstance(evolution.task, Task)
        history = train(evolution, self.generations, lab, name, cases=0 if relative else len(task.tests))
        if relative:
            streams = evolution.streams("wins of every generation")
            wins = examine(lab, task, streams, history.champions, f"{name}_wins", task.matches)
            history.best_cases = wins.mean(-1)
        last, elsewhere = history.champions[-1:], None
        fresh = examine(lab, task, evolution.streams("test"), last, f"{name}_test", self.retests)[0]
        if self.elsewhere:
            other, streams = _with_seats(task, self.elsewhere), evolution.streams("test elsewhere")
            elsewhere = examine(lab, other, streams, last, f"{name}_elsewhere", self.retests)[0]
        return Outcome(task, history, fresh, elsewhere, relative)

    def tests(self, outcome: Outcome) -> int:
        """Number of games that test the champions of one replica."""
        task = outcome.task
        games = len(task.seatings) * (self.retests + outcome.relative * self.generations * task.matches)
        return games + (len(_with_seats(task, self.elsewhere).seatings) * self.retests if self.elsewhere else 0)


def _with(evolution: Evolution, memory: str) -> Evolution:
    task: Any = evolution.task
    return replace(evolution, task=replace(task, network=task.network.clone(memory=memory)))


def _with_seats(task: Task, seats: int) -> Task:
    """All tests of the same game with `seats` seats."""
    return replace(task, game=replace(task.game, num_seats=seats), tests=(), seats=())


def examine(lab: Lab, task: Task, streams: jax.Array, champions: np.ndarray, name: str, matches: int) -> np.ndarray:
    """Float[generations replicas tests seats]: shares of new games that champions win.

    streams: UInt32[replicas]
    champions: [generations replicas genes]
    name: of the loop in the lab
    matches: number of games per test and seat
    """
    generations, replicas, _ = champions.shape
    shape = len(task.tests), len(task.own_seats)
    at_once = min(generations, CHUNK)
    starts = range(0, generations, at_once)

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        which = np.minimum(np.arange(starts[number], starts[number] + at_once), generations - 1)
        genomes = jnp.asarray(champions[which].reshape(at_once * replicas, -1))
        results = task.play(jnp.tile(streams, at_once), genomes, matches)
        won = np.asarray(results.winner == 0).reshape(at_once, replicas, matches, *shape)
        tree["won"][which] = won.mean(2)
        return tree, {"tested": won.size}, f"{matches} matches a test and seat"

    return lab.loop(name, len(starts), {"won": np.zeros((generations, replicas, *shape))}, step)["won"]


def sample_games(evolution: Evolution, task: Task, champion: np.ndarray, games: int) -> list[Sample]:
    """Games of the champion in `games` different seatings."""
    if games == 0:
        return []
    results = task.play(
        evolution.streams("sample games of a gauntlet")[:1], jnp.asarray(champion)[None], 1, record_moves=True
    )
    return drawn(task, np.asarray(results.moves[0]), games)
