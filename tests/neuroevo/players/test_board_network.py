"""What networks see of backgammon boards, and how they value them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backgammon_positions import FEW, one, side, states
from oracles import backgammon as oracle

from jaxgames.core import Value
from neuroevo.encoders.backgammon import binary_counts, board_inputs
from neuroevo.networks import MLP
from neuroevo.players.backgammon_value import BackgammonValue, board_codec


def plainly(position, seat, absolute):
    """The 136 inputs, point by point of the mover's own count from 24 to 1."""
    own, other = position

    def binary(men):
        return [men >> digit & 1 for digit in range(4)]

    inputs = []
    for point in range(24, 0, -1):
        mine, theirs = own[point], other[25 - point]
        owner = None if mine + theirs == 0 else seat if mine else 1 - seat
        colour = owner == 1 if absolute else owner == 1 - seat
        inputs += [*binary(mine + theirs), int(colour)]
    for men in (own[25], other[0], own[0], other[25]):
        inputs += binary(men)
    return inputs


def joined(parts):
    """[…, inputs] of the two parts, which have the same further axes at the end."""
    return np.concatenate([np.asarray(x).reshape(-1, *x.shape[2:]) for x in parts]).T


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_inputs(seat, absolute):
    rolled = oracle.positions(0, FEW)[:80]
    batch = states(rolled, seat)
    seen = joined(binary_counts(jax.tree.map(jnp.asarray, batch.board), jnp.asarray(batch.seat), absolute))
    assert seen.shape == (80, board_inputs("binary")) == (80, 136)
    np.testing.assert_array_equal(seen, [plainly(position, seat, absolute) for position, _, _ in rolled])
    alone = one(batch)
    np.testing.assert_array_equal(joined(binary_counts(alone.board, alone.seat, absolute)), seen[0])


def test_by_hand():
    state = one(states([((side(p24=2, bar=1), side(p3=1, p9=5)), 6, 5)]))
    seen = joined(binary_counts(state.board, state.seat))
    assert seen[:5].tolist() == [0, 1, 0, 0, 0]  # two men of its own on its 24-point
    assert seen[10:15].tolist() == [1, 0, 0, 0, 1]  # one of the other's on its 22-point
    assert seen[120:].tolist() == [1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_values_are_those_of_a_slow_network(activation):
    rolled = oracle.positions(0, FEW)[:40]
    batch, network = states(rolled), MLP(20, activation)
    codec = board_codec(network)
    assert codec.genes == 2761
    genome = jax.random.normal(jax.random.key(0), (codec.genes,))
    value = BackgammonValue.of(genome, network)
    assert isinstance(value, Value)
    values = jax.jit(jax.vmap(lambda board, seat: value.value((), board, seat)))(batch.board, batch.seat)
    weights = jax.tree.map(np.asarray, codec.decode(genome))
    squash = {"tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}[activation]
    for value, (position, _, _) in zip(values, rolled, strict=True):
        x = np.array(plainly(position, 0, False))
        hidden = squash(weights["hidden"] @ x + weights["hidden_bias"])
        expected = weights["output"][0] @ hidden + weights["output_bias"][0]
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)


def test_a_population_judges_the_same():
    """Blocks of lanes, each of which has its own network, as the arena has them."""
    batch = states(oracle.positions(0, FEW)[:6])
    genomes = jax.random.normal(jax.random.key(1), (3, board_codec().genes))
    networks = jax.vmap(BackgammonValue.of)(genomes)

    def block(network, boards):
        return jax.vmap(lambda board: network.value((), board, jnp.int32(0)))(boards)

    together = jax.jit(jax.vmap(block, (0, None)))(networks, batch.board)
    block = jax.jit(block)
    alone = [block(BackgammonValue.of(genome), batch.board) for genome in genomes]
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-5)
