"""Learning from many games of Pente: records, self-play, or both (Muijrers 2011, experiments 2 and 3).

The networks are then tested in games against hand-coded players and on records that were held out, and the points on
which they put stones are counted.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from neuroevo.encoders.pente import NUM_BESIDES_POINTS
from neuroevo.networks import ValueNetwork
from neuroevo.networks.genome import codec
from neuroevo.networks.value import Weights
from neuroevo.papers.sample_games import drawn
from neuroevo.papers.td_pente import many_games_findings as findings
from neuroevo.papers.td_pente.games import loaded_games
from neuroevo.papers.td_pente.many_games_findings import WAYS, Learned, Outcome, Played, counts
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError
from neuroevo.runtime.streams import streams
from neuroevo.tasks import Gauntlet
from neuroevo.td.by_device import by_device, on_devices, one_axis
from neuroevo.td.episodes import BOARD, SYMMETRIES, Games, Positions, replayed
from neuroevo.td.learning import Learners, PenteSelfPlay, learn_records
from neuroevo.td.move_ranks import ranks
from neuroevo.td.sources import Source
from neuroevo.td.update import PERSPECTIVES, Rule

POOLS = "repeated", "distinct"  # few games shown often, or many shown once
LEARNERS = {1: ("one",), 2: ("two, seat 0", "two, seat 1")}  # names of the networks, by the number of learners
# Numbers of games that are learned between two possible checkpoints; chosen by judgement.
RECORDS, GAMES = 10_000, 100


@dataclass(frozen=True)
class TDTraining:
    """Networks learn from records, then from their own play.

    task: the tests, with network=value.
    data: the recorded games.
    seed: from which all random numbers are derived.
    replicas: number of networks of each kind.
    sample_games: number of games that are kept as records and pictures.
    presentations: number of recorded games that are shown to a network, with repetitions; 0 for none.
    pools: kinds of presentations, one kind of networks each: `repeated` shows `repeated` different games again and
        again, `distinct` shows all games in all `symmetries`.
    repeated: number of different games in the pool `repeated`.
    symmetries: number of symmetries of the board in which games are shown.
    selfplay: number of games of self-play; 0 for none. It starts with the networks of the last pool, if there is one.
    learners: numbers of networks in self-play, one kind each: 1 plays both seats, 2 have a seat each.
    alpha, lambda_, gamma, optimizer: see `td.update.Rule`.
    perspective: whose view of a recorded game is learned, one of `td.update.PERSPECTIVES`.
    epsilon: probability of a random move in self-play.
    held_out: number of the last recorded games, which are not learned but used as a test.
    retests: number of new games of each network per test and seat.
    ways: further ways of choosing moves, some of WAYS, in games against the last test of the task.
    """

    task: Gauntlet
    data: Source
    seed: int
    replicas: int
    sample_games: int
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
            PenteSelfPlay(BOARD, learners, self.epsilon)
        if not isinstance(self.task, Gauntlet) or not isinstance(self.task.network, ValueNetwork):
            raise ValueError("td_training needs task=gauntlet and network=value")
        if self.task.game.rows != BOARD.rows and (self.presentations or self.held_out):
            raise ValueError(f"records are of boards of {BOARD.rows}×{BOARD.rows}; without them set held_out to 0, too")

    @property
    def rule(self) -> Rule:
        """How weights change."""
        return Rule(self.alpha, self.lambda_, self.gamma, self.optimizer)

    def compute(self, lab: Lab) -> Outcome:
        loaded = loaded_games(self.data, self.seed)
        try:
            known, unknown = split(loaded.games, self.held_out)
        except ValueError as error:
            raise ConfigError(f"study.held_out: {error}") from error
        learned, played = self.learn(lab, known)
        for number, (name, networks) in enumerate(learned.items()):
            genomes = encoded(self.task, networks.weights)
            tests: dict[str, Any] = self.tested(lab, self.task, genomes, f"test_{number}")
            tests["ways"] = {
                way: self.tested(lab, by_way(self.task, way), genomes, f"{way}_{number}")["shares"] for way in self.ways
            }
            if self.held_out:
                tests["ranks"] = ranks(self.task.game, networks.weights, unknown)
            learned[name] = replace(networks, **tests)
        return Outcome(learned, played, self.task, str(loaded))

    def conclude(self, outcome: Outcome) -> Findings:
        best = max(outcome.learned.values(), key=lambda networks: float(networks.shares.mean()))
        number = int(best.shares.mean((1, 2)).argmax())
        return Findings(
            size=f"{self.replicas} networks of a kind; {self.presentations:,} presentations out of {outcome.source}; "
            f"{self.selfplay:,} games of self-play",
            games=self.replicas * (self.presentations * len(self.pools) + self.selfplay * len(self.learners)),
            claims=findings.claims(outcome),
            tables=findings.tables(outcome),
            figures=findings.draw(outcome),
            sample=drawn(self.task, best.games[number], self.sample_games) if self.sample_games else [],
            arrays=outcome.arrays(),
            champions=encoded(self.task, best.weights),
            best=number,
        )

    def learn(self, lab: Lab, games: Games) -> tuple[dict[str, Learned], dict[str, Played]]:
        """(networks of every kind by name, games of self-play by the number of learners)."""
        weights, learned, played = self.starts(), {}, {}
        if self.presentations:
            positions = replayed(games)
            for pool in self.pools:
                weights, errors = self.from_records(lab, positions, pool)
                learned[pool] = Learned(weights, errors)
        if self.selfplay:
            for number in self.learners:
                teams, played[f"learners_{number}"] = self.from_selfplay(lab, weights, number)
                for seat, name in enumerate(LEARNERS[number]):
                    learned[name] = Learned(jax.tree.map(lambda w, seat=seat: w[:, seat], teams))
        return learned, played

    def from_records(self, lab: Lab, games: Positions, pool: str) -> tuple[Any, np.ndarray]:
        """Learns recorded games: (weights[replicas], mean total errors[chunks, replicas])."""
        known = len(games.length)
        count, symmetries = (min(self.repeated, known), 1) if pool == "repeated" else (known, self.symmetries)
        draws = np.random.default_rng(self.seed)
        passes = -(-self.presentations // (count * symmetries))
        order = np.concatenate([draws.permutation(count * symmetries) for _ in range(passes)])[: self.presentations]
        chunks = np.array_split(order, -(-self.presentations // RECORDS))
        learners = by_device(jax.vmap(partial(Learners.start, self.rule))(self.starts()))
        devices = len(jax.tree.leaves(learners)[0])
        copies = on_devices(games, devices)

        def step(number: int, tree: tuple) -> tuple[tuple, dict, str]:
            learners, errors = tree
            at, turned = (on_devices(x, devices) for x in np.divmod(chunks[number], symmetries))
            learners, totals = learn_records(self.rule, learners, copies, at, turned, self.perspective)
            errors[number] = one_axis(totals.mean(1), self.replicas)
            return (jax.device_get(learners), errors), {"generation": number}, f"error {errors[number].mean():.3f}"

        blank = learners, np.zeros((len(chunks), self.replicas), np.float32)
        learners, errors = lab.loop(f"records_{pool}", len(chunks), blank, step)
        return jax.tree.map(lambda w: one_axis(w, self.replicas), learners.weights), errors

    def from_selfplay(self, lab: Lab, start: Weights, team_size: int) -> tuple[Weights, Played]:
        """Learns self-play of `team_size` networks: (weights[replicas, team_size], the games).

        Two networks start with different weights, unless they have learned records before.
        """
        game, replicas = self.task.game, self.replicas
        play = PenteSelfPlay(game, team_size, self.epsilon)
        teams = jax.tree.map(lambda w: jnp.stack([w] * team_size, 1), start)
        if not self.presentations and team_size == 2:
            others = self.starts(replicas)
            teams = jax.tree.map(lambda one, other: jnp.stack([one, other], 1), start, others)
        learners = by_device(jax.vmap(jax.vmap(partial(Learners.start, self.rule)))(teams))
        fresh = by_device(streams(self.seed, "self-play", replicas=replicas))
        record = {
            "moves": np.full((replicas, self.selfplay, game.max_plies), -1, np.int16),
            "result": np.zeros((replicas, self.selfplay), np.float32),
            "errors": np.zeros((replicas, self.selfplay), np.float32),
        }
        each = min(GAMES, self.selfplay)

        def step(number: int, tree: tuple) -> tuple[tuple, dict, str]:
            learners, record = tree
            first = number * each
            learners, games = play.learn(self.rule, learners, fresh, on_devices(jnp.int32(first), len(fresh)), each)
            played = {name: one_axis(getattr(games, name), replicas) for name in ("moves", "result", "errors")}
            part = slice(first, first + each)
            record["moves"][:, part] = played["moves"][:, : self.selfplay - first, : game.max_plies]
            record["result"][:, part] = played["result"][:, : self.selfplay - first]
            record["errors"][:, part] = played["errors"].mean(-1)[:, : self.selfplay - first]
            won = (played["result"] > 0).mean()
            return (jax.device_get(learners), record), {"generation": number}, f"seat 0 wins {won:.0%}"

        learners, record = lab.loop(f"learners_{team_size}", -(-self.selfplay // each), (learners, record), step)
        return jax.tree.map(lambda w: one_axis(w, replicas), learners.weights), Played(**record)

    def starts(self, further: int = 0) -> Weights:
        """Random weights[replicas]. Another value of `further` gives other weights."""
        features = jnp.zeros(self.task.game.num_actions + NUM_BESIDES_POINTS)
        keys = [jax.random.fold_in(jax.random.key(self.seed), further + i) for i in range(self.replicas)]
        start: Any = self.task.network.init
        return jax.vmap(lambda key: start(key, features)["params"])(jnp.stack(keys))

    def tested(self, lab: Lab, task: Gauntlet, genomes: np.ndarray, name: str) -> dict[str, np.ndarray]:
        """Plays new games of genomes[replicas, genes] in all tests. Returns arrays by name.

        shares: Float[replicas tests seats], share of games won
        stones: Int[replicas points], number of their own stones on each point
        games: Int[replicas seatings plies], the moves of one game of each seating
        """
        replicas, matches = len(genomes), self.retests
        blank = {
            "shares": np.zeros((replicas, len(task.tests), len(task.own_seats))),
            "stones": np.zeros((replicas, task.game.num_actions), int),
            "games": np.zeros((replicas, len(task.seatings), task.game.max_plies), np.int16),
        }

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            fresh = streams(self.seed, "test", replicas=replicas)
            results = task.play(fresh, jnp.asarray(genomes), matches, record_moves=True)
            won = np.asarray(results.winner == 0).reshape(replicas, matches, *blank["shares"].shape[1:])
            moves = np.asarray(results.moves)
            seat = np.array([seating.index(0) for seating in task.seatings])[
                np.arange(moves.shape[1]) % len(task.seatings)
            ]
            own = np.arange(moves.shape[2]) % 2 == seat[:, None]
            stones = counts(np.where(own, moves, -1), task.game.num_actions)
            kept = {"shares": won.mean(1), "stones": stones, "games": moves[:, : len(task.seatings)]}
            return kept, {}, f"{matches} matches a test and seat"

        return lab.loop(name, 1, blank, step)


def by_way(task: Gauntlet, way: str) -> Gauntlet:
    """The task with its last test only, in which the network chooses moves in this way, one of WAYS."""
    last = replace(task, tests=task.tests[-1:])
    return replace(last, finishes=True) if way == "finishing" else replace(last, plies=2)


def split(games: Games, held_out: int) -> tuple[Games, Games]:
    """(the games to be learned, the last `held_out` games). Raises ValueError if there are too few games."""
    if len(games) <= held_out:
        raise ValueError(f"there are {len(games):,} games on record, and {held_out:,} of them are to be held out")
    at = len(games) - held_out
    return games.first(at), jax.tree.map(lambda x: x[at:], games)


def encoded(task: Gauntlet, weights: Weights) -> np.ndarray:
    """Genomes[replicas, genes] of weights[replicas]."""
    return np.asarray(jax.vmap(codec(task.game, task.network).encode)(weights))
