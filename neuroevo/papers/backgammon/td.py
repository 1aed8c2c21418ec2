"""TD(λ) by self-play in backgammon, to compare with evolution.

Bibliowicz & Joshua (2005) name G. Tesauro's TD-Gammon and P. Darwen's players as the aim.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.papers.backgammon import figures, gnu_backgammon
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Findings, Table
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.streams import streams
from neuroevo.tasks import VersusPubeval
from neuroevo.td.backgammon import BackgammonSelfPlay, Learner

MEANS = "plies", "truncated", "error"  # of a batch of games
AIM = 0.6  # share of games to be won against Pubeval
PARTS = 10  # of the match against GNU Backgammon: a checkpoint is possible after each; chosen by judgement


@dataclass(frozen=True)
class Outcome:
    """The networks that learned, and their tests.

    genomes: Float[replicas genes]
    batch_means: Float[batches replicas MEANS]
    tested: Float[tests replicas], share of games won against Pubeval while learning
    fresh: Float[replicas 2], share of new games won against Pubeval, and points per game
    against_gnu: number of games that the best network wins against GNU Backgammon, None without such games
    """

    genomes: np.ndarray
    batch_means: np.ndarray
    tested: np.ndarray
    fresh: np.ndarray
    against_gnu: int | None


@dataclass(frozen=True)
class TDBackgammon:
    """Networks learn from games against themselves.

    seed: from which all random numbers are derived.
    replicas: number of networks.
    retest_games: number of new games of each network against Pubeval after learning.
    batches: number of batches of games.
    games: number of games in a batch.
    lambda_: λ.
    rate: learning rate of the first batch.
    last_rate: learning rate of the last batch, to which it falls evenly in its logarithm.
    minibatch: number of positions in one update.
    test_every: number of batches after which the network plays `task.games` games against Pubeval.
    gnubg: number of games of the best network against GNU Backgammon, if it is installed.
    """

    task: VersusPubeval
    seed: int
    replicas: int
    retest_games: int
    batches: int = 1500
    games: int = 256
    lambda_: float = 0.7
    rate: float = 0.003
    last_rate: float = 0.0001
    minibatch: int = 256
    test_every: int = 25
    gnubg: int = 500

    def __post_init__(self):
        if min(self.batches, self.games, self.minibatch, self.test_every) < 1 or self.batches % self.test_every:
            raise ValueError(
                f"batches must be a multiple of test_every, and games and minibatch at least 1, "
                f"not {self.batches}, {self.test_every}, {self.games} and {self.minibatch}"
            )
        if not 0 <= self.lambda_ <= 1 or min(self.rate, self.last_rate) <= 0 or self.gnubg < 0:
            raise ValueError(
                f"lambda_ must be from 0 to 1, rates positive and gnubg not negative, "
                f"not {self.lambda_}, {self.rate}, {self.last_rate} and {self.gnubg}"
            )

        if not isinstance(self.task, VersusPubeval):
            raise ValueError("td_backgammon needs game=backgammon and task=versus_pubeval")
        if self.retest_games % self.task.games:
            raise ValueError(
                f"retest_games must be a multiple of task.games, not {self.retest_games} and {self.task.games}"
            )

    def compute(self, lab: Lab) -> Outcome:
        genomes, batch_means, tested = self.learn(lab)
        fresh = self.retest(lab, genomes)
        return Outcome(genomes, batch_means, tested, fresh, self.match(lab, genomes[fresh[:, 0].argmax()]))

    def conclude(self, outcome: Outcome) -> Findings:
        task, learned = self.task, self.batches * self.games
        at = self.games * self.test_every * np.arange(1, 1 + len(outcome.tested))
        errors = outcome.batch_means[..., MEANS.index("error")]
        return Findings(
            size=f"{self.replicas} networks of {task.network.hidden} hidden units, {learned:,} games of self-play each",
            games=self.replicas * (learned + len(outcome.tested) * task.games + self.retest_games),
            claims=claims(outcome.fresh, self.retest_games, outcome.against_gnu, self.gnubg),
            tables=[networks_table(outcome.fresh, self.retest_games, outcome.tested)],
            figures={"learning": figures.learning(at, outcome.tested, errors, self.games)},
            arrays={"batch_means": outcome.batch_means, "tested": outcome.tested, "fresh": outcome.fresh},
            champions=outcome.genomes,
            best=int(outcome.fresh[:, 0].argmax()),
        )

    def learn(self, lab: Lab) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(genomes[replicas, genes], batch_means[batches, replicas, MEANS], tests[tests, replicas])."""
        task, replicas = self.task, self.replicas
        self_play = BackgammonSelfPlay(task, self.games, lambda_=self.lambda_, minibatch=self.minibatch)
        keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(replicas))
        start = {
            "learners": jax.device_get(self_play.start(keys)),
            "batch_means": np.zeros((self.batches, replicas, len(MEANS)), np.float32),
            "tested": np.zeros((self.batches // self.test_every, replicas), np.float32),
        }

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            first = number * self.test_every
            for batch in range(first, first + self.test_every):
                tree["learners"], tree["batch_means"][batch] = self._batch(self_play, tree["learners"], batch)
            found = self.tested(tree["learners"].genome, self._streams("tests of learners", number))
            tree["tested"][number] = found[:, 0]
            means = dict(zip(MEANS, tree["batch_means"][first].mean(0).tolist(), strict=True))
            logged = {"batch": (number + 1) * self.test_every, "pubeval": float(found[:, 0].mean()), **means}
            return tree, logged, f"{found[:, 0].mean():.3f} against Pubeval"

        tree = lab.loop("learning", self.batches // self.test_every, start, step)
        return np.asarray(tree["learners"].genome), tree["batch_means"], tree["tested"]

    def _batch(self, self_play: BackgammonSelfPlay, learners: Learner, batch: int) -> tuple[Learner, np.ndarray]:
        fresh = self._streams("games to learn", batch)
        keys = jax.vmap(jax.random.key)(fresh)
        rate = self.rate * (self.last_rate / self.rate) ** (batch / self.batches)
        learners, means = jax.device_get(self_play.learn(learners, keys, fresh, jnp.float32(rate)))
        return learners, np.stack([getattr(means, name) for name in MEANS], 1)

    def match(self, lab: Lab, genome: np.ndarray) -> int | None:
        """Number of games that a network wins against GNU Backgammon; None if it is not installed, or without games."""
        engine = gnu_backgammon.gnubg()
        if engine is None or not self.gnubg:
            return None
        player = jax.tree.map(lambda leaf: leaf[0], self.task.player(jnp.asarray(genome)[None]))

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            games = len(range(number, self.gnubg, PARTS))
            tree["wins"] += gnu_backgammon.wins(player, engine, games, self.seed + 1000 * number)
            return tree, {}, f"{tree['wins']} games won against GNU Backgammon"

        return int(lab.loop("gnubg", PARTS, {"wins": np.zeros((), int)}, step)["wins"])

    def retest(self, lab: Lab, genomes: np.ndarray) -> np.ndarray:
        """The same as `tested`, over `retest_games` games."""
        rounds = self.retest_games // self.task.games

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            tree["sum"] += self.tested(genomes, self._streams("retests of learners", number))
            return tree, {}, f"{(number + 1) * self.task.games} games"

        return lab.loop("retest", rounds, {"sum": np.zeros((len(genomes), 2))}, step)["sum"] / rounds

    def tested(self, genomes: np.ndarray, fresh: jax.Array) -> np.ndarray:
        """Float[replicas 2]: share of `task.games` games won against Pubeval, and points per game.

        fresh: UInt32[replicas], streams of random numbers
        """
        return np.asarray(_tested(self.task, fresh, jnp.asarray(genomes)))

    def _streams(self, purpose: str, number: int) -> jax.Array:
        return streams(self.seed, purpose, number, self.replicas)


@partial(jax.jit, static_argnums=0)
def _tested(task: VersusPubeval, streams: jax.Array, genomes: jax.Array) -> jax.Array:
    results = task.play(streams, genomes[:, None])
    points = task.mean(task.game.points_of(results.seat_returns).astype(jnp.float32), 1)
    return jnp.concatenate([task.wins(results, 1), points], 1)


def claims(fresh: np.ndarray, games: int, against_gnu: int | None, gnu_games: int) -> list[Claim]:
    """All claims: fresh[replicas, 2] from `games` new games, and `against_gnu` of `gnu_games` games won."""
    best = fresh[fresh[:, 0].argmax()]
    share = statistics.share(round(best[0] * games), games)
    claims = [
        from_estimate(
            "wins",
            f"share of {games:,} fresh games that the best network wins against Pubeval",
            "about 0.6 (networks of this kind)",
            f"the interval lies above {AIM}",
            share,
            share.low > AIM,
        ),
        from_estimate(
            "wins_average",
            "the same, mean over the networks",
            "–",
            "reported only",
            statistics.mean(fresh[:, 0], within=(0, 1)),
            None,
        ),
        from_estimate(
            "points",
            "points per game that networks win against Pubeval, mean over them; they learn to win, not to win much",
            "–",
            "reported only",
            statistics.mean(fresh[:, 1], within=(-3, 3)),
            None,
        ),
    ]
    if against_gnu is not None:
        estimate = statistics.share(against_gnu, gnu_games)
        what = "share of games that the best network wins against GNU Backgammon without lookahead"
        claims.append(from_estimate("gnubg", what, "–", "reported only", estimate, None))
    return claims


def networks_table(fresh: np.ndarray, games: int, tested: np.ndarray) -> Table:
    """One row per network."""
    rows = [
        (str(number), str(statistics.share(round(share * games), games)), f"{points:+.3f}", f"{curve.max():.3f}")
        for number, ((share, points), curve) in enumerate(zip(fresh, tested.T, strict=True))
    ]
    columns = "network", f"wins of {games:,} games against Pubeval", "points per game", "best test on the way"
    return Table("networks", "Networks learned by TD(λ)", columns, rows)
