"""Networks against slow versions, their symmetry, and genomes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Gomoku
from jaxgames import bitboard as bb
from neuroevo.genome import GenomeCodec
from neuroevo.networks import MDRNN, MLP
from neuroevo.players import NetworkPlayer, codec

FLIPS = np.s_[:, :], np.s_[::-1, :], np.s_[:, ::-1], np.s_[::-1, ::-1]


def random_planes(rows, columns, count=6, inputs=2):
    return (jax.random.uniform(jax.random.key(2), (count, inputs, rows, columns)) < 0.3).astype(jnp.float32)


def slow_mdrnn(weights, planes, border):
    """Cell by cell in float64, from equation (1) and the facts about the border."""
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    _, rows, columns = planes.shape
    total = np.zeros((rows, columns))
    for flip in FLIPS:
        seen = np.stack([np.asarray(plane, np.float64)[flip] for plane in planes])
        u = np.zeros((rows, columns, len(w["border"])))
        for i in range(rows):
            for j in range(columns):
                net = w["input"] @ seen[:, i, j]
                for inside, at in ((i > 0, (i - 1, j)), (j > 0, (i, j - 1))):
                    if inside:
                        net = net + w["hidden"] @ u[at]
                    else:
                        net = net + (w["hidden"] @ w["border"] if border == "recurrent" else w["border"])
                u[i, j] = np.tanh(net)
        total += (u @ w["output"])[flip]
    return total.reshape(-1)


@pytest.mark.parametrize("border", ["recurrent", "added"])
@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (9, 9), (4, 7), (6, 3)])
def test_wavefront_equals_cell_by_cell(rows, columns, border):
    network = MDRNN(hidden=6, border=border)
    layout = GenomeCodec(network, 2, rows, columns)
    genome = 0.3 * jax.random.normal(jax.random.key(1), (layout.genes,))
    parameters, planes = layout.decode(genome), random_planes(rows, columns)
    ours = jax.vmap(lambda x: network.apply({"params": parameters}, x))(planes)
    one = network.apply({"params": parameters}, planes[0])
    slow = np.stack([slow_mdrnn(parameters, x, border) for x in planes])
    np.testing.assert_allclose(ours, slow, atol=1e-5)
    np.testing.assert_allclose(one, slow[0], atol=1e-5)


def test_a_population_over_positions_equals_one_by_one():
    network = MDRNN(hidden=4)
    layout = GenomeCodec(network, 2, 5, 5)
    genomes = jax.random.normal(jax.random.key(0), (3, layout.genes))
    planes = random_planes(5, 5)
    value = lambda genome, x: network.apply({"params": layout.decode(genome)}, x)  # noqa: E731
    together = jax.vmap(lambda genome: jax.vmap(lambda x: value(genome, x))(planes))(genomes)
    paired = jax.vmap(value)(genomes, planes[:3])
    for i in range(3):
        np.testing.assert_allclose(paired[i], together[i, i], atol=1e-5)
        for j, x in enumerate(planes):
            np.testing.assert_allclose(together[i, j], value(genomes[i], x), atol=1e-5)


@pytest.mark.parametrize("border", ["recurrent", "added"])
def test_ties_on_the_empty_board_are_orbits_of_the_square(border):
    """The group of the square moves a point of 5×5 to 1, 4 or 8 places; the network cannot tell these apart."""
    network = MDRNN(border=border)
    layout = GenomeCodec(network, 2, 5, 5)
    grid = np.arange(25).reshape(5, 5)
    orbit = np.min([np.rot90(g, q) for q in range(4) for g in (grid, grid.T)], axis=0)
    for seed in range(10):
        parameters = layout.decode(jax.random.normal(jax.random.key(seed), (layout.genes,)))
        values = np.asarray(network.apply({"params": parameters}, jnp.zeros((2, 5, 5)))).reshape(5, 5)
        for label in np.unique(orbit):
            members = values[orbit == label]
            assert len(members) in (1, 4, 8)
            assert np.ptp(members) < 1e-4
        assert len(np.unique(np.round(values, 3))) > 1


def test_rotating_the_board_rotates_the_preferences():
    network = MDRNN()
    layout = GenomeCodec(network, 2, 5, 5)
    parameters = layout.decode(0.5 * jax.random.normal(jax.random.key(3), (layout.genes,)))
    planes = random_planes(5, 5)[0]
    value = lambda x: np.asarray(network.apply({"params": parameters}, x)).reshape(5, 5)  # noqa: E731
    for turns in range(4):
        np.testing.assert_allclose(value(jnp.rot90(planes, turns, (1, 2))), np.rot90(value(planes), turns), atol=1e-4)
    np.testing.assert_allclose(value(planes.transpose(0, 2, 1)), value(planes).T, atol=1e-4)


def test_mlp_equals_its_formula():
    network, planes = MLP(hidden=7, activation="tanh"), random_planes(3, 4)
    layout = GenomeCodec(network, 2, 3, 4)
    w = layout.decode(jax.random.normal(jax.random.key(4), (layout.genes,)))
    ours = jax.vmap(lambda x: network.apply({"params": w}, x))(planes)
    for x, y in zip(np.asarray(planes), ours, strict=True):
        hidden = np.tanh(np.asarray(w["hidden"]) @ x.reshape(-1) + np.asarray(w["hidden_bias"]))
        np.testing.assert_allclose(y, np.asarray(w["output"]) @ hidden + np.asarray(w["output_bias"]), atol=1e-5)


def test_number_of_genes_is_the_papers():
    assert codec(AtariGo(5), MDRNN(10)).genes == codec(AtariGo(19), MDRNN(10)).genes == 140  # 4k + k²
    assert codec(Gomoku(5, 5), MLP(100)).genes == 100 * 50 + 100 + 25 * 100 + 25


def test_genes_survive_decoding_and_encoding_and_a_wrong_length_is_refused():
    layout = codec(AtariGo(5), MDRNN(3))
    genome = jnp.arange(layout.genes, dtype=jnp.float32)
    parameters = layout.decode(genome)
    np.testing.assert_array_equal(layout.encode(parameters), genome)
    np.testing.assert_array_equal(parameters["border"], [0, 1, 2])
    np.testing.assert_array_equal(parameters["hidden"][0], [3, 4, 5])
    with pytest.raises(ValueError, match="21 genes"):
        layout.decode(genome[:-1])


@pytest.mark.parametrize(("kind", "options"), [(MDRNN, {"border": "none"}), (MLP, {"activation": "step"})])
def test_an_unknown_option_is_named(kind, options):
    with pytest.raises(ValueError, match="must be one of"):
        kind(**options)


def player_and_state(temperature, board=3):
    """A network player before a position with one stone; temperature 0 is greedy."""
    game = Gomoku(board, board, 3)
    network = MDRNN(4)
    genome = jax.random.normal(jax.random.key(5), (codec(game, network).genes,))
    return NetworkPlayer(genome, game, network, temperature=temperature), game.play(game.start(), jnp.int32(1))


def drawn(player, state, number=4000):
    words = jax.random.bits(jax.random.key(6), (number,), jnp.uint32)
    return np.asarray(jax.vmap(lambda word: player.act(word, jnp.int32(1), state, ())[0])(words))


def test_greedy_play_is_uniform_among_the_best_empty_points():
    player, state = player_and_state(0.0)
    values = np.where(bb.to_mask(player.game.empties(state), 3), player.preferences(state), -np.inf)
    best = set(np.flatnonzero(values >= values.max() - 1e-3))
    counts = np.bincount(drawn(player, state), minlength=9)
    assert set(np.flatnonzero(counts)) == best
    assert abs(counts[list(best)] - 4000 / len(best)).max() < 4 * np.sqrt(4000 / len(best))


def test_gibbs_play_follows_the_softmax_of_the_outputs():
    player, state = player_and_state(0.3)
    output = 1 / (1 + np.exp(-np.asarray(player.preferences(state), np.float64)))
    weight = np.where(bb.to_mask(player.game.empties(state), 3), np.exp(output / 0.3), 0)
    expected = weight / weight.sum()
    share = np.bincount(drawn(player, state), minlength=9) / 4000
    assert share[1] == 0  # the occupied point
    assert np.abs(share - expected).max() < 4 * np.sqrt(0.25 / 4000)
