"""Evolved focus networks against full-width search in Othello: the tests of Moriarty & Miikkulainen (1994).

After evolution the best network of each replica plays at many depths against full-width searches that make no mistakes,
with all openings and from both sides. For comparison a full-width search plays the same games, and so does a search
that always considers the best three moves.
"""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.arena import Results, Schedule, play_searches
from neuroevo.evolution import Evolution, train
from neuroevo.papers.focus_othello import findings
from neuroevo.papers.focus_othello.agreement import agreement
from neuroevo.papers.focus_othello.findings import BEST_THREE, FOCUS, FULL, Match, Outcome, Unit
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import Focus as Task

LANES = 488  # number of games of a replica at the same time: all openings from both sides
ORDERED = 2  # in the tests moves are ordered by static values at this number of plies; chosen by judgement


@dataclass(frozen=True)
class Focus:
    """Focus networks evolve; the best champion of each replica is tested against searches of many depths.

    evolution: with task=focus.
    generations: number of generations.
    levels: the largest depth of a search in the tests.
    finalists: number of last generations whose champions are tried for the tests; the best one is tested.
    final_games: number of games of each of these champions, even.
    openings: number of openings in the tests, null for all.
    compared: number of games in whose positions windows are compared with full-width searches.
    opponents: a curriculum of depths of the opponent in training, split evenly over the generations; empty for the
        task's own level.
    """

    evolution: Evolution
    generations: int
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
        if not isinstance(self.evolution.task, Task):
            raise ValueError("focus needs task=focus")
        if self.task.level > self.levels:
            raise ValueError(f"levels must be at least the task's level, {self.task.level}, not {self.levels}")

    @property
    def task(self) -> Task:
        """The task of evolution."""
        assert isinstance(self.evolution.task, Task)
        return self.evolution.task

    def compute(self, lab: Lab) -> Outcome:
        history = train(self.evolution, self.generations, lab, at=self.at)
        champions, finals = self.finals(lab, history.champions)
        streams = self.evolution.streams("agreement")
        return Outcome(
            task=self.task,
            training=history.measures["wins"],
            champions=champions,
            finals=finals,
            matches=self.matches(lab, champions),
            **agreement(lab, self.task, streams, champions, self.levels, self.compared),
        )

    def conclude(self, outcome: Outcome) -> Findings:
        evolution, matches = self.evolution, outcome.matches.values()
        games = self.generations * evolution.games_per_generation + outcome.finals.size * self.final_games
        return Findings(
            size=f"{evolution.replicas} replicas × {self.generations} generations of {evolution.strategy.population} "
            f"networks, {evolution.games_per_evaluation} games each",
            games=games + sum(match.score.size for match in matches),
            claims=findings.claims(outcome),
            tables=findings.tables(outcome),
            figures=findings.draw(outcome),
            arrays=outcome.arrays(),
            champions=outcome.champions,
            best=int(outcome.finals.max(1).argmax()),
        )

    def at(self, number: int) -> Evolution:
        """The evolution of a generation, whose opponent may search deeper than before."""
        if not self.opponents:
            return self.evolution
        level = self.opponents[number * len(self.opponents) // self.generations]
        return replace(self.evolution, task=replace(self.task, opponent_level=level))

    def finals(self, lab: Lab, champions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(genomes[replicas, genes] of the best finalists, shares[replicas, finalists] of games won)."""
        last = champions[-self.finalists :].transpose(1, 0, 2)
        task, streams = replace(self.task, games=self.final_games), self.evolution.streams("finals")

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            won = jax.jit(lambda genomes: task.evaluate(streams, genomes, None).wins)(jnp.asarray(last))
            return {"won": np.asarray(won)}, {"tested": won.size}, f"{self.final_games} games each"

        won = lab.loop("finals", 1, {"won": np.zeros(last.shape[:2], np.float32)}, step)["won"]
        return last[np.arange(len(last)), won.argmax(1)], won

    def units(self, trained: int) -> list[Unit]:
        """All matches of the tests, for networks that were trained at level `trained`."""
        depths = range(1, self.levels + 1)
        pairs = [(own, other) for own in depths for other in depths if trained in (own, other)]
        same = [(level, level) for level in depths if level != trained]
        units = [(FOCUS, *pair) for pair in pairs + same] + [(FULL, *pair) for pair in pairs]
        return units + [(BEST_THREE, trained, other) for other in depths]

    def matches(self, lab: Lab, champions: np.ndarray) -> dict[Unit, Match]:
        """Plays all matches of the tests."""
        units = self.units(self.task.level)
        shape = len(champions), 2 * len(self.task.openings[: self.openings])
        blank = {"_".join(map(str, unit)): vars(Match.blank(shape)) for unit in units}

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            who, own, other = units[number]
            match = Match.of(self.play(champions, units[number]))
            tree["_".join(map(str, units[number]))] = vars(match)
            return tree, {"match": number}, f"{who} search at level {own} against level {other}"

        tree = lab.loop("matches", len(units), blank, step)
        return {unit: Match(**tree["_".join(map(str, unit))]) for unit in units}

    def play(self, champions: np.ndarray, unit: Unit) -> Results:
        """One match: all openings from both sides, without mistakes. Each replica has a block."""
        task, (who, own, other), blocks = self.task, unit, len(champions)
        choices = {
            "ordered": ORDERED,
            "max_level": max(own, other, task.level),
        }  # one depth for many matches, so that few programs are compiled
        opponent = task.searcher((blocks,), other, **choices)
        if who == FOCUS:
            first = task.player(jnp.asarray(champions), level=own, **choices)
        else:
            first = task.searcher((blocks,), own, breadth=3 if who == BEST_THREE else 0, **choices)
        openings = task.openings[: self.openings]
        games = 2 * len(openings)
        streams = self.evolution.streams("matches")
        return play_searches((first, opponent), streams, Schedule(games, min(LANES, games), openings=openings))
