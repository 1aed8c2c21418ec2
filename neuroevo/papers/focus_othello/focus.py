"""Evolved focus networks against full-width search in Othello: the tests of Moriarty & Miikkulainen (1994).

After evolution the best network of each replica plays without the opponent's mistakes, over all openings and from both
sides, at many depths. Beside it a full-width search does the same, and one whose window is always the best three moves.
"""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.arena.games import Schedule
from jaxgames.arena.searches import SearchResults, play_searches
from neuroevo.evolution import Evolution, train
from neuroevo.papers.focus_othello import findings
from neuroevo.papers.focus_othello.agreement import agreement
from neuroevo.papers.focus_othello.findings import BEST_THREE, FOCUS, FULL, Match, Outcome, Unit
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import Focus as Task

LANES = 488  # of each replica
ORDERED = 2  # plies at which moves are ordered by static values in the tests, where positions are counted


@dataclass(frozen=True)
class Focus:
    """`levels`: how deep the tests go. The champions of the last `finalists` generations play `final_games` each as in
    training, and the best of them is tested. `openings`: from how many it plays, null for all; `compared`: games in
    which its moves are compared with those of full-width searches. `opponents`: how deep the opponent in training
    searches, first and later, each for equally many generations; empty for the task's level.
    """

    levels: int = 6
    finalists: int = 50
    final_games: int = 100
    openings: int | None = None
    compared: int = 100
    opponents: tuple[int, ...] = ()

    def __post_init__(self):
        smallest = min(
            self.levels, self.finalists, self.final_games, self.compared, self.openings or 1, *self.opponents
        )
        if smallest < 1 or self.final_games % 2:
            raise ValueError(
                "levels, finalists, final_games, openings, compared and opponents must be at least 1, final_games even"
            )

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, Task):
            raise ValueError("focus needs task=focus")
        if evolution.task.level > self.levels:
            raise ValueError(f"levels must be at least the task's level, {evolution.task.level}, not {self.levels}")

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        run = lab.run
        history = train(evolution, run.generations, lab, at=partial(self.at, evolution, run.generations))
        champions, finals = self.finals(lab, evolution, history.champions)
        task = task_of(evolution)
        outcome = Outcome(
            task=task,
            training=history.measures["wins"],
            finals=finals,
            matches=self.matches(lab, evolution, champions),
            **agreement(lab, evolution, champions, self.levels, self.compared),
        )
        lab.interrupts.obey_at_once()  # all is saved
        games = run.generations * evolution.games_per_generation + finals.size * self.final_games
        return findings.conclude(
            outcome,
            lab.folder / "figures",
            Findings(
                size=f"{run.replicas} replicas × {run.generations} generations of {evolution.strategy.population} "
                f"networks, {evolution.games_per_evaluation} games each",
                games=games + sum(match.score.size for match in outcome.matches.values()),
                claims=[],
                pictures=[],
                champions=champions,
                best=int(finals.max(1).argmax()),
            ),
        )

    def at(self, evolution: Evolution, generations: int, number: int) -> Evolution:
        """The opponent may grow."""
        if not self.opponents:
            return evolution
        level = self.opponents[number * len(self.opponents) // generations]
        task = task_of(evolution)
        return replace(evolution, task=replace(task, opponent_level=level))

    def finals(self, lab: Lab, evolution: Evolution, champions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(genomes[replicas, genes] of the best, shares[replicas, finalists] of games won)."""
        last = champions[-self.finalists :].transpose(1, 0, 2)
        task = replace(task_of(evolution), games=self.final_games)
        streams = evolution.fresh_stream() + jnp.arange(len(last), dtype=jnp.uint32)

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            won = jax.jit(lambda genomes: task.evaluate(streams, genomes, None).wins)(jnp.asarray(last))
            return {"won": np.asarray(won)}, {"tested": won.size}, f"{self.final_games} games each"

        won = lab.loop("finals", 1, {"won": np.zeros(last.shape[:2], np.float32)}, step)["won"]
        return last[np.arange(len(last)), won.argmax(1)], won

    def units(self, trained: int) -> list[Unit]:
        """(who, its level, the level of its full-width opponent)."""
        depths = range(1, self.levels + 1)
        pairs = [(own, other) for own in depths for other in depths if trained in (own, other)]
        same = [(level, level) for level in depths if level != trained]
        units = [(FOCUS, *pair) for pair in pairs + same] + [(FULL, *pair) for pair in pairs]
        return units + [(BEST_THREE, trained, other) for other in depths]

    def matches(self, lab: Lab, evolution: Evolution, champions: np.ndarray) -> dict[Unit, Match]:
        task = task_of(evolution)
        units = self.units(task.level)
        shape = len(champions), 2 * len(task.openings[: self.openings])
        blank = {"_".join(map(str, unit)): vars(Match.blank(shape)) for unit in units}

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            who, own, other = units[number]
            found = Match.of(self.play(evolution, champions, units[number]))
            tree["_".join(map(str, units[number]))] = vars(found)
            return tree, {"match": number}, f"{who} search at level {own} against level {other}"

        tree = lab.loop("matches", len(units), blank, step)
        return {unit: Match(**tree["_".join(map(str, unit))]) for unit in units}

    def play(self, evolution: Evolution, champions: np.ndarray, unit: Unit) -> SearchResults:
        """All openings from both sides, without mistakes; each replica in a block of its own."""
        task, (who, own, other), blocks = task_of(evolution), unit, len(champions)
        choices = {"ordered": ORDERED, "max_level": max(own, other, task.level)}  # few programs
        opponent = task.searcher((blocks,), other, **choices)
        if who == FOCUS:
            first = task.player(jnp.asarray(champions), level=own, **choices)
        else:
            first = task.searcher((blocks,), own, breadth=3 if who == BEST_THREE else 0, **choices)
        openings = task.openings[: self.openings]
        games = 2 * len(openings)
        streams = evolution.fresh_stream() + jnp.arange(blocks, dtype=jnp.uint32)
        return play_searches((first, opponent), streams, Schedule(games, min(LANES, games), openings=openings))


def task_of(evolution: Evolution) -> Task:
    assert isinstance(evolution.task, Task)
    return evolution.task
