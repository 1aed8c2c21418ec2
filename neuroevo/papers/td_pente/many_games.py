"""Many games of Pente: from records, from self-play, or both (Muijrers 2011, second and third experiment).

What comes of it is asked of games against hand-coded players, of records that were held out, and of where stones go.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.encoders.pente import NUM_BESIDES_POINTS
from neuroevo.evolution import Evolution
from neuroevo.networks import ValueNetwork
from neuroevo.networks.genome import codec
from neuroevo.networks.value import Weights
from neuroevo.papers.sample_games import drawn
from neuroevo.papers.td_pente import many_games_findings
from neuroevo.papers.td_pente.many_games_findings import WAYS, Learned, Played, counts
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.tasks import Gauntlet
from neuroevo.td.episodes import BOARD, SYMMETRIES, Games, Positions, replayed
from neuroevo.td.learning import Pupils, SelfPlay, study_records
from neuroevo.td.move_ranks import ranks
from neuroevo.td.update import PERSPECTIVES, Rule

POOLS = "repeated", "distinct"
LEARNERS = {1: ("one",), 2: ("two, seat 0", "two, seat 1")}
RECORDS, GAMES = 10_000, 100  # that are learned between two possible checkpoints


@dataclass(frozen=True)
class TDTraining:
    """First `presentations` of games on record: pool repeated shows `repeated` different ones again and again, distinct
    all that there are in all `symmetries`. Then `selfplay` games, for each number of `learners`, by the networks of
    the last pool if there is one. The `held_out` last games on record are learned by nobody. `ways`: how else moves are
    chosen in games against the last of the task's tests.
    """

    presentations: int = 300_000
    pools: tuple[str, ...] = POOLS
    repeated: int = 3000
    symmetries: int = SYMMETRIES
    selfplay: int = 0
    learners: tuple[int, ...] = (2, 1)
    alpha: float = 0.005
    lambda_: float = 0.8
    gamma: float = 0.9
    optimizer: str = "sgd"
    perspective: str = "both"
    epsilon: float = 0.0
    held_out: int = 200
    retests: int = 200
    ways: tuple[str, ...] = tuple(WAYS)

    def __post_init__(self):
        self.rule.check()
        if self.perspective not in PERSPECTIVES:
            raise ValueError(f"perspective must be one of {', '.join(PERSPECTIVES)}, not {self.perspective!r}")
        if unknown := [way for way in self.ways if way not in WAYS]:
            raise ValueError(f"ways must be among {', '.join(WAYS)}, not {unknown[0]!r}")
        if unknown := [pool for pool in self.pools if pool not in POOLS]:
            raise ValueError(f"pools must be among {', '.join(POOLS)}, not {unknown[0]!r}")
        if self.presentations < 0 or self.selfplay < 0 or not self.presentations + self.selfplay:
            raise ValueError(
                f"there must be presentations or selfplay to learn from, not {self.presentations}, {self.selfplay}"
            )
        if not 1 <= self.symmetries <= SYMMETRIES or min(self.held_out + 1, self.retests, self.repeated) < 1:
            raise ValueError(
                f"symmetries must be from 1 to {SYMMETRIES}, retests and repeated at least 1, held_out not negative; "
                f"not {self.symmetries}, {self.retests}, {self.repeated} and {self.held_out}"
            )
        for learners in self.learners:
            SelfPlay(BOARD, learners, self.epsilon)

    @property
    def rule(self) -> Rule:
        return Rule(self.alpha, self.lambda_, self.gamma, self.optimizer)

    def check(self, evolution: Evolution) -> None:
        if not isinstance(evolution.task, Gauntlet) or not isinstance(evolution.task.network, ValueNetwork):
            raise ValueError("td_training needs task=gauntlet and network=value")
        if evolution.task.game.rows != BOARD.rows and (self.presentations or self.held_out):
            raise ValueError(f"records are of boards of {BOARD.rows}×{BOARD.rows}; without them set held_out to 0, too")

    def run(self, evolution: Evolution, lab: Lab) -> Findings:
        loaded, task = lab.games(), evolution.task
        assert isinstance(task, Gauntlet)
        try:
            known, unknown = split(loaded.games, self.held_out)
        except ValueError as error:
            raise ConfigError(f"study.held_out: {error}") from error
        learned, played = self.learn(evolution, lab, known)
        for number, (name, of) in enumerate(learned.items()):
            genomes = encoded(task, of.weights)
            found: dict[str, Any] = tested(lab, evolution, genomes, f"test_{number}", self.retests)
            found["ways"] = {
                way: tested(lab, by_way(evolution, way), genomes, f"{way}_{number}", self.retests)["shares"]
                for way in self.ways
            }
            if self.held_out:
                found["ranks"] = ranks(task.game, of.weights, unknown)
            learned[name] = replace(of, **found)
        lab.interrupts.obey_at_once()  # all is saved
        best = max(learned.values(), key=lambda of: float(of.shares.mean()))
        number = int(best.shares.mean((1, 2)).argmax())
        return many_games_findings.conclude(
            learned,
            played,
            task,
            lab.folder / "figures",
            Findings(
                size=f"{evolution.replicas} networks of a kind; {self.presentations:,} presentations out of {loaded}; "
                f"{self.selfplay:,} games of self-play",
                games=evolution.replicas * (self.presentations * len(self.pools) + self.selfplay * len(self.learners)),
                claims=[],
                pictures=[],
                sample=drawn(task, best.games[number], lab.run.sample_games) if lab.run.sample_games else [],
                champions=encoded(task, best.weights),
                best=number,
            ),
        )

    def learn(self, evolution: Evolution, lab: Lab, games: Games) -> tuple[dict[str, Learned], dict[str, Played]]:
        """(networks of every kind, games of self-play by the number of learners)."""
        weights, learned, played = starts(evolution), {}, {}
        if self.presentations:
            positions = replayed(games)
            for pool in self.pools:
                weights, errors = self.from_records(evolution, lab, positions, pool)
                learned[pool] = Learned(weights, errors)
        if self.selfplay:
            for number in self.learners:
                teams, played[f"learners_{number}"] = self.from_selfplay(evolution, lab, weights, number)
                for seat, name in enumerate(LEARNERS[number]):
                    learned[name] = Learned(jax.tree.map(lambda w, seat=seat: w[:, seat], teams))
        return learned, played

    def from_records(self, evolution: Evolution, lab: Lab, games: Positions, pool: str) -> tuple[Any, np.ndarray]:
        """(weights[replicas], mean total errors[chunks, replicas])."""
        known = len(games.length)
        count, symmetries = (min(self.repeated, known), 1) if pool == "repeated" else (known, self.symmetries)
        draws = np.random.default_rng(evolution.seed)
        passes = -(-self.presentations // (count * symmetries))
        order = np.concatenate([draws.permutation(count * symmetries) for _ in range(passes)])[: self.presentations]
        chunks = np.array_split(order, -(-self.presentations // RECORDS))
        pupils = by_device(jax.vmap(partial(Pupils.start, self.rule))(starts(evolution)))
        devices = len(jax.tree.leaves(pupils)[0])
        copies = on_devices(games, devices)

        def step(number: int, tree: tuple) -> tuple[tuple, dict, str]:
            pupils, errors = tree
            at, turned = (on_devices(x, devices) for x in np.divmod(chunks[number], symmetries))
            pupils, found = study_records(self.rule, pupils, copies, at, turned, self.perspective)
            errors[number] = one_axis(found.mean(1), evolution.replicas)
            return (jax.device_get(pupils), errors), {"generation": number}, f"error {errors[number].mean():.3f}"

        blank = pupils, np.zeros((len(chunks), evolution.replicas), np.float32)
        pupils, errors = lab.loop(f"records_{pool}", len(chunks), blank, step)
        return jax.tree.map(lambda w: one_axis(w, evolution.replicas), pupils.weights), errors

    def from_selfplay(self, evolution: Evolution, lab: Lab, start: Weights, learners: int) -> tuple[Weights, Played]:
        """(weights[replicas, learners], the games). Two learners start with different weights, unless from records."""
        game, replicas = evolution.task.game, evolution.replicas
        play = SelfPlay(game, learners, self.epsilon)
        teams = jax.tree.map(lambda w: jnp.stack([w] * learners, 1), start)
        if not self.presentations and learners == 2:
            others = starts(evolution, replicas)
            teams = jax.tree.map(lambda one, other: jnp.stack([one, other], 1), start, others)
        pupils = by_device(jax.vmap(jax.vmap(partial(Pupils.start, self.rule)))(teams))
        streams = by_device(evolution.fresh_stream() + jnp.arange(replicas, dtype=jnp.uint32))
        record = {
            "moves": np.full((replicas, self.selfplay, game.max_plies), -1, np.int16),
            "result": np.zeros((replicas, self.selfplay), np.float32),
            "errors": np.zeros((replicas, self.selfplay), np.float32),
        }
        each = min(GAMES, self.selfplay)

        def step(number: int, tree: tuple) -> tuple[tuple, dict, str]:
            pupils, record = tree
            first = number * each
            pupils, games = play.study(self.rule, pupils, streams, on_devices(jnp.int32(first), len(streams)), each)
            found = {name: one_axis(getattr(games, name), replicas) for name in ("moves", "result", "errors")}
            here = slice(first, first + each)
            record["moves"][:, here] = found["moves"][:, : self.selfplay - first, : game.max_plies]
            record["result"][:, here] = found["result"][:, : self.selfplay - first]
            record["errors"][:, here] = found["errors"].mean(-1)[:, : self.selfplay - first]
            won = (found["result"] > 0).mean()
            return (jax.device_get(pupils), record), {"generation": number}, f"seat 0 wins {won:.0%}"

        pupils, record = lab.loop(f"learners_{learners}", -(-self.selfplay // each), (pupils, record), step)
        return jax.tree.map(lambda w: one_axis(w, replicas), pupils.weights), Played(**record)


def by_way(evolution: Evolution, way: str) -> Evolution:
    """With a task in which moves are chosen in this way, against the last of its tests."""
    task = evolution.task
    assert isinstance(task, Gauntlet)
    last = replace(task, tests=task.tests[-1:])
    return replace(evolution, task=replace(last, finishes=True) if way == "finishing" else replace(last, plies=2))


def split(games: Games, held_out: int) -> tuple[Games, Games]:
    """The first ones, to be learned, and the last ones."""
    if len(games) <= held_out:
        raise ValueError(f"there are {len(games):,} games on record, and {held_out:,} of them are to be held out")
    at = len(games) - held_out
    return games.first(at), jax.tree.map(lambda x: x[at:], games)


def starts(evolution: Evolution, further: int = 0) -> Weights:
    """Weights[replicas] of networks that know nothing; `further`: others."""
    task = evolution.task
    assert isinstance(task, Gauntlet)
    features = jnp.zeros(task.game.num_actions + NUM_BESIDES_POINTS)
    keys = [jax.random.fold_in(jax.random.key(evolution.seed), further + i) for i in range(evolution.replicas)]
    return jax.vmap(lambda key: task.network.init(key, features)["params"])(jnp.stack(keys))


def encoded(task: Gauntlet, weights: Weights) -> np.ndarray:
    """Genomes[replicas, genes]."""
    return np.asarray(jax.vmap(codec(task.game, task.network).encode)(weights))


def tested(lab: Lab, evolution: Evolution, genomes: np.ndarray, name: str, matches: int) -> dict[str, np.ndarray]:
    """Of fresh games of genomes[replicas, genes]: shares[replicas, tests, seats] that they win, their own
    stones[replicas, points], and the moves of games[replicas, seatings, plies].
    """
    task, replicas = evolution.task, len(genomes)
    assert isinstance(task, Gauntlet)
    blank = {
        "shares": np.zeros((replicas, len(task.tests), len(task.own_seats))),
        "stones": np.zeros((replicas, task.game.num_actions), int),
        "games": np.zeros((replicas, len(task.seatings), task.game.max_plies), np.int16),
    }

    def step(number: int, tree: dict) -> tuple[dict, dict, str]:
        streams = evolution.fresh_stream() + jnp.arange(replicas, dtype=jnp.uint32)
        results = task.play(streams, jnp.asarray(genomes), matches, record_moves=True)
        won = np.asarray(results.winner == 0).reshape(replicas, matches, *blank["shares"].shape[1:])
        moves = np.asarray(results.moves)
        seat = np.array([seating.index(0) for seating in task.seatings])[np.arange(moves.shape[1]) % len(task.seatings)]
        own = np.arange(moves.shape[2]) % 2 == seat[:, None]
        stones = counts(np.where(own, moves, -1), task.game.num_actions)
        found = {"shares": won.mean(1), "stones": stones, "games": moves[:, : len(task.seatings)]}
        return found, {}, f"{matches} matches a test and seat"

    return lab.loop(name, 1, blank, step)


def by_device(tree: Any) -> Any:
    """[replicas, …] → [devices, networks, …], with the last replica again where there are too few."""
    devices = min(len(jax.devices()), len(jax.tree.leaves(tree)[0]))

    def arranged(x: Any) -> np.ndarray:
        x = np.asarray(x)
        each = -(-len(x) // devices)
        return x[np.minimum(np.arange(devices * each), len(x) - 1)].reshape(devices, each, *x.shape[1:])

    return jax.tree.map(arranged, tree)


def one_axis(x: Any, replicas: int) -> np.ndarray:
    """The inverse of `by_device`."""
    x = np.asarray(x)
    return x.reshape(-1, *x.shape[2:])[:replicas]


def on_devices(tree: Any, devices: int) -> Any:
    """A copy for each."""
    return jax.tree.map(lambda x: jnp.broadcast_to(x, (devices, *jnp.shape(x))), tree)
