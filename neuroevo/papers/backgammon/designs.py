"""More players or more games at equal cost: the closing question of Bibliowicz & Joshua (2005).

Each cell is a design of evolution by self-play. It runs for as many generations as `budget` games allow. Champions of a
few generations are tested against Pubeval, and the best of them is tested again in many new games.
"""

from dataclasses import dataclass, replace

import numpy as np

from neuroevo.evolution import Evolution, train
from neuroevo.papers.backgammon import designs_findings as findings
from neuroevo.papers.backgammon.design import Cell
from neuroevo.papers.backgammon.designs_findings import Found
from neuroevo.papers.backgammon.self_play import wins
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import RoundRobin, VersusPubeval


@dataclass(frozen=True)
class BackgammonScaled:
    """Designs of self-play at equal cost.

    cells: the designs, see `Cell`.
    budget: number of games of each replica in evolution.
    tests: number of generations, evenly spread, whose champions are tested against Pubeval.
    test_games: number of games of each test.
    champion_games: number of new games of the best champion.
    at_once: number of games that one call of the test program plays.

    `evolution` has the parts that all designs share.
    """

    evolution: Evolution
    cells: tuple[str, ...] = ("10/9/4/0",)
    budget: int = 80_000
    tests: int = 10
    test_games: int = 400
    champion_games: int = 10_000
    at_once: int = 40

    def __post_init__(self):
        if not isinstance(self.evolution.task, RoundRobin):
            raise ValueError("backgammon_scaled needs task=round_robin")
        if not self.cells or self.budget < 1 or self.tests < 1:
            raise ValueError(f"there must be cells, and budget and tests at least 1, not {self.budget}, {self.tests}")
        if min(self.test_games, self.champion_games, self.at_once) < 1:
            raise ValueError(
                f"test_games, champion_games and at_once must be at least 1, "
                f"not {self.test_games}, {self.champion_games} and {self.at_once}"
            )
        if self.test_games % self.at_once or self.champion_games % (self.at_once * self.tests):
            raise ValueError(
                f"test_games must be a multiple of at_once, and champion_games of tests · at_once, "
                f"not {self.test_games}, {self.champion_games}, {self.tests} and {self.at_once}"
            )

        for text in self.cells:
            generations = self.budget // Cell.parse(text).games_per_generation(self.evolution)
            if generations < self.tests:
                raise ValueError(
                    f"a budget of {self.budget} games is enough for {generations} generations of {text}, and "
                    f"{self.tests} are to be tested"
                )
        replace(self.evolution.task.absolute(), games=self.at_once)  # raises ValueError for odd games

    def compute(self, lab: Lab) -> list[Found]:
        return [self.found(text, lab) for text in self.cells]

    def conclude(self, outcome: list[Found]) -> Findings:
        best, replicas = max(outcome, key=lambda one: float(one.fresh.max())), self.evolution.replicas
        played = sum(one.generations * one.cell.games_per_generation(self.evolution) for one in outcome)
        tested = len(outcome) * (self.tests * self.test_games + self.champion_games)
        return Findings(
            size=f"{len(outcome)} designs × {replicas} replicas of up to {self.budget:,} games",
            games=replicas * (played + tested),
            claims=findings.claims(outcome, self.champion_games),
            tables=[findings.cells_table(outcome, self.champion_games)],
            figures={"cells": findings.curves(outcome, self.budget)},
            arrays={f"{one.name.replace('/', '_')}_{key}": getattr(one, key) for one in outcome
                    for key in ("tested", "fresh")},
            champions=best.champions,
            best=int(best.fresh.argmax()),
        )  # fmt: skip

    def found(self, text: str, lab: Lab) -> Found:
        """Evolves and tests one design, given as text."""
        cell, name = Cell.parse(text), text.replace("/", "_")
        plan = cell.of(self.evolution)
        generations = self.budget // cell.games_per_generation(self.evolution)
        history = train(plan, generations, lab, name)
        at = np.linspace(0, generations, self.tests + 1).round().astype(int)[1:] - 1
        some = history.champions[at].transpose(1, 0, 2)
        tested = self.tested(lab, f"{name}_tests", some, self.test_games // self.at_once)
        champions = some[np.arange(len(some)), tested.argmax(1)]
        # In the shape of the tests, so that no other program is compiled.
        repeated = np.repeat(champions[:, None], self.tests, 1)
        rounds = self.champion_games // (self.at_once * self.tests)
        fresh = self.tested(lab, f"{name}_champion", repeated, rounds).mean(1)
        truncated = float(history.measured("truncated").mean())
        return Found(cell, generations, at + 1, tested, fresh, champions, truncated)

    def tested(self, lab: Lab, name: str, genomes: np.ndarray, rounds: int) -> np.ndarray:
        """Float[replicas players]: shares of games that genomes[replicas, players, genes] win against Pubeval."""
        task = replace(self.evolution.task.absolute(), games=self.at_once)
        assert isinstance(task, VersusPubeval)

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            streams = self.evolution.streams(f"tests of design {name}", number)
            tree["wins"] += wins(task, streams, genomes)
            return tree, {}, f"{tree['wins'].max() / (number + 1):.2f} against Pubeval"

        return lab.loop(name, rounds, {"wins": np.zeros(genomes.shape[:2])}, step)["wins"] / rounds
