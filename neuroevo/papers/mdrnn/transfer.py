"""From the board of training to larger ones: table III and figure 10 of Schaul & Schmidhuber (2008, section V-E).

Networks are trained by evolution and by coevolution. The champions of later generations then play the same opponent on
the board of their training and on larger ones.
"""

from dataclasses import dataclass, replace

import numpy as np

from jaxgames import AtariGo
from jaxgames.core import StoneGame
from jaxgames.players import PLAYERS
from neuroevo.evolution import Evolution, train
from neuroevo.papers.mdrnn import transfer_findings as findings
from neuroevo.papers.mdrnn.champion_scores import absolute_scores
from neuroevo.papers.mdrnn.transfer_findings import ROWS, Comparison
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.strategies import ES, Coevolution
from neuroevo.tasks import VersusOpponent, VersusOthers

Scores = dict[
    tuple[str, int, str, int], np.ndarray
]  # by (method, trained on, test, tested on): Float[replicas champions]
BEYOND = 19  # size of the board that the paper names as the next step


@dataclass(frozen=True)
class Transfer:
    """Champions of both methods play the same opponent on the board of training and on larger ones.

    evolution: with strategy=es and task=versus_opponent.
    generations: number of generations of every training.
    skip: the first generation whose champions are tested.
    games: number of games of a test.
    games_beyond: number of games of a test on 19×19, which the paper does not have.
    chunk: number of champions of a replica that are tested at the same time.
    largest: largest size of the larger board whose rows of the table are computed.
    stronger: whether champions also play the heuristic player.
    """

    evolution: Evolution
    generations: int
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
        evolution, task = self.evolution, self.evolution.task
        if not isinstance(evolution.strategy, ES) or not isinstance(task, VersusOpponent):
            raise ValueError("transfer needs strategy=es and task=versus_opponent")
        if task.genes != replace(task, game=task.game.resized(task.game.rows + 1)).genes:
            raise ValueError(
                "transfer needs a network with the same weights for every size: network=mdrnn, for example"
            )
        if self.generations < self.skip + 2:
            raise ValueError(f"generations must be at least study.skip + 2, not {self.generations}")
        if not self.rows:
            raise ValueError(f"table III has no row for boards up to {self.largest}")

    @property
    def rows(self) -> list[tuple[str, int, int]]:
        """The rows of table III that are computed: (method, size of training, size of the larger board)."""
        return [row for row in ROWS if row[2] <= self.largest]

    @property
    def trainings(self) -> list[tuple[str, int]]:
        """All trainings: (method, size of the board)."""
        return list(dict.fromkeys((method, small) for method, small, _ in self.rows))

    def compute(self, lab: Lab) -> tuple[dict[tuple[str, int], np.ndarray], Scores]:
        """(champions[replicas, generations, genes] of each training, scores of each test)."""
        champions, scores = {}, {}
        for method, size in self.trainings:
            plan = method_of(self.evolution, method, size)
            history = train(plan, self.generations, lab, f"{method}_{size}")
            champions[method, size] = trained = history.champions.transpose(1, 0, 2)
            for test, board in self.tests(method, size):
                task, stream = self.task(test, board), self.evolution.streams("transfer")[0]  # one for all tests
                name = f"{method}_{size}_{test}_{board}"
                scores[method, size, test, board] = absolute_scores(
                    lab, name, task, stream, trained[:, self.skip :], self.chunk
                )
        return champions, scores

    def conclude(self, outcome: tuple[dict[tuple[str, int], np.ndarray], Scores]) -> Findings:
        champions, scores = outcome
        game, comparisons = self.evolution.task.game, self.comparisons(scores)
        trained = [method_of(self.evolution, *training).games_per_generation for training in self.trainings]
        tested = [score.size * self.task(test, board).games for (_, _, test, board), score in scores.items()]
        return Findings(
            size=f"{len(trained)} trainings × {self.evolution.replicas} replicas × {self.generations} generations, "
            f"champions from generation {self.skip} on × {self.games} games a test, on 19×19 {self.games_beyond}",
            games=self.generations * sum(trained) + sum(tested),
            claims=findings.claims(game, comparisons),
            tables=[findings.table_3(game, comparisons)],
            figures={"figure_10": findings.figure_10(game, comparisons)},
            arrays={"_".join(map(str, ("champions", *key))): values for key, values in champions.items()}
            | {"_".join(map(str, ("score", *key))): values for key, values in scores.items()},
        )

    def tests(self, method: str, size: int) -> list[tuple[str, int]]:
        """All tests of one training: (test, size of its board)."""
        tests = {}  # an ordered set
        for _, small, large in (row for row in self.rows if row[:2] == (method, size)):
            tests |= {("naive", small): None, ("naive", large): None}
            if large < BEYOND:
                tests["published", large] = None
                if self.stronger:
                    tests |= {("heuristic", small): None, ("heuristic", large): None}
        return list(tests)

    def task(self, test: str, size: int) -> VersusOpponent:
        """The games of a test: against the player of that name, or `published`: Atari-Go against the random player.

        The printed table's scores on the larger board come from the latter.
        """
        games = self.games_beyond if size == BEYOND else self.games
        if test == "published":
            return _against(self.evolution, AtariGo(size), "random", games)
        return _against(self.evolution, self.evolution.task.game.resized(size), test, games)

    def comparisons(self, scores: Scores) -> list[Comparison]:
        """The scores of every row and test in pairs."""
        comparisons = []
        for method, small, large in self.rows:
            for test in ("published", "naive", "heuristic"):
                start = "naive" if test == "published" else test
                sides = (method, small, start, small), (method, small, test, large)
                if all(side in scores for side in sides):
                    pairs = np.stack([scores[side] for side in sides], -1)
                    comparisons.append(Comparison(method, small, large, test, pairs))
        return comparisons


def method_of(evolution: Evolution, method: str, size: int) -> Evolution:
    """The training by one method on a board of one size."""
    task, board = evolution.task, evolution.task.game.resized(size)
    assert isinstance(task, VersusOpponent)
    if method == "evolution":
        opponent = type(task.opponent)(board)  # type: ignore[call-arg]  # one of PLAYERS
        return replace(evolution, task=replace(task, game=board, opponent=opponent))
    others = VersusOthers(
        board, task.network, speed_weight=task.speed_weight, temperature=task.temperature, encoder=task.encoder
    )
    return replace(evolution, strategy=Coevolution(), task=others)


def _against(evolution: Evolution, board: StoneGame, opponent: str, games: int) -> VersusOpponent:
    assert isinstance(evolution.task, VersusOpponent)
    return replace(evolution.task, game=board, opponent=PLAYERS[opponent](board), games=games)
