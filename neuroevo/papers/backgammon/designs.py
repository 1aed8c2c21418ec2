"""More players or more games: what the closing question of Bibliowicz & Joshua (2005) asks for, with a budget.

A cell is an evolution by self-play that plays `budget` games, in as few or as many generations as these are enough for.
Of every cell the champions of a few generations are tested against Pubeval, and the best of them anew, with many games.
"""

from dataclasses import dataclass, replace

import numpy as np

from neuroevo.evolution import Evolution, train
from neuroevo.papers.backgammon import designs_findings
from neuroevo.papers.backgammon.design import Cell
from neuroevo.papers.backgammon.designs_findings import Found
from neuroevo.papers.backgammon.self_play import TEST, fresh_wins
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.tasks import RoundRobin, VersusPubeval


@dataclass(frozen=True)
class BackgammonScaled:
    """`cells`: see `Cell`; `budget`: games of each replica. The champions of `tests` generations, evenly spread and the
    last among them, play `test_games`, `at_once` in a program; the best plays `champion_games` anew.
    """

    cells: tuple[str, ...] = ("10/9/4/0",)
    budget: int = 80_000
    tests: int = 10
    test_games: int = 400
    champion_games: int = 10_000
    at_once: int = 40

    def __post_init__(self):
        for cell in self.cells:
            Cell.parse(cell)
        if not self.cells or self.budget < 1 or self.tests < 1:
            raise ValueError(f"there must be cells, and budget and tests at least 1, not {self.budget}, {self.tests}")
        if self.test_games % self.at_once or self.champion_games % (self.at_once * self.tests):
            raise ValueError(
                f"test_games must be a multiple of at_once, and champion_games of tests · at_once, "
                f"not {self.test_games}, {self.champion_games}, {self.tests} and {self.at_once}"
            )

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, RoundRobin):
            raise ValueError("backgammon_scaled needs task=round_robin")
        for text in self.cells:
            cell = Cell.parse(text)
            if cell.games_per_generation(evolution) > self.budget:
                raise ValueError(f"the budget of {self.budget} games is too small for a generation of {text}")
        replace(evolution.task.absolute(), games=self.at_once)  # raises ValueError for odd games

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        found = [self.found(text, evolution, lab) for text in self.cells]
        lab.interrupts.obey_at_once()  # all is saved
        best = max(found, key=lambda one: float(one.fresh.max()))
        played = sum(one.generations * one.cell.games_per_generation(evolution) for one in found)
        tested = len(found) * (self.tests * self.test_games + self.champion_games)
        return designs_findings.conclude(
            found,
            self,
            lab.folder / "figures",
            Findings(
                size=f"{len(found)} designs × {evolution.replicas} replicas of up to {self.budget:,} games",
                games=evolution.replicas * (played + tested),
                claims=[],
                pictures=[],
                champions=best.champions,
                best=int(best.fresh.argmax()),
            ),
        )

    def found(self, text: str, evolution: Evolution, lab: Lab) -> Found:
        cell, name = Cell.parse(text), text.replace("/", "_")
        plan = cell.of(evolution)
        generations = self.budget // cell.games_per_generation(evolution)
        if generations < self.tests:
            raise ConfigError(f"{text} has {generations} generations, and {self.tests} are to be tested")
        history = train(plan, generations, lab, name)
        at = np.linspace(0, generations, self.tests + 1).round().astype(int)[1:] - 1
        some = history.champions[at].transpose(1, 0, 2)
        tested = self.tested(evolution, lab, f"{name}_tests", some, self.test_games // self.at_once)
        champions = some[np.arange(len(some)), tested.argmax(1)]
        crowd = np.repeat(champions[:, None], self.tests, 1)  # the same program again
        rounds = self.champion_games // (self.at_once * self.tests)
        fresh = self.tested(evolution, lab, f"{name}_champion", crowd, rounds).mean(1)
        broken = float(history.measures["truncated"].mean())
        return Found(cell, generations, at + 1, tested, fresh, champions, broken)

    def tested(self, evolution: Evolution, lab: Lab, name: str, genomes: np.ndarray, rounds: int) -> np.ndarray:
        """Float[replicas players]: shares of games won against Pubeval by genomes[replicas, players, genes]."""
        task = replace(evolution.task.absolute(), games=self.at_once)
        assert isinstance(task, VersusPubeval)
        first = sum(name.encode()) * 1000  # random numbers of the name's own, or of its letters

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            tree["wins"] += fresh_wins(task, evolution, genomes, TEST, first + number)
            return tree, {}, f"{tree['wins'].max() / (number + 1):.2f} against Pubeval"

        return lab.loop(name, rounds, {"wins": np.zeros(genomes.shape[:2])}, step)["wins"] / rounds
