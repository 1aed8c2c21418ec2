"""Untrained networks on boards of several sizes: table I, figures 3–5 of Schaul & Schmidhuber (2008, section V-A, B).

Each network is drawn once and plays both opponents of both games on boards of every size. Networks are tested in
chunks, so that little is lost when a run is killed.
"""

from dataclasses import dataclass, replace

import jax
import numpy as np

from jaxgames import AtariGo, Gomoku
from jaxgames.players import PLAYERS
from neuroevo.networks import MDRNN, MLP
from neuroevo.papers.mdrnn import figures
from neuroevo.papers.mdrnn import scaling_findings as findings
from neuroevo.papers.mdrnn.activations import draw_activations
from neuroevo.papers.mdrnn.table_1 import ROWS, SIZES, Cell, Row, Scores, enlarged
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.streams import streams
from neuroevo.tasks import VersusOpponent, retest

POOLS = "described", "published"  # as the paper describes the networks, or as its table was computed


@dataclass(frozen=True)
class Scaling:
    """Untrained networks of the kind of `task.network` play both opponents.

    seed: from which all random numbers are derived.
    networks: number of networks in a row of the table.
    mlps: number of MLPs of each kind on 5×5 and 9×9.
    chunk: number of networks that are tested at the same time.
    pool: `described`: one kind of network; `published`: the kinds of the stored results of 2008 in their shares, with
        the border, the scores and Gomoku's directions of 2008.
    games: games whose rows of the table are computed.
    opponents: opponents whose rows are computed.
    largest: largest size of the larger board whose rows are computed.
    """

    task: VersusOpponent
    seed: int
    networks: int = 1000
    mlps: int = 200
    chunk: int = 250
    pool: str = "described"
    games: tuple[str, ...] = ("Atari-Go", "Gomoku")
    opponents: tuple[str, ...] = ("random", "naive")
    largest: int = 19

    def __post_init__(self):
        if self.pool not in POOLS:
            raise ValueError(f"pool must be one of {', '.join(POOLS)}, not {self.pool!r}")
        if not isinstance(self.task, VersusOpponent) or not isinstance(self.task.network, MDRNN):
            raise ValueError("scaling needs task=versus_opponent and network=mdrnn")
        if not self.rows:
            raise ValueError(f"table I has no row for {self.games}, {self.opponents} and boards up to {self.largest}")
        if min(self.networks, self.mlps, self.chunk) < 2:
            raise ValueError(f"networks, mlps and chunk must be at least 2: {self.networks}, {self.mlps}, {self.chunk}")

    @property
    def rows(self) -> list[Row]:
        """The rows of table I that are computed."""
        return [
            row
            for row in ROWS
            if row.game in self.games and row.opponent in self.opponents and row.large <= self.largest
        ]

    def compute(self, lab: Lab) -> dict[str, np.ndarray]:
        """Float[2 networks] for each cell by its key: mean scores, and shares of draws."""
        counts = self.cells()
        chunks = [(cell, at) for cell, count in counts.items() for at in range(0, count, self.chunk)]
        blank = {cell.key: np.zeros((2, count), np.float32) for cell, count in counts.items()}

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            cell, at = chunks[number]
            measures = self._test(cell, at)
            tree[cell.key][:, at : at + self.chunk] = measures[:, : counts[cell] - at]
            return tree, {"chunks": number + 1}, cell.key

        return lab.loop("scaling", len(chunks), blank, step)

    def conclude(self, outcome: dict[str, np.ndarray]) -> Findings:
        counts = self.cells()
        scores, draws = ({cell: outcome[cell.key][part] for cell in counts} for part in (0, 1))
        rows = {row: self.pooled(row, scores) for row in self.rows}
        estimates = findings.estimates_of(rows)
        trends = findings.trends(scores, draws) if self.pool == "described" else []
        curves = findings.draw_percentiles(scores) if self.pool == "described" else {}
        total, games = sum(counts.values()), self.task.games_of(1, None)
        return Findings(
            size=f"{total:,} times a network on a board × {games} games, pool {self.pool}",
            games=total * games,
            claims=findings.table_claims(estimates) + trends,
            tables=[findings.table_1(estimates)],
            figures={
                "figure_2": draw_activations(self.task.game.resized(9), self.seed),
                **curves,
                "figure_5": figures.size_scatter(next(iter(rows.values())), "Atari-Go against random", (5, 9)),
            },
            arrays={key.replace(" ", "_"): values for key, values in outcome.items()},
        )

    def kinds(self, row: Row) -> dict[tuple[int, float], int]:
        """The number of networks that a row of the table pools, by (hidden units, scale of the weights)."""
        if self.pool == "described":
            return {(self.task.network.hidden, 1.0): self.networks}
        return enlarged(row.pool, self.networks)

    def cells(self) -> dict[Cell, int]:
        """All cells to be tested, each with its number of networks."""
        counts: dict[Cell, int] = {}
        for row in self.rows:
            for (hidden, scale), count in self.kinds(row).items():
                for size in (row.small, row.large):
                    cell = Cell(row.game, row.opponent, "mdrnn", hidden, scale, size)
                    counts[cell] = max(counts.get(cell, 0), count)
        if self.pool == "described":
            for game, opponent in {(row.game, row.opponent): None for row in self.rows}:
                for hidden, size in ((100, 5), (100, 9), (20, 5), (20, 9)):
                    counts[Cell(game, opponent, "mlp", hidden, 1.0, size)] = self.mlps
        return dict(sorted(counts.items(), key=lambda item: (SIZES.index(item[0].size), item[0].key)))

    def pooled(self, row: Row, scores: Scores) -> np.ndarray:
        """Float[networks 2]: the scores of a row's networks on its smaller and its larger board."""
        parts = []
        for (hidden, scale), count in self.kinds(row).items():
            cells = [Cell(row.game, row.opponent, "mdrnn", hidden, scale, size) for size in (row.small, row.large)]
            parts.append(np.stack([scores[cell][:count] for cell in cells], 1))
        return np.concatenate(parts)

    def _test(self, cell: Cell, at: int) -> np.ndarray:
        """Float[2 networks]: mean scores and shares of draws of the chunk of networks that begins at number `at`."""
        task = self._task(cell)
        key = jax.random.key(self.seed)
        for number in (cell.hidden, round(1000 * cell.scale), at):  # the same networks for every board and opponent
            key = jax.random.fold_in(key, number)
        genomes = cell.scale * jax.random.normal(key, (1, self.chunk, task.genes))
        score, _ = retest(task, streams(self.seed, "scaling", at)[0], genomes, task.games)
        return np.stack([np.asarray(score[0]).mean(-1), (np.asarray(score[0]) == 0).mean(-1)])

    def _task(self, cell: Cell) -> VersusOpponent:
        task, published = self.task, self.pool == "published"
        board = AtariGo(cell.size)
        if cell.game == "Gomoku":
            board = Gomoku(cell.size, cell.size, directions=3 if published else 4)
        network = MLP(cell.hidden) if cell.network == "mlp" else task.network.clone(hidden=cell.hidden)
        task = replace(task, game=board, network=network, opponent=PLAYERS[cell.opponent](board))
        if published:
            return replace(task, network=network.clone(border="added"), speed_weight=0.0)
        return task
