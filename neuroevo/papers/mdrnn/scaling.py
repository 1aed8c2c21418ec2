"""Untrained networks on boards of several sizes: table I, figures 3–5 of Schaul & Schmidhuber (2008, section V-A, B).

A network is drawn once and meets both opponents of both games on every size. Networks are tested in chunks, so that the
run can be killed at any time.
"""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import AtariGo, Gomoku
from jaxgames.players.by_name import HAND_CODED
from neuroevo.evolution import Evolution
from neuroevo.networks import MDRNN, MLP
from neuroevo.papers.mdrnn import scaling_findings
from neuroevo.papers.mdrnn.activations import draw_activations
from neuroevo.papers.mdrnn.table_1 import ROWS, SIZES, Cell, Row, Scores, enlarged
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import VersusOpponent, retest

POOLS = "described", "published"


@dataclass(frozen=True)
class Scaling:
    """`networks` a row, of the kind that the config describes; with pool=published in the 2008 shares of several kinds,
    whose border, scores and directions of Gomoku are those of 2008 too. `mlps` of each kind on 5×5 and 9×9. Of the
    table the rows with these `opponents` and `games` are computed whose larger board is at most `largest`.
    """

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
        if not self.rows:
            raise ValueError(f"table I has no row for {self.games}, {self.opponents} and boards up to {self.largest}")
        if min(self.networks, self.mlps, self.chunk) < 2:
            raise ValueError(f"networks, mlps and chunk must be at least 2: {self.networks}, {self.mlps}, {self.chunk}")

    @property
    def rows(self) -> list[Row]:
        return [
            row
            for row in ROWS
            if row.game in self.games and row.opponent in self.opponents and row.large <= self.largest
        ]

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, VersusOpponent) or not isinstance(evolution.task.network, MDRNN):
            raise ValueError("scaling needs task=versus_opponent and network=mdrnn")

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        counts = self.cells(evolution)
        chunks = [(cell, at) for cell, count in counts.items() for at in range(0, count, self.chunk)]
        blank = {cell.key: np.zeros((2, count), np.float32) for cell, count in counts.items()}

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            cell, at = chunks[number]
            found = self._test(evolution, cell, at)
            tree[cell.key][:, at : at + self.chunk] = found[:, : counts[cell] - at]
            return tree, {"chunks": number + 1}, cell.key

        tree = lab.loop("scaling", len(chunks), blank, step)
        scores, draws = ({cell: tree[cell.key][part] for cell in counts} for part in (0, 1))
        lab.interrupts.obey_at_once()  # all is saved
        total, games = sum(counts.values()), evolution.task.games_of(1, None)
        board = evolution.task.game.resized(9)
        return scaling_findings.conclude(
            self.pool,
            {row: self.pooled(evolution, row, scores) for row in self.rows},
            scores,
            draws,
            lab.folder / "figures",
            Findings(
                size=f"{total:,} times a network on a board × {games} games, pool {self.pool}",
                games=total * games,
                claims=[],
                pictures=[draw_activations(lab.folder / "figures" / "figure_2.png", board, evolution.seed)],
                arrays={key.replace(" ", "_"): values for key, values in tree.items()},
            ),
        )

    def kinds(self, evolution: Evolution, row: Row) -> dict[tuple[int, float], int]:
        """(hidden units, scale) → how many networks of this kind a row of the table pools."""
        if self.pool == "described":
            return {(evolution.task.network.hidden, 1.0): self.networks}
        return enlarged(row.pool, self.networks)

    def cells(self, evolution: Evolution) -> dict[Cell, int]:
        """Everything to be tested, with the number of networks."""
        counts: dict[Cell, int] = {}
        for row in self.rows:
            for (hidden, scale), count in self.kinds(evolution, row).items():
                for size in (row.small, row.large):
                    cell = Cell(row.game, row.opponent, "mdrnn", hidden, scale, size)
                    counts[cell] = max(counts.get(cell, 0), count)
        if self.pool == "described":
            for game, opponent in {(row.game, row.opponent): None for row in self.rows}:
                for hidden, size in ((100, 5), (100, 9), (20, 5), (20, 9)):
                    counts[Cell(game, opponent, "mlp", hidden, 1.0, size)] = self.mlps
        return dict(sorted(counts.items(), key=lambda item: (SIZES.index(item[0].size), item[0].key)))

    def pooled(self, evolution: Evolution, row: Row, scores: Scores) -> np.ndarray:
        """Float[networks 2]: the scores of a row's networks on the smaller and the larger board."""
        parts = []
        for (hidden, scale), count in self.kinds(evolution, row).items():
            cells = [Cell(row.game, row.opponent, "mdrnn", hidden, scale, size) for size in (row.small, row.large)]
            parts.append(np.stack([scores[cell][:count] for cell in cells], 1))
        return np.concatenate(parts)

    def _test(self, evolution: Evolution, cell: Cell, at: int) -> np.ndarray:
        """Float[2 networks]: mean scores and shares of draws of one chunk of networks."""
        task = self._task(evolution, cell)
        key = jax.random.key(evolution.seed)
        for number in (cell.hidden, round(1000 * cell.scale), at):  # the same for every board and opponent
            key = jax.random.fold_in(key, number)
        genomes = cell.scale * jax.random.normal(key, (1, self.chunk, task.genes))
        score, _ = retest(task, evolution.fresh_stream() + jnp.uint32(at), genomes, task.games)
        return np.stack([np.asarray(score[0]).mean(-1), (np.asarray(score[0]) == 0).mean(-1)])

    def _task(self, evolution: Evolution, cell: Cell) -> VersusOpponent:
        task, published = evolution.task, self.pool == "published"
        assert isinstance(task, VersusOpponent)
        board = AtariGo(cell.size)
        if cell.game == "Gomoku":
            board = Gomoku(cell.size, cell.size, directions=3 if published else 4)
        network = MLP(cell.hidden) if cell.network == "mlp" else task.network.clone(hidden=cell.hidden)
        task = replace(task, game=board, network=network, opponent=HAND_CODED[cell.opponent](board))
        if published:
            return replace(task, network=network.clone(border="added"), speed_weight=0.0)
        return task
