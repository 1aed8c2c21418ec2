"""TD(λ) by self-play: the strongest player of backgammon that our tools make, beside evolution's (Bibliowicz & Joshua
2005 name G. Tesauro's TD-Gammon and the players of P. Darwen as what was to be reached).
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from jaxgames.randomness import mix
from neuroevo.evolution import Evolution
from neuroevo.papers.backgammon import figures, gnu_backgammon
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Findings, Table
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.tasks import VersusPubeval
from neuroevo.td.backgammon import Pupil, SelfTaught

LEARN, TEST, RETEST = 1, 2, 3  # what fresh random numbers are for
LESSONS = "plies", "broken", "error"
AIM = 0.6


@dataclass(frozen=True)
class TDBackgammon:
    """`batches` of `games`, learned at a rate that falls evenly in its logarithm from `rate` to `last_rate`. Every
    `test_every` batches the network plays task.games against Pubeval. `gnubg`: games of the best network against GNU
    Backgammon, if it is installed.
    """

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

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, VersusPubeval):
            raise ValueError("td_backgammon needs game=backgammon and task=versus_pubeval")

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        task, run = evolution.task, lab.run
        assert isinstance(task, VersusPubeval)
        if run.retest_games % task.games:
            raise ConfigError(f"retest_games must be a multiple of task.games, not {run.retest_games} and {task.games}")
        genomes, lessons, tested = self.learn(evolution, lab)
        fresh = retest(evolution, lab, genomes, run.retest_games // task.games)
        best = int(fresh[:, 0].argmax())
        against_gnu = self.match(evolution, lab, genomes[best])
        lab.interrupts.obey_at_once()  # all is saved
        learned = self.batches * self.games
        at = self.games * self.test_every * np.arange(1, 1 + len(tested))
        picture = lab.folder / "figures" / "learning.png"
        figures.learning(picture, at, tested, lessons[..., LESSONS.index("error")], self.games)
        return Findings(
            size=f"{run.replicas} networks of {task.network.hidden} hidden units, {learned:,} games of self-play each",
            games=run.replicas * (learned + len(tested) * task.games + run.retest_games),
            claims=claims(fresh, run.retest_games, against_gnu, self.gnubg),
            pictures=[picture],
            tables=[networks_table(fresh, run.retest_games, tested)],
            arrays={"lessons": lessons, "tested": tested, "fresh": fresh},
            champions=genomes,
            best=best,
        )

    def learn(self, evolution: Evolution, lab: Lab) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(genomes[replicas, genes], lessons[batches, replicas, LESSONS], tests[tests, replicas])."""
        task, replicas = evolution.task, evolution.replicas
        assert isinstance(task, VersusPubeval)
        school = SelfTaught(task, self.games, lambda_=self.lambda_, minibatch=self.minibatch)
        keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(evolution.seed)))(jnp.arange(replicas))
        start = {
            "pupils": jax.device_get(school.start(keys)),
            "lessons": np.zeros((self.batches, replicas, len(LESSONS)), np.float32),
            "tested": np.zeros((self.batches // self.test_every, replicas), np.float32),
        }

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            first = number * self.test_every
            for batch in range(first, first + self.test_every):
                tree["pupils"], tree["lessons"][batch] = self._batch(school, evolution, tree["pupils"], batch)
            found = tested_by(task, evolution, tree["pupils"].genome, TEST, number)
            tree["tested"][number] = found[:, 0]
            lesson = dict(zip(LESSONS, tree["lessons"][first].mean(0).tolist(), strict=True))
            logged = {"batch": (number + 1) * self.test_every, "pubeval": float(found[:, 0].mean()), **lesson}
            return tree, logged, f"{found[:, 0].mean():.3f} against Pubeval"

        tree = lab.loop("learning", self.batches // self.test_every, start, step)
        return np.asarray(tree["pupils"].genome), tree["lessons"], tree["tested"]

    def _batch(self, school: SelfTaught, evolution: Evolution, pupils: Pupil, batch: int) -> tuple[Pupil, np.ndarray]:
        streams = fresh_streams(evolution, LEARN, batch)
        keys = jax.vmap(jax.random.key)(streams)
        rate = self.rate * (self.last_rate / self.rate) ** (batch / self.batches)
        pupils, lesson = jax.device_get(school.learn(pupils, keys, streams, jnp.float32(rate)))
        return pupils, np.stack([getattr(lesson, name) for name in LESSONS], 1)

    def match(self, evolution: Evolution, lab: Lab, genome: np.ndarray) -> int | None:
        """Games that a network wins against GNU Backgammon; None where that is absent, or no games are wanted."""
        engine = gnu_backgammon.gnubg()
        if engine is None or not self.gnubg:
            return None
        player = jax.tree.map(lambda leaf: leaf[0], evolution.task.player(jnp.asarray(genome)[None]))
        parts = 10

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            games = len(range(number, self.gnubg, parts))
            tree["wins"] += gnu_backgammon.wins(player, engine, games, evolution.seed + 1000 * number)
            return tree, {}, f"{tree['wins']} games won against GNU Backgammon"

        return int(lab.loop("gnubg", parts, {"wins": np.zeros((), int)}, step)["wins"])


@partial(jax.jit, static_argnums=0)
def _tested(task: VersusPubeval, streams: jax.Array, genomes: jax.Array) -> jax.Array:
    results = task.play(streams, genomes[:, None])
    points = task.mean(task.game.points_of(results.returns).astype(jnp.float32), 1)
    return jnp.concatenate([task.wins(results, 1), points], 1)


def tested_by(task: VersusPubeval, evolution: Evolution, genomes: np.ndarray, purpose: int, number: int) -> np.ndarray:
    """Float[replicas, 2]: share of games won against Pubeval, and points per game."""
    return np.asarray(_tested(task, fresh_streams(evolution, purpose, number), jnp.asarray(genomes)))


def fresh_streams(evolution: Evolution, purpose: int, number: int) -> jax.Array:
    """UInt32[replicas]."""
    stream = mix(mix(evolution.fresh_stream() + jnp.uint32(purpose)) + jnp.uint32(number))
    return mix(stream + jnp.arange(evolution.replicas, dtype=jnp.uint32))


def retest(evolution: Evolution, lab: Lab, genomes: np.ndarray, rounds: int) -> np.ndarray:
    """As `tested_by`, over `rounds` times as many games."""
    task = evolution.task
    assert isinstance(task, VersusPubeval)

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        tree["sum"] += tested_by(task, evolution, genomes, RETEST, number)
        return tree, {}, f"{(number + 1) * task.games} games"

    return lab.loop("retest", rounds, {"sum": np.zeros((len(genomes), 2))}, step)["sum"] / rounds


def claims(fresh: np.ndarray, games: int, against_gnu: int | None, gnu_games: int) -> list[Claim]:
    best = fresh[fresh[:, 0].argmax()]
    share = statistics.share(round(best[0] * games), games)
    found = [
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
        found.append(from_estimate("gnubg", what, "–", "reported only", estimate, None))
    return found


def networks_table(fresh: np.ndarray, games: int, tested: np.ndarray) -> Table:
    rows = [
        (str(number), str(statistics.share(round(share * games), games)), f"{points:+.3f}", f"{curve.max():.3f}")
        for number, ((share, points), curve) in enumerate(zip(fresh, tested.T, strict=True))
    ]
    columns = "network", f"wins of {games:,} games against Pubeval", "points per game", "best test on the way"
    return Table("networks", "Networks learned by TD(λ)", columns, rows)
