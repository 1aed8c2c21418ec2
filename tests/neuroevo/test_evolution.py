"""Scores are the paper's; replicas are independent of each other and of devices."""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Gomoku, Results
from jaxgames.players import Naive, Random
from neuroevo.evolution import Evolution, train
from neuroevo.networks import MDLSTM, MDRNN, MLP, StackedMDRNN
from neuroevo.papers.mdrnn import figures
from neuroevo.runtime.interrupts import Interrupts
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import ConfigError, RunConfig
from neuroevo.strategies import ES
from neuroevo.strategies.evaluation import plain
from neuroevo.tasks import VersusOpponent, retest


def results(returns, plies):
    """Results of games of one block, from the candidate's returns."""
    by_player = jnp.array([[[r, -r] for r in returns]], jnp.float32)
    return Results(by_player, jnp.array([plies]), jnp.ones((1, len(plies)), bool), None, jnp.ones(1))


def test_scores_are_the_papers():
    """A win after M plies scores 1 - p (M - M_min) / (M_max - M_min); Atari-Go 5×5 has M from 3 to 25."""
    task = VersusOpponent(AtariGo(5), MDRNN(), Random(AtariGo(5)))
    score = task.score(results([1, -1, 1, -1], [3, 3, 25, 14]))
    np.testing.assert_allclose(score[0], [1, -1, 0.8, -0.9], atol=1e-6)
    board = Gomoku(5, 5)
    score = VersusOpponent(board, MDRNN(), Random(board)).score(results([1, 0, -1], [9, 25, 17]))
    np.testing.assert_allclose(score[0], [1, 0, -0.9], atol=1e-6)


def test_starts_alternate_or_belong_to_the_opponent():
    task = VersusOpponent(AtariGo(5), MDRNN(), Naive(AtariGo(5)))
    assert task.schedule().seatings is None  # rotations
    assert VersusOpponent(AtariGo(5), MDRNN(), Naive(AtariGo(5)), starts="opponent").schedule().seatings == ((1, 0),)
    with pytest.raises(ValueError, match="starts must be"):
        VersusOpponent(AtariGo(5), MDRNN(), Naive(AtariGo(5)), starts="me")
    three = Gomoku(5, 5, 4, num_seats=3)
    with pytest.raises(ValueError, match="2 seats"):
        VersusOpponent(three, MDRNN(), Random(three))


def small(replicas=3, network=None, game=None):
    game = game or AtariGo(5)
    task = VersusOpponent(game, network or MDRNN(4), Naive(game), games=20, lanes=10)
    return Evolution(ES(mu=3, lambda_=3), task, replicas=replicas, seed=7)


@pytest.mark.parametrize("lanes", [7, pytest.param(20, marks=pytest.mark.thorough)])
def test_a_network_on_5x5_does_not_depend_on_lanes(lanes):
    """Ties within the tolerance are drawn, so that the shape of a matrix product does not decide games."""
    game = AtariGo(5)
    task = VersusOpponent(game, MDRNN(), Naive(game), games=100)
    genomes = jax.random.normal(jax.random.key(4), (6, task.genes))
    streams = jnp.arange(6, dtype=jnp.uint32)
    ours, other = (t.play(streams, genomes, t.schedule()) for t in (task, replace(task, lanes=lanes)))
    np.testing.assert_array_equal(ours.returns, other.returns)
    np.testing.assert_array_equal(ours.plies, other.plies)


def run(evolution, generations=3):
    states, fitness = jax.device_get(evolution.init()), []
    for number in range(generations):
        states, generation = jax.device_get(evolution.step(states, jnp.int32(number)))
        fitness.append(generation.evaluation.fitness)
    return np.stack(fitness), generation.champions


def test_replicas_do_not_depend_on_each_other():
    many, few = run(small(3)), run(small(2))
    np.testing.assert_array_equal(many[0][:, :2], few[0])
    np.testing.assert_array_equal(many[1][:2], few[1])
    assert not np.array_equal(many[0][:, 0], many[0][:, 1])


@pytest.mark.parametrize(
    ("network", "game"),  # a network knows no game: each meets one
    [(MDRNN(4), Gomoku(5, 5)), (MDLSTM(3), AtariGo(5)), (StackedMDRNN(3), Gomoku(5, 5)), (MLP(8), AtariGo(5))],
    ids=lambda thing: type(thing).__name__,
)
def test_every_network_evolves(network, game):
    fitness, champions = run(small(2, network, game), generations=2)
    assert np.isfinite(fitness).all()
    assert len(np.unique(champions, axis=0)) == 2


def test_evolution_lifts_the_population():
    """Fifteen generations lift the mean score of the whole population by more than 0.4 in every replica."""
    fitness, _ = run(small(3), generations=15)
    averages = fitness.mean(2)
    assert (averages[-1] - averages[0]).min() > 0.4, averages


def test_champions_hold_their_score_in_fresh_games():
    evolution = small(3)
    fitness, champions = run(evolution, generations=15)
    scores, won = retest(evolution.task, evolution.streams("retest")[0], jnp.asarray(champions)[:, None], 500)
    assert abs(scores.mean() - fitness[-1].max(1).mean()) < 0.3
    assert ((np.asarray(scores) > 0) == np.asarray(won)).all()  # no draws in Atari-Go


@pytest.fixture
def one_device(monkeypatch):
    """A function after which JAX shows one device; programs compiled for it are forgotten afterwards."""
    first = jax.devices()[:1]

    def use():
        monkeypatch.setattr(jax, "devices", lambda: first)
        jax.clear_caches()

    yield use
    jax.clear_caches()


def test_results_do_not_depend_on_the_number_of_devices(one_device):
    """And a generation compiles once, however many devices there are. The last test, since it makes JAX forget."""
    Evolution.step._clear_cache()
    two = run(small(2))
    assert Evolution.step._cache_size() == 1
    one_device()
    one = run(small(2))
    assert Evolution.step._cache_size() == 1
    np.testing.assert_array_equal(two[0], one[0])
    np.testing.assert_array_equal(two[1], one[1])


# ---------------------------------------------------------------- faulty genomes
@dataclass(frozen=True)
class Planted:
    """A task without games: fitness is minus the first gene, and NaN for genomes beyond `limit`."""

    limit: float = 0.0
    genes = 3
    gene_type = np.float32

    def games_of(self, population, opponents):
        return population

    def evaluate(self, streams, genomes, opponents=None):
        first = genomes[..., 0]
        return jax.vmap(plain)(jnp.where(first > self.limit, jnp.nan, -first))


def lab_in(folder):
    return Lab(RunConfig(checkpoint_every=1), folder, Interrupts(), lambda metrics: None)


def test_faulty_genomes_are_counted_and_left_out_of_averages(tmp_path):
    lab = lab_in(tmp_path)
    history = train(Evolution(ES(4, 4, sigma=1.0), Planted(), replicas=2, seed=1), 5, lab)
    faulty = np.isneginf(history.measures["fitness"])
    assert 0 < faulty.sum() == history.faulty == lab.faulty
    for number in range(5):
        summary = history.summary(number)
        fitness = history.measures["fitness"][number]
        assert summary["fitness/average"] == pytest.approx(fitness[~faulty[number]].mean())
        assert summary["fitness/best"] == pytest.approx(fitness.max(1).mean())
        assert all(np.isfinite(value) for value in summary.values())
    assert (history.champions[..., 0] <= 0).all()
    assert np.ma.is_masked(history.measured("plies"))
    figure = figures.evolution_curves(history.measured("fitness"), "planted", 1)
    assert all(np.isfinite(line.get_ydata()).all() for line in figure.axes[0].lines)


def test_measures_without_faults_are_plain_arrays(tmp_path):
    lab = lab_in(tmp_path)
    history = train(Evolution(ES(4, 4), Planted(limit=100.0), replicas=2), 2, lab)
    assert history.faulty == lab.faulty == 0
    assert type(history.measured("fitness")) is np.ndarray


def test_a_run_without_a_finite_fitness_ends_in_one_line(tmp_path):
    with pytest.raises(ConfigError, match="generation 0 of replica 0 no genome has a finite fitness") as error:
        train(Evolution(ES(4, 4), Planted(limit=-100.0), replicas=2), 2, lab_in(tmp_path))
    assert "\n" not in str(error.value)
