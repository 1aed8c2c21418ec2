"""Populations of networks that value boards, and fitness by games: all against all, rivals, past champions, Pubeval."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backgammon_positions import FEW, states
from oracles import backgammon as oracle

from jaxgames import Backgammon, Gomoku, core
from jaxgames.players import Pubeval
from neuroevo.encoders.backgammon import place_codes
from neuroevo.networks import MLP
from neuroevo.players.backgammon_population import BackgammonPopulation
from neuroevo.players.backgammon_value import BackgammonValue, board_codec, inputs_of
from neuroevo.strategies.evaluation import Opponents
from neuroevo.tasks import RoundRobin, Task, VersusPubeval

GAME, NETWORK = Backgammon("alternate"), MLP(5, "tanh")
KEY = jax.random.key(0)


def genomes(count, encoding="binary"):
    return jax.random.normal(KEY, (count, board_codec(NETWORK, encoding).genes))


@pytest.mark.parametrize("encoding", ["binary", "units"])
def test_a_population_rates_as_its_members_do(encoding):
    batch = states(oracle.positions(0, FEW)[:30], seat=1)
    members = jnp.arange(30) % 4
    together = BackgammonPopulation.of(genomes(3, encoding), NETWORK, encoding).replace(pubeval=True)
    assert isinstance(together, core.Crowd)
    alone = jax.vmap(lambda genome: BackgammonValue.of(genome, NETWORK, encoding=encoding))(genomes(3, encoding))

    @jax.jit
    @jax.vmap
    def both(member, state):
        context = together.prepare(state)
        found, _ = together.rate(member, jnp.uint32(1), state.seat, state.board, context)
        one = jax.tree.map(lambda x: x[jnp.minimum(member, 2)], alone)
        expected = one.value((), state.board, state.seat)
        return found, jnp.where(member == 3, Pubeval().value(context, state.board, state.seat), expected)

    found, expected = both(members, batch)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def units(position):
    """Tesauro's inputs, point by point of the mover's own count from 24 to 1."""
    own, other = position
    inputs = []
    for point in range(24, 0, -1):
        for men in (own[point], other[25 - point]):
            inputs += [men >= 1, men >= 2, men >= 3, max(men - 3, 0) / 2]
    return [*inputs, own[25] / 2, other[0] / 15, own[0] / 15, other[25] / 2]


def test_units():
    rolled = oracle.positions(0, FEW)[:40]
    batch = states(rolled)
    codes = jax.vmap(lambda board, seat: jnp.stack(place_codes(board, seat)))(batch.board, batch.seat)
    expected = np.array([units(position) for position, _, _ in rolled], float)
    np.testing.assert_allclose(inputs_of(codes, "units"), expected, rtol=1e-6)


def test_pairs():
    everybody = RoundRobin(GAME, NETWORK).pairs(5, 0)
    assert len(everybody) == len({frozenset(pair) for pair in everybody}) == 10
    some = RoundRobin(GAME, NETWORK, rivals=3).pairs(6, 2)
    assert len(some) == 9 + 12
    assert all(sum(member in pair for pair in some[:9]) == 3 for member in range(6))
    assert {pair[1] for pair in some[9:]} == {6, 7}
    with pytest.raises(ValueError, match="5 players cannot have 3 rivals each"):
        RoundRobin(GAME, NETWORK, rivals=3).pairs(5, 0)


def test_fitness_is_the_share_of_games_won():
    """Of two past champions one is not there yet: its games count for nothing."""
    task = RoundRobin(GAME, NETWORK, games=2, rivals=3, lanes=21)
    assert isinstance(task, Task)
    assert task.games_of(6, 2) == 42
    population = jnp.stack([genomes(6), genomes(6)[::-1]])
    champions = Opponents(population[:, :2], jnp.array([[True, False]] * 2))
    found = jax.jit(task.evaluate)(jnp.array([3, 4], jnp.uint32), population, champions)
    cases, present = np.asarray(found.cases), np.asarray(found.present)
    assert present.tolist() == [[True] * 7 + [False]] * 2
    for replica in range(2):
        among = cases[replica, :, :6]
        met = among + among.T > 0
        assert (met.sum(1) == 3).all()
        np.testing.assert_allclose((among + among.T)[met], 1)  # one of the two wins
        won = 2 * cases[replica, :, :7].sum(1)
        np.testing.assert_allclose(found.fitness[replica], won / 8, atol=1e-6)
    assert (np.asarray(found.draws) == 0).all()
    assert (np.asarray(found.truncated) == 0).all()
    assert 20 < float(found.plies.mean()) < 400


def test_wrong_settings_are_named():
    for kind in (RoundRobin, VersusPubeval):
        with pytest.raises(ValueError, match="need game=backgammon"):
            kind(Gomoku(5, 5), NETWORK)
        with pytest.raises(ValueError, match="games must be even"):
            kind(GAME, NETWORK, games=3)
        with pytest.raises(ValueError, match="encoding must be one of binary, units"):
            kind(GAME, NETWORK, encoding="raw")
