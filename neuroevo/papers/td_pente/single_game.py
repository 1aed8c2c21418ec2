"""One game shown again and again: which learning rates let a network learn it (Muijrers 2011, table 1).

All rates and seeds run in one program. Besides the paper's rates, λ and the number of hidden units are swept at one
rate. Inputs that are 0 throughout the game are left out, because their weights never change.
"""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from jaxgames.devices import over_devices
from neuroevo.encoders.pente import NUM_BESIDES_POINTS
from neuroevo.networks import ValueNetwork
from neuroevo.networks.value import Weights
from neuroevo.papers.td_pente import single_game_findings as findings
from neuroevo.papers.td_pente.games import loaded_games
from neuroevo.papers.td_pente.single_game_findings import CONVERGED, Outcome, Shown, Trial
from neuroevo.report.findings import Findings
from neuroevo.runtime.lab import Lab
from neuroevo.td.episodes import BOARD, episodes, games_of, replayed
from neuroevo.td.sources import Loaded, Source
from neuroevo.td.update import PERSPECTIVES, Episodes, Rule

MEASURES = "final", "first", "largest"  # of the errors of a run, see `measured`
LARGEST = 1e9  # stands for larger errors and NaN; chosen by judgement
WIDTH = 16  # numbers of inputs are rounded up to multiples of it, so that few programs are compiled; by judgement
KEPT = 120  # largest number of points of an error curve; chosen by judgement


@dataclass(frozen=True)
class TDSingle:
    """Networks learn single games, from short to long ones.

    network: kind of the networks, with network=value.
    data: the recorded games.
    seed: from which all random numbers are derived.
    replicas: number of networks for each game and rule.
    rates: learning rates of the table, at `lambda_`.
    lambdas: further values of λ, at the learning rate `alpha`.
    hidden: further numbers of hidden units, at `alpha` and `lambda_`.
    alpha, lambda_, gamma, optimizer: see `td.update.Rule`.
    cycles: number of times that a game is shown.
    games: number of different games.
    perspective: whose view of a game is learned, one of `td.update.PERSPECTIVES`.
    """

    network: ValueNetwork
    data: Source
    seed: int
    replicas: int
    rates: tuple[float, ...] = (0.1, 0.01, 0.001, 0.0001)
    lambdas: tuple[float, ...] = (0.0, 0.5, 0.8, 0.95, 1.0)
    hidden: tuple[int, ...] = (10, 40, 160)
    alpha: float = 0.001
    lambda_: float = 0.8
    gamma: float = 0.9
    cycles: int = 10_000
    games: int = 6
    perspective: str = "winner"
    optimizer: str = "sgd"

    def __post_init__(self):
        for alpha, lambda_ in [(rate, self.lambda_) for rate in self.rates] + [(self.alpha, x) for x in self.lambdas]:
            Rule(alpha, lambda_, self.gamma, self.optimizer).check()
        if min(self.cycles, self.games, len(self.rates)) < 1:
            raise ValueError(f"cycles, games and rates must be at least 1: {self.cycles}, {self.games}, {self.rates}")
        if self.perspective not in PERSPECTIVES:
            raise ValueError(f"perspective must be one of {', '.join(PERSPECTIVES)}, not {self.perspective!r}")
        if not isinstance(self.network, ValueNetwork):
            raise ValueError("td_single needs network=value")

    def compute(self, lab: Lab) -> Outcome:
        loaded, trials = loaded_games(self.data, self.seed), self.trials()
        shown, plies = self.chosen(loaded)
        units = [(trial, game) for trial in trials for game in range(self.games)]
        blank = {
            trial.name: {
                "measures": np.zeros((self.games, len(MEASURES), len(trial.rules), self.replicas), np.float32),
                "curves": np.zeros((self.games, len(self.kept), len(trial.rules), self.replicas), np.float32),
            }
            for trial in trials
        }

        def step(number: int, tree: dict) -> tuple[dict, dict, str]:
            trial, game = units[number]
            errors = self.learn_presentations(trial, jax.tree.map(lambda x: x[game], shown))
            tree[trial.name]["measures"][game] = measured(errors)
            tree[trial.name]["curves"][game] = np.moveaxis(errors[..., self.kept], -1, 0)
            return tree, {"generation": number}, f"{trial.name}, {plies[game]} plies"

        tree = lab.loop("shown", len(units), blank, step)
        results = {trial.name: Shown(trial, **tree[trial.name], cycles=self.kept) for trial in trials}
        return Outcome(results, plies, str(loaded))

    def conclude(self, outcome: Outcome) -> Findings:
        results, plies = outcome.results, ", ".join(map(str, outcome.plies))
        networks = sum(len(shown.trial.rules) for shown in results.values()) * self.replicas
        return Findings(
            size=f"{networks:,} networks × {self.games} games of {plies} plies, out of {outcome.source}, "
            f"each shown {self.cycles:,} times",
            games=networks * self.games * self.cycles,
            claims=findings.claims(results),
            tables=findings.tables(results),
            figures=findings.draw(results),
            arrays={f"{name}_{key}": getattr(shown, key) for name, shown in results.items()
                    for key in ("measures", "curves")},
        )  # fmt: skip

    @property
    def kept(self) -> np.ndarray:
        """Int[points]: the cycles whose errors the curves show, at even distances of their logarithms."""
        return np.unique(np.round(np.geomspace(1, self.cycles + 1, KEPT)).astype(int)) - 1

    def trials(self) -> list[Trial]:
        """The trial of the table, then those of the sweeps."""
        network = self.network
        of_rates = [(f"{rate:g}", rate, self.lambda_) for rate in self.rates]
        of_lambdas = [(f"{lambda_:g}", self.alpha, lambda_) for lambda_ in self.lambdas]
        sizes = {f"hidden_{size}": network.clone(hidden=size) for size in self.hidden}
        return [
            Trial("alpha", network, of_rates),
            *([Trial("lambda", network, of_lambdas)] if of_lambdas else []),
            *(Trial(name, size, [(f"{size.hidden}", self.alpha, self.lambda_)]) for name, size in sizes.items()),
        ]

    def chosen(self, loaded: Loaded) -> tuple[Episodes, list[int]]:
        """(games of different lengths, their numbers of plies), at even ranks from the shortest to the longest game.

        Episodes lead with [games, 1, views]. Raises ValueError if there are too few games.
        """
        lengths = np.asarray(loaded.games.length)
        order = np.argsort(lengths, kind="stable")
        if len(order) < self.games:
            raise ValueError(f"there are {len(order)} games to choose from, and {self.games} are wanted")
        at = np.round((np.arange(self.games) + 0.5) / self.games * len(order) - 0.5).astype(int)
        numbers = order[at]
        moves = [np.asarray(loaded.games.moves[n])[: lengths[n]] for n in numbers]
        positions = replayed(games_of(moves, np.asarray(loaded.games.result)[numbers].tolist()))
        seen = jax.vmap(partial(episodes, perspective=self.perspective))(positions)
        return jax.tree.map(lambda x: x[:, None], seen), lengths[numbers].tolist()

    def learn_presentations(self, trial: Trial, game: Episodes) -> np.ndarray:
        """Float[rules replicas cycles+1]: the total error before the first update and after each."""
        on = np.flatnonzero(np.asarray(jnp.any(game.features != 0, (0, 1, 2))))
        width = -(-len(on) // WIDTH) * WIDTH
        inputs = np.pad(on, (0, width - len(on)))  # padding repeats feature 0, whose copies are set to 0
        seen = replace(game, features=game.features[..., inputs] * (np.arange(width) < len(on)))
        nets, devices = len(trial.rules) * self.replicas, len(jax.devices())
        order = np.resize(np.arange(nets), (devices, -(-nets // devices)))
        rule, seed = np.divmod(order, self.replicas)
        starts = jax.vmap(partial(_start, trial.network, inputs=inputs))(self._keys())
        _, alphas, lambdas = zip(*trial.rules, strict=True)
        rules = Rule(
            jnp.asarray(alphas, jnp.float32)[rule],
            jnp.asarray(lambdas, jnp.float32)[rule],
            jnp.full(order.shape, self.gamma, jnp.float32),
            self.optimizer,
        )
        copies = jax.tree.map(lambda x: jnp.broadcast_to(x, (devices, *x.shape)), seen)
        errors = _shown(self.cycles, rules, jax.tree.map(lambda w: w[seed], starts), copies)
        return np.asarray(errors).reshape(order.size, -1)[:nets].reshape(-1, self.replicas, self.cycles + 1)

    def _keys(self) -> jax.Array:
        return jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(self.replicas))


@partial(jax.jit, static_argnums=0)
def _shown(cycles: int, rules: Rule, weights: Weights, game: Episodes) -> Float[Array, "devices nets errors"]:
    """The errors of every network. All arguments lead with the devices, rules and weights also with the networks."""

    def of_one(game: Episodes, rule: Rule, weights: Weights) -> jax.Array:
        def cycle(carry: tuple, _: None) -> tuple[tuple, jax.Array]:
            weights, memory = carry
            weights, memory, errors = rule.step(weights, memory, game)
            return (weights, memory), errors[0]

        return jax.lax.scan(cycle, (weights, rule.start(weights)), length=cycles + 1)[1]

    def of_device(rules: Rule, weights: Weights, game: Episodes) -> jax.Array:
        return jax.vmap(partial(of_one, game))(rules, weights)

    return over_devices(jax.vmap(of_device))(rules, weights, game)


def _start(network: ValueNetwork, key: jax.Array, inputs: np.ndarray) -> Weights:
    """Random weights of a network with all inputs, of which only `inputs` are kept."""
    weights = network.init(key, jnp.zeros(BOARD.num_actions + NUM_BESIDES_POINTS))["params"]
    return {"hidden": weights["hidden"][:, inputs], "output": weights["output"]}


def measured(errors: np.ndarray) -> np.ndarray:
    """Float[measures rules replicas]: MEASURES of errors[rules, replicas, cycles+1].

    They are the last error, the first cycle whose error is below CONVERGED (−1: none), and the largest error. Errors
    above LARGEST and NaN count as LARGEST.
    """
    finite = np.minimum(np.nan_to_num(errors, nan=LARGEST, posinf=LARGEST), LARGEST)
    below = finite < CONVERGED
    return np.stack([finite[..., -1], np.where(below.any(-1), below.argmax(-1), -1), finite.max(-1)])
