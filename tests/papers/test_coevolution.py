"""Coevolution on planted games whose answer is known by hand, and what is read off a tournament of champions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Schedule, play_games
from jaxgames.randomness import mix
from neuroevo.networks import MDRNN
from neuroevo.papers.mdrnn import tournament
from neuroevo.runtime.interrupts import Interrupts
from neuroevo.runtime.lab import Lab
from neuroevo.runtime.settings import RunConfig
from neuroevo.strategies import Coevolution
from neuroevo.strategies.coevolution import shared_fitness, shared_sample
from neuroevo.strategies.evaluation import Evaluation
from neuroevo.tasks import VersusOthers


def rock_paper_scissors(host, parasite):
    """The first gene, modulo 3, is the hand: each hand beats the one before it."""
    difference = (jnp.floor(host[0]) - jnp.floor(parasite[0])) % 3
    return jnp.select([difference == 1, difference == 2], [1.0, -1.0], 0.0)


def greater_sum(host, parasite):
    """An order of strength: no cycles."""
    return jnp.sign(host.sum() - parasite.sum())


def coevolve(strategy, score, generations, genes=2, seed=0):
    """Float[generations genes]: the champions where `score`(host, parasite) decides."""

    @jax.jit
    def generation(state, key):
        hosts, opponents = strategy.ask(state)
        cases = jax.vmap(lambda host: jax.vmap(lambda other: score(host, other))(opponents.genomes))(hosts)
        fitness = (cases * opponents.present).sum(1)
        evaluation = Evaluation(fitness, cases, opponents.present, fitness, fitness, fitness, fitness, fitness)
        state = strategy.tell(key, state, evaluation)
        return state, strategy.champion(state)

    start = strategy.init(jax.random.key(seed), genes)
    return np.asarray(jax.lax.scan(generation, start, jax.random.split(jax.random.key(seed + 1), generations))[1])


def scores(champions, score):
    return np.asarray(jax.vmap(lambda a: jax.vmap(lambda b: score(a, b))(champions))(jnp.asarray(champions)))


SELECTIONS = [Coevolution(sigma=0.3), Coevolution(sigma=0.3, elitist=False)]


@pytest.mark.parametrize("strategy", SELECTIONS, ids=["elitist", "non-elitist"])
def test_rock_paper_scissors_cycles_and_no_more_than_two_hands_dominate(strategy):
    """Of three hands none beats both others, so that a list in which each beats all before it has two members; it has
    them as soon as the hand that beats the first one is a champion. Triads of three different hands are all cyclic.
    """
    champions = coevolve(strategy, rock_paper_scissors, 60)
    hands = np.floor(champions[:, 0]) % 3
    changes = (np.diff(hands) % 3).astype(int)
    assert (np.bincount(hands.astype(int), minlength=3) >= 5).all()
    assert (changes == 1).sum() >= 10  # the next champion beats the last one, all the way round
    table = scores(champions, rock_paper_scissors)
    first_beaten = int(np.flatnonzero(hands == (hands[0] + 1) % 3)[0])
    assert tournament.dominants(table) == [0, first_beaten]
    assert tournament.cyclic_share(table) == 1


@pytest.mark.parametrize("strategy", SELECTIONS, ids=["elitist", "non-elitist"])
def test_without_cycles_progress_is_monotone(strategy):
    """Champions of one population are never weaker than that population's champion two generations before, but for the
    step that non-elitist selection may lose; both climb far and dominance counts the new records by hand.
    """
    champions = coevolve(strategy, greater_sum, 60)
    strength = champions.sum(1)
    steps = strength[2:] - strength[:-2]
    slack = 0 if strategy.elitist else 0.6
    assert steps.min() >= -slack - 1e-6
    assert strength[-2:].min() > strength[:2].max() + 5
    table = scores(champions, greater_sum)
    records = [i for i in range(len(strength)) if (strength[i] > strength[:i]).all()]
    assert tournament.dominants(table) == records
    assert len(records) >= 25
    assert tournament.cyclic_share(table) == 0


def test_shared_fitness_by_hand():
    """Parasite 0 is beaten by hosts 0 and 1 (half a point each), parasite 1 by host 2 alone, parasite 2 by nobody."""
    wins = jnp.array([[1, 0, 0], [1, 0, 0], [0, 1, 0]], bool)
    np.testing.assert_allclose(shared_fitness(wins), [0.5, 0.5, 1.0])


def test_shared_sample_by_hand():
    """Host 2 beats most (3 of 5); then host 1 adds two that are new, hosts 0 and 3 none and one."""
    wins = jnp.array([[1, 1, 0, 0, 0], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 0]], bool)
    for seed in range(10):
        sample = list(np.asarray(shared_sample(jax.random.key(seed), wins, 3)))
        assert sample[:2] == [2, 1]
        assert sample[2] in (0, 3)
    thirds = {int(shared_sample(jax.random.key(seed), wins, 3)[2]) for seed in range(20)}
    assert thirds == {0, 3}  # nothing is left to beat: drawn
    assert len(set(np.asarray(shared_sample(jax.random.key(0), jnp.zeros((4, 5), bool), 4)))) == 4


def test_hosts_meet_the_last_hosts_and_the_hall_of_fame():
    strategy = Coevolution(mu=2, lambda_=4, elitist=False, parasites=3, famous=4, capacity=5)  # no champion twice
    state = strategy.init(jax.random.key(0), 7)
    champions = []
    for generation in range(8):
        hosts, opponents = strategy.ask(state)
        assert list(opponents.present) == [True] * 3 + [i < generation for i in range(4)]
        past = {tuple(genome) for genome in np.asarray(opponents.genomes[3:])[: min(generation, 4)]}
        assert len(past) == min(generation, 4)
        assert past <= set(champions[-5:])  # the capacity
        cases = jax.random.normal(jax.random.key(generation), (6, 7))
        fitness = cases.mean(1)
        told = Evaluation(fitness, cases, opponents.present, fitness, fitness, fitness, fitness, fitness)
        state = strategy.tell(jax.random.key(generation), state, told)
        champions.append(tuple(np.asarray(strategy.champion(state))))
        assert champions[-1] in {tuple(genome) for genome in np.asarray(hosts)}
        before = {tuple(genome) for genome in np.asarray(hosts)}
        _, next_opponents = strategy.ask(state)
        assert {tuple(genome) for genome in np.asarray(next_opponents.genomes[:3])} <= before


def test_opponents_that_are_not_there_count_for_nothing():
    strategy = Coevolution(mu=1, lambda_=2, parasites=1, famous=2, capacity=2)
    state = strategy.init(jax.random.key(0), 3)
    cases, fitness = jnp.array([[-1.0, 1, 1], [1, -1, -1], [-1, 1, 1]]), jnp.zeros(3)
    told = Evaluation(fitness, cases, jnp.array([True, False, False]), fitness, fitness, fitness, fitness, fitness)
    np.testing.assert_array_equal(strategy.tell(jax.random.key(1), state, told).champion, state.hosts[1])


@pytest.mark.parametrize(
    "options",
    [{"mu": 0}, {"parasites": 16}, {"parasites": 0}, {"famous": 401}, {"famous": -1}, {"sigma": -1.0}],
)
def test_impossible_sizes_are_refused(options):
    with pytest.raises(ValueError, match="must"):
        Coevolution(**options)


def test_all_pairs_of_a_tournament_equal_pairwise_loops(tmp_path):
    """One tile, so that pair (i, j) draws from the random numbers of column j."""
    game, task = AtariGo(5), VersusOthers(AtariGo(5), MDRNN(4))
    champions = np.asarray(jax.random.normal(jax.random.key(0), (2, 6, task.genes)))
    lab = Lab(RunConfig(checkpoint_every=100), tmp_path, Interrupts(), lambda metrics: None)
    stream = jnp.uint32(9)
    table = tournament.everybody(lab, "pairs", task, stream + jnp.arange(2, dtype=jnp.uint32), champions, tile=6)
    np.testing.assert_array_equal(table.score, -table.score.transpose(0, 2, 1))
    replica, i, j = np.array([(r, i, j) for r in range(2) for i in range(6) for j in range(i + 1, 6)]).T
    players = [task.player(jnp.asarray(champions[replica, player])) for player in (i, j)]
    streams = mix(mix(stream + jnp.uint32(replica)) + jnp.uint32(j))
    results = play_games(game, players, streams, Schedule(2, 2))
    np.testing.assert_allclose(task.score(results).mean(1), table.score[replica, i, j], atol=1e-6)
    np.testing.assert_allclose(results.plies.mean(1), table.plies[replica, i, j])
    cells = tournament.ciao(table.score[0])
    for first in range(3):
        for second in range(3):
            assert cells[first, second] == table.score[0, 2 * first, 2 * second + 1]


def test_tiles_fill_the_whole_table(tmp_path):
    task = VersusOthers(AtariGo(5), MDRNN(2))
    champions = np.asarray(jax.random.normal(jax.random.key(1), (1, 5, task.genes)))
    lab = Lab(RunConfig(checkpoint_every=1), tmp_path, Interrupts(), lambda metrics: None)
    table = tournament.everybody(lab, "pairs", task, jnp.uint32([3]), champions, tile=2)
    off_diagonal = ~np.eye(5, dtype=bool)
    assert (table.plies[0][off_diagonal] > 0).all()
    assert (np.diag(table.plies[0]) == 0).all()
    again = Lab(RunConfig(checkpoint_every=1), tmp_path, Interrupts(), lambda metrics: None)
    np.testing.assert_array_equal(
        tournament.everybody(again, "pairs", task, jnp.uint32([3]), champions, 2).score, table.score
    )


def test_ties_count_only_where_asked():
    tie = np.zeros((3, 3))
    assert tournament.dominants(tie) == [0]
    assert tournament.dominants(tie, ties_count=True) == [0, 1, 2]
    assert np.isnan(tournament.cyclic_share(tie))


def test_corners_and_lengths_of_a_ladder():
    """In a ladder the later one always wins, whichever population it is of, in games that grow longer."""
    order = np.arange(16)
    score = np.sign(order[:, None] - order[None]).astype(float)
    cells = tournament.ciao(score)
    assert (tournament.later_against_earlier(cells)[np.tril_indices(8, -1)] == 1).all()
    assert (tournament.later_against_earlier(cells)[np.triu_indices(8, 1)] == 1).all()
    assert tournament.corners(cells) == (1, 1)
    early, late = tournament.game_lengths(np.minimum(order[:, None], order[None]) + 5.0)
    assert early < late
