"""Fits the evaluation `bill` (`jaxgames.games.othello.bill`) to new games, and tests how well it predicts results.

In these games both sides search to the same depth by the weights of squares, and sometimes play a random move. A sample
is a position: its features for the side to move, and whether that side won the game.
"""

import importlib.util
import json
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames import bitboard as bb
from jaxgames import files
from jaxgames.arena import Schedule, all_openings, play_searches
from jaxgames.games.othello import bill
from jaxgames.games.othello.bill import DISCS, FEATURES, Bill
from jaxgames.games.othello.positional import Positional
from jaxgames.games.othello.rules import Othello, OthelloState
from jaxgames.players import Search
from neuroevo.papers.focus_othello import fit_bill_findings as findings
from neuroevo.papers.focus_othello.fit_bill_findings import Fit, Sample
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.streams import streams
from neuroevo.tasks.focus import OPENING_PLIES

CHUNK = 488  # number of games whose positions are computed at the same time: two of each opening
BLOCKS = 2  # number of blocks of games at each level, fixed so that results do not depend on the number of devices
LANES = 512  # largest number of games of a block at the same time; chosen by judgement
RIDGE = 0.01  # added to variances, so that covariances are invertible; chosen by judgement


@dataclass(frozen=True)
class FitBill:
    """Games of search against search, and Bill's parameters fitted to their positions.

    seed: from which all random numbers are derived.
    levels: depths of the searches.
    games: number of games at each depth.
    pooled: parameters for a number of discs are fitted to positions with up to this many more or fewer discs.
    held_out: one game of this number is held out for tests.
    test_games: number of games of the fitted evaluation against the weights of squares, both at level 2.
    mistakes: probability that a side plays a random move, so that games differ.
    """

    game: Othello
    seed: int
    levels: tuple[int, ...] = (2, 3, 4)
    games: int = 4880
    pooled: int = 2
    held_out: int = 5
    test_games: int = 488
    mistakes: float = 0.1

    def __post_init__(self):
        if importlib.util.find_spec("sklearn") is None:
            raise ValueError("study=fit_bill needs the optional package scikit-learn: pip install 'neuroevo[sklearn]'")
        if not isinstance(self.game, Othello):
            raise ValueError("fit_bill needs game=othello")
        if not self.levels or min(*self.levels, self.test_games) < 1 or self.pooled < 0 or self.held_out < 2:
            raise ValueError("levels and test_games must be at least 1, pooled 0, and held_out 2")
        if self.games < self.held_out:
            raise ValueError(f"games must be at least held_out, {self.held_out}, not {self.games}")
        if not 0 <= self.mistakes <= 1:
            raise ValueError(f"mistakes must be a probability, not {self.mistakes}")

    @cached_property
    def openings(self) -> tuple[tuple[int, ...], ...]:
        """All sequences of the first OPENING_PLIES plies."""
        return all_openings(self.game, OPENING_PLIES)

    def compute(self, lab: Lab) -> Fit:
        shape = len(self.levels), self.games, self.game.max_plies
        blank = {"features": np.zeros((*shape, len(FEATURES)), np.float32), "discs": np.zeros(shape, np.int8),
                 "result": np.zeros(shape, np.int8)}  # fmt: skip

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            moves = self.play(number)
            for start in range(0, self.games, CHUNK):
                chunk = jnp.resize(moves[start : start + CHUNK], (CHUNK, shape[2]))
                for name, values in zip(tree, jax.device_get(_positions(self.game, chunk)), strict=True):
                    part = tree[name][number, start : start + CHUNK]
                    part[:] = values[: len(part)]
            return tree, {"level": self.levels[number]}, f"{self.games} games at level {self.levels[number]}"

        tree = lab.loop("played", len(self.levels), blank, step)
        game = np.arange(len(self.levels) * self.games)
        positions = Sample(**{name: values.reshape(len(game), *values.shape[2:]) for name, values in tree.items()})
        seen, unseen = (positions.of_games(game % self.held_out != 0), positions.of_games(game % self.held_out == 0))
        fitted, file = fit(seen, self.pooled), lab.folder / "bill.json"
        files.write(file, json.dumps({name: np.round(value, 6).tolist() for name, value in fitted.items()}) + "\n")
        regressions = findings.regressions(seen, self.pooled)
        return Fit(fitted, bill.polynomials(str(file)), regressions, unseen, self.strength(lab, file))

    def conclude(self, outcome: Fit) -> Findings:
        games = len(self.levels) * self.games
        return Findings(
            size=f"{self.games:,} games at each of the levels {', '.join(map(str, self.levels))}",
            games=games + self.test_games,
            claims=findings.claims(outcome),
            tables=[findings.log_loss(outcome)],
            figures={"calibration": findings.calibration_figure(outcome)},
            arrays=dict(outcome.parameters),
        )

    def play(self, number: int) -> jax.Array:
        """Int[games plies]: moves of games from all openings in turn, both sides at levels[number]."""
        player = Search(self.game, Positional(), self.levels[number], random=self.mistakes, ordered=0)
        games = -(-self.games // BLOCKS)
        schedule = Schedule(games, min(games, LANES), openings=self.openings, record_moves=True)
        blocks = streams(self.seed, "games to fit", BLOCKS * number, BLOCKS)
        moves = play_searches((player, player), blocks, schedule, batched=False).moves
        return moves.reshape(-1, moves.shape[-1])[: self.games]

    def strength(self, lab: Lab, file: Path) -> np.ndarray:
        """Float[games]: points of the fitted evaluation against the weights of squares, both at level 2."""
        players = [Search(self.game, values, 2, ordered=0) for values in (Bill(str(file)), Positional())]
        schedule = Schedule(self.test_games, min(self.test_games, LANES), openings=self.openings)

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            results = play_searches(players, streams(self.seed, "test of the fit"), schedule, batched=False)
            return {"score": np.asarray(results.returns)[0, :, 0] / 2 + 0.5}, {}, f"{self.test_games} games"

        return lab.loop("strength", 1, {"score": np.zeros(self.test_games, np.float32)}, step)["score"]


@partial(jax.jit, static_argnums=0)
def _positions(game: Othello, moves: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """(features, number of discs, result) of the position before each of moves[games, plies].

    The result is for the side to move: 1, −1, or 0 for a draw or after the end.
    """

    def ply(state: OthelloState, move: jax.Array) -> tuple[OthelloState, tuple]:
        discs = bb.count(bb.union(state.own, state.other))
        seen = jnp.stack(bill.features(state.own, state.other)), discs, state.seat, move >= 0
        return jax.tree.map(partial(jnp.where, move >= 0), game.play(state, jnp.maximum(move, 0)), state), seen

    def of_game(moves: jax.Array) -> tuple:
        last, (features, discs, seat, there) = jax.lax.scan(ply, game.start(), moves.astype(jnp.int32))
        return features, discs, jnp.where(there, game.returns(last)[seat], 0)

    return jax.vmap(of_game)(moves)


def fit(positions: Sample, pooled: int) -> dict[str, np.ndarray]:
    """The Gaussians of lost and of won positions for each number of discs, as arrays by name.

    mean: Float[discs 2 features]
    covariance: Float[discs 2 features features]
    frequency: Float[discs 2]

    A number of discs with too few positions has the parameters of its nearest neighbour. RIDGE is added to the unbiased
    covariance S; scikit-learn's (1 − r) · S + r · 1 differs from that, and divides S by n or n − 1 by its version.
    """
    found = {name: [] for name in ("mean", "covariance", "frequency")}
    for part in positions.by_discs(pooled):
        of_result = [part.features[part.result == result] for result in (-1, 1)]
        found["mean"].append([x.mean(0) for x in of_result])
        found["covariance"].append([np.cov(x.T) + RIDGE * np.eye(len(FEATURES)) for x in of_result])
        found["frequency"].append([len(x) / len(part.result) for x in of_result])
    assert len(found["mean"]) == len(DISCS)
    return {name: np.array(values) for name, values in found.items()}
