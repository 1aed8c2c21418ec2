"""Fits the evaluation `bill` to games of its own making (see `jaxgames.games.othello.bill`), and looks at how well it predicts them.

Both sides search equally deep by the weights of squares and now and then play any move. A position counts with its
features for the side to move, and whether that side won in the end.
"""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import bitboard as bb
from jaxgames import files
from jaxgames.arena.games import Schedule
from jaxgames.arena.searches import play_searches
from jaxgames.games.othello import bill, rules
from jaxgames.games.othello.bill import DISCS, FEATURES, Bill
from jaxgames.games.othello.positional import Positional
from jaxgames.players import Search
from neuroevo.evolution import Evolution
from neuroevo.papers.focus_othello import fit_bill_findings
from neuroevo.papers.focus_othello.fit_bill_findings import Fit, Sample
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.tasks import Focus

CHUNK = 488  # games that are looked at together
RIDGE = 0.01  # is added to variances


@dataclass(frozen=True)
class FitBill:
    """`games` are played at each of the `levels`. What is fitted to a number of discs is fitted to positions with up to
    `pooled` more or fewer. One game in `held_out` is not fitted to.
    """

    levels: tuple[int, ...] = (2, 3, 4)
    games: int = 4880
    pooled: int = 2
    held_out: int = 5
    test_games: int = 488

    def __post_init__(self):
        if not self.levels or min(*self.levels, self.test_games) < 1 or self.pooled < 0 or self.held_out < 2:
            raise ValueError("levels and test_games must be at least 1, pooled 0, and held_out 2")
        if self.games < self.held_out:
            raise ValueError(f"games must be at least held_out, {self.held_out}, not {self.games}")

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, Focus):
            raise ValueError("fit_bill needs task=focus")

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        task = evolution.task
        assert isinstance(task, Focus)
        shape = len(self.levels), self.games, task.game.max_plies
        blank = {"features": np.zeros((*shape, len(FEATURES)), np.float32), "discs": np.zeros(shape, np.int8),
                 "result": np.zeros(shape, np.int8)}  # fmt: skip

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            moves = self.play(evolution, task, number)
            for start in range(0, self.games, CHUNK):
                seen = jax.device_get(
                    _looked_at(task.game, jnp.resize(moves[start : start + CHUNK], (CHUNK, shape[2])))
                )
                for name, values in zip(tree, seen, strict=True):
                    part = tree[name][number, start : start + CHUNK]
                    part[:] = values[: len(part)]
            return tree, {"level": self.levels[number]}, f"{self.games} games at level {self.levels[number]}"

        tree = lab.loop("played", len(self.levels), blank, step)
        game = np.arange(len(self.levels) * self.games)
        positions = Sample(**{name: values.reshape(len(game), *values.shape[2:]) for name, values in tree.items()})
        seen, unseen = (positions.of_games(game % self.held_out != 0), positions.of_games(game % self.held_out == 0))
        fitted = fit(seen, self.pooled)
        text = {name: np.round(value, 6).tolist() for name, value in fitted.items()}
        files.write(lab.folder / "bill.json", json.dumps(text) + "\n")
        score = self.strength(evolution, task, lab.folder / "bill.json")
        outcome = Fit(bill.polynomials(str(lab.folder / "bill.json")), fit_bill_findings.regressions(seen, self.pooled),
                      unseen, score)  # fmt: skip
        lab.interrupts.obey_at_once()  # all is saved
        size = f"{self.games:,} games at each of the levels {', '.join(map(str, self.levels))}"
        return fit_bill_findings.conclude(
            outcome,
            lab.folder / "figures",
            Findings(size, len(game) + self.test_games, claims=[], pictures=[], arrays=dict(fitted)),
        )

    def play(self, evolution: Evolution, task: Focus, number: int) -> jax.Array:
        """Int[games, plies]: moves of games from all openings in turn."""
        player = Search(task.game, Positional(), self.levels[number], random=task.mistakes, ordered=0)
        devices = jax.device_count()
        games = -(-self.games // devices)
        schedule = Schedule(games, min(games, 512), openings=task.openings, record_moves=True)
        streams = evolution.fresh_stream() + jnp.arange(devices, dtype=jnp.uint32) + jnp.uint32(devices * number)
        moves = play_searches((player, player), streams, schedule, batched=False).games.moves
        return moves.reshape(-1, moves.shape[-1])[: self.games]

    def strength(self, evolution: Evolution, task: Focus, file: Path) -> np.ndarray:
        """Float[games]: points of bill against the weights of squares, both at level 2."""
        players = [Search(task.game, values, 2, ordered=0) for values in (Bill(str(file)), Positional())]
        schedule = Schedule(self.test_games, min(self.test_games, 512), openings=task.openings)
        results = play_searches(players, evolution.fresh_stream()[None], schedule, batched=False)
        return np.asarray(results.games.returns)[0, :, 0] / 2 + 0.5


@partial(jax.jit, static_argnums=0)
def _looked_at(game: rules.Othello, moves: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Features, number of discs and result for the side to move (0: a draw, or no position) before each of the moves[
    games, plies].
    """

    def ply(state: rules.OthelloState, move: jax.Array) -> tuple[rules.OthelloState, tuple]:
        discs = bb.count(bb.union(state.own, state.other))
        seen = jnp.stack(bill.features(state.own, state.other)), discs, state.seat, move >= 0
        return jax.tree.map(partial(jnp.where, move >= 0), game.play(state, jnp.maximum(move, 0)), state), seen

    def of_game(moves: jax.Array) -> tuple:
        last, (features, discs, seat, there) = jax.lax.scan(ply, game.start(), moves.astype(jnp.int32))
        return features, discs, jnp.where(there, game.returns(last)[seat], 0)

    return jax.vmap(of_game)(moves)


def fit(positions: Sample, pooled: int) -> dict[str, np.ndarray]:
    """mean[discs, 2, features], covariance[discs, 2, features, features], frequency[discs, 2], of lost and of won
    positions. A number of discs without positions takes what its nearest neighbour has.
    """
    found = {name: [] for name in ("mean", "covariance", "frequency")}
    for part in positions.by_discs(pooled):
        of_result = [part.features[part.result == result] for result in (-1, 1)]
        found["mean"].append([x.mean(0) for x in of_result])
        found["covariance"].append([np.cov(x.T) + RIDGE * np.eye(len(FEATURES)) for x in of_result])
        found["frequency"].append([len(x) / len(part.result) for x in of_result])
    assert len(found["mean"]) == len(DISCS)
    return {name: np.array(values) for name, values in found.items()}
