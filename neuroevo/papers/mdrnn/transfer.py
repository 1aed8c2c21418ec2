"""From the board of training to larger ones: table III and figure 10 of Schaul & Schmidhuber (2008, section V-E).

Networks are trained by evolution and by coevolution. The champions of the later generations then meet the same opponent
on the board that they know and on larger ones.
"""

from dataclasses import dataclass, replace

import numpy as np

from jaxgames import AtariGo
from jaxgames.core import StoneGame
from jaxgames.players.by_name import HAND_CODED
from neuroevo.evolution import Evolution, train
from neuroevo.papers.mdrnn import transfer_findings
from neuroevo.papers.mdrnn.champion_scores import absolute_scores
from neuroevo.papers.mdrnn.transfer_findings import ROWS, Comparison
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.strategies import ES, Coevolution
from neuroevo.tasks import VersusOpponent, VersusOthers

Scores = dict[tuple[str, int, str, int], np.ndarray]  # method, trained on, test, tested on → Float[replicas champions]
BEYOND = 19  # size of the step that the paper asks for next


@dataclass(frozen=True)
class Transfer:
    """Champions from generation `skip` on play `games` games a test, or, on 19×19, which is beyond the paper,
    `games_beyond`; `chunk` champions of a replica at a time. Of the table those rows are computed whose larger board is
    at most `largest`; `stronger`: against the heuristic player too.
    """

    skip: int = 50
    games: int = 100
    games_beyond: int = 50
    chunk: int = 25
    largest: int = 19
    stronger: bool = True

    def __post_init__(self):
        if min(self.games, self.games_beyond, self.chunk) < 1 or self.skip < 0:
            raise ValueError(
                f"games, games_beyond and chunk must be at least 1 and skip at least 0, "
                f"not {self.games}, {self.games_beyond}, {self.chunk} and {self.skip}"
            )
        if not self.rows:
            raise ValueError(f"table III has no row for boards up to {self.largest}")

    @property
    def rows(self) -> list[tuple[str, int, int]]:
        return [row for row in ROWS if row[2] <= self.largest]

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.strategy, ES) or not isinstance(evolution.task, VersusOpponent):
            raise ValueError("transfer needs strategy=es and task=versus_opponent")
        task = evolution.task
        if task.genes != replace(task, game=task.game.resized(task.game.rows + 1)).genes:
            raise ValueError(
                "transfer needs a network with the same weights for every size: network=mdrnn, for example"
            )

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        generations = lab.run.generations
        if generations < self.skip + 2:
            raise ConfigError(f"generations must be at least study.skip + 2, not {generations}")
        trained = {(method, small): None for method, small, _ in self.rows}
        scores: Scores = {}
        arrays, games = {}, 0
        for method, size in trained:
            plan = method_of(evolution, method, size)
            champions = train(plan, generations, lab, f"{method}_{size}").champions.transpose(1, 0, 2)
            arrays[f"champions_{method}_{size}"] = champions
            games += generations * plan.games_per_generation
            for test, board in self.tests(method, size):
                task = self.task(evolution, test, board)
                name = f"{method}_{size}_{test}_{board}"
                stream = evolution.fresh_stream()
                scores[method, size, test, board] = arrays[f"score_{name}"] = absolute_scores(
                    lab, name, task, stream, champions[:, self.skip :], self.chunk
                )
                games += arrays[f"score_{name}"].size * task.games
        lab.interrupts.obey_at_once()  # all is saved
        return transfer_findings.conclude(
            evolution.task.game,
            self.comparisons(scores),
            lab.folder / "figures",
            Findings(
                size=f"{len(trained)} trainings × {evolution.replicas} replicas × {generations} generations, "
                f"champions from generation {self.skip} on × {self.games} games a test, on 19×19 {self.games_beyond}",
                games=games,
                claims=[],
                pictures=[],
                arrays=arrays,
            ),
        )

    def tests(self, method: str, size: int) -> list[tuple[str, int]]:
        """(test, size of its board), each once."""
        found = {}
        for _, small, large in (row for row in self.rows if row[:2] == (method, size)):
            found |= {("naive", small): None, ("naive", large): None}
            if large < BEYOND:
                found["published", large] = None
                if self.stronger:
                    found |= {("heuristic", small): None, ("heuristic", large): None}
        return list(found)

    def task(self, evolution: Evolution, test: str, size: int) -> VersusOpponent:
        """`published`: Atari-Go against random, which the larger board's scores of the printed table come from."""
        games = self.games_beyond if size == BEYOND else self.games
        if test == "published":
            return _against(evolution, AtariGo(size), "random", games)
        return _against(evolution, evolution.task.game.resized(size), test, games)

    def comparisons(self, scores: Scores) -> list[Comparison]:
        found = []
        for method, small, large in self.rows:
            for test in ("published", "naive", "heuristic"):
                start = "naive" if test == "published" else test
                sides = (method, small, start, small), (method, small, test, large)
                if all(side in scores for side in sides):
                    pairs = np.stack([scores[side] for side in sides], -1)
                    found.append(Comparison(method, small, large, test, pairs))
        return found


def method_of(evolution: Evolution, method: str, size: int) -> Evolution:
    """The training of one method on one board."""
    task, board = evolution.task, evolution.task.game.resized(size)
    assert isinstance(task, VersusOpponent)
    if method == "evolution":
        opponent = type(task.opponent)(board)  # type: ignore[call-arg]  # one of HAND_CODED
        return replace(evolution, task=replace(task, game=board, opponent=opponent))
    others = VersusOthers(
        board, task.network, speed_weight=task.speed_weight, temperature=task.temperature, encoder=task.encoder
    )
    return replace(evolution, strategy=Coevolution(), task=others)


def _against(evolution: Evolution, board: StoneGame, opponent: str, games: int) -> VersusOpponent:
    assert isinstance(evolution.task, VersusOpponent)
    return replace(evolution.task, game=board, opponent=HAND_CODED[opponent](board), games=games)
