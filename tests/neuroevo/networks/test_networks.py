"""Networks against slow versions, their symmetry, and genomes."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import networks as oracles

from jaxgames import AtariGo, Gomoku
from jaxgames import bitboard as bb
from neuroevo.networks import MDLSTM, MDRNN, MLP, StackedMDRNN
from neuroevo.networks.genome import GenomeCodec, codec
from neuroevo.players.board_policy import TIE_TOLERANCE, NetworkPlayer

SWIPING = {  # each with its slow version
    MDRNN(6): oracles.mdrnn,
    MDRNN(6, "added"): functools.partial(oracles.mdrnn, border="added"),
    MDLSTM(6): oracles.mdlstm,
    StackedMDRNN(6): oracles.stacked,
    StackedMDRNN(4, layers=3): oracles.stacked,
}
SIZES = [(5, 5), (4, 7), *(pytest.param(*size, marks=pytest.mark.thorough) for size in [(9, 9), (6, 3)])]


def name_of(network):
    options = (str(getattr(network, f.name)) for f in dataclasses.fields(network) if f.name not in ("parent", "name"))
    return f"{type(network).__name__}({', '.join(options)})"


every_swiping_network = pytest.mark.parametrize("network", SWIPING, ids=name_of)


def random_planes(rows, columns, count=6, inputs=2):
    return (jax.random.uniform(jax.random.key(2), (count, inputs, rows, columns)) < 0.3).astype(jnp.float32)


def random_weights(layout, seed, scale=1.0):
    return layout.decode(scale * jax.random.normal(jax.random.key(seed), (layout.genes,)))


@functools.partial(jax.jit, static_argnums=0)
def preferences(network, parameters, planes):
    """Of one position, or of several by vmap."""
    value = lambda x: network.apply({"params": parameters}, x)  # noqa: E731
    return value(planes) if planes.ndim == 3 else jax.vmap(value)(planes)


@every_swiping_network
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_wavefront_equals_cell_by_cell(network, rows, columns):
    parameters = random_weights(GenomeCodec(network, 2, rows, columns), 1, 0.3)
    planes = random_planes(rows, columns)
    ours = preferences(network, parameters, planes)
    slow = np.stack([SWIPING[network](parameters, x) for x in planes])
    np.testing.assert_allclose(ours, slow, rtol=1e-4, atol=1e-5)
    if (rows, columns) == (5, 5):  # the program of other tests, too
        one = preferences(network, parameters, planes[0])
        np.testing.assert_allclose(one, slow[0], rtol=1e-4, atol=1e-5)


@every_swiping_network
def test_networks_as_evolution_starts_them_equal_cell_by_cell(network):
    """N(0, 1) genes amplify rounding, so the tolerance is that of a greedy player's ties."""
    parameters, planes = random_weights(GenomeCodec(network, 2, 5, 5), 7), random_planes(5, 5)
    ours = preferences(network, parameters, planes)
    slow = np.stack([SWIPING[network](parameters, x) for x in planes])
    np.testing.assert_allclose(ours, slow, atol=TIE_TOLERANCE)


@every_swiping_network
def test_a_population_over_positions_equals_one_by_one(network):
    layout = GenomeCodec(network, 2, 5, 5)
    genomes = 0.5 * jax.random.normal(jax.random.key(0), (3, layout.genes))
    planes = random_planes(5, 5)
    value = lambda genome, x: network.apply({"params": layout.decode(genome)}, x)  # noqa: E731
    together = jax.jit(jax.vmap(jax.vmap(value, (None, 0)), (0, None)))(genomes, planes)
    paired = jax.jit(jax.vmap(value))(genomes, planes[:3])
    for i in range(3):
        np.testing.assert_allclose(paired[i], together[i, i], atol=1e-5)
        for j, x in enumerate(planes):
            one = preferences(network, layout.decode(genomes[i]), x)
            np.testing.assert_allclose(together[i, j], one, atol=1e-5)


@every_swiping_network
def test_ties_on_the_empty_board_are_orbits_of_the_square(network):
    """The group of the square moves a point of 5×5 to 1, 4 or 8 places; the network cannot tell these apart."""
    layout = GenomeCodec(network, 2, 5, 5)
    grid = np.arange(25).reshape(5, 5)
    orbit = np.min([np.rot90(g, q) for q in range(4) for g in (grid, grid.T)], axis=0)
    for seed in range(10):
        values = np.asarray(preferences(network, random_weights(layout, seed), jnp.zeros((2, 5, 5)))).reshape(5, 5)
        for label in np.unique(orbit):
            members = values[orbit == label]
            assert len(members) in (1, 4, 8)
            assert np.ptp(members) < 1e-4
        assert len(np.unique(np.round(values, 3))) > 1


@every_swiping_network
def test_turning_and_reflecting_the_board_turns_and_reflects_the_preferences(network):
    parameters, planes = random_weights(GenomeCodec(network, 2, 5, 5), 3, 0.5), random_planes(5, 5)[0]
    value = lambda x: np.asarray(preferences(network, parameters, x)).reshape(5, 5)  # noqa: E731
    for turns in range(4):
        turned, expected = jnp.rot90(planes, turns, (1, 2)), np.rot90(value(planes), turns)
        np.testing.assert_allclose(value(turned), expected, atol=1e-4)
        np.testing.assert_allclose(value(turned.transpose(0, 2, 1)), expected.T, atol=1e-4)


@every_swiping_network
def test_random_networks_differ_and_look_at_the_board(network):
    """Of 50 random networks each has finite outputs and preferences among the points; they do not agree on the best
    point of a position, and most choose different points in different positions."""
    layout, planes = GenomeCodec(network, 2, 5, 5), random_planes(5, 5, count=20)
    values = np.stack([preferences(network, random_weights(layout, seed), planes) for seed in range(50)])
    assert np.isfinite(values).all()
    assert np.ptp(values, axis=2).min() > 0.01
    best = values.argmax(2)
    assert min(len(np.unique(best[:, j])) for j in range(20)) >= 10
    assert np.mean([len(np.unique(best[i])) >= 5 for i in range(50)]) > 0.8


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (4, 7)])
def test_one_layer_is_the_mdrnn_gene_by_gene(rows, columns):
    def values(network):
        parameters = random_weights(GenomeCodec(network, 2, rows, columns), 9)
        return preferences(network, parameters, random_planes(rows, columns))

    np.testing.assert_array_equal(values(StackedMDRNN(layers=1)), values(MDRNN()))


def test_mlp_equals_its_formula():
    network, planes = MLP(hidden=7, activation="tanh"), random_planes(3, 4)
    layout = GenomeCodec(network, 2, 3, 4)
    w = layout.decode(jax.random.normal(jax.random.key(4), (layout.genes,)))
    ours = preferences(network, w, planes)
    for x, y in zip(np.asarray(planes), ours, strict=True):
        hidden = np.tanh(np.asarray(w["hidden"]) @ x.reshape(-1) + np.asarray(w["hidden_bias"]))
        np.testing.assert_allclose(y, np.asarray(w["output"]) @ hidden + np.asarray(w["output_bias"]), atol=1e-5)


def test_number_of_genes_is_the_papers():
    assert codec(AtariGo(5), MDRNN(10)).genes == codec(AtariGo(19), MDRNN(10)).genes == 140  # 4k + k²
    assert codec(Gomoku(5, 5), MLP(100)).genes == 100 * 50 + 100 + 25 * 100 + 25


@pytest.mark.parametrize(("k", "inputs"), [(1, 3), (10, 2)])
def test_number_of_genes_is_that_of_the_equations_on_every_board(k, inputs):
    formulas = {
        MDRNN(k): k * (inputs + k + 2),
        MDLSTM(k): 4 * k * (inputs + k + 1) + 2 * k,
        StackedMDRNN(k): k * (inputs + k + 2) + k * (4 * k + 1),
        StackedMDRNN(k, layers=3): k * (inputs + k + 2) + 2 * k * (4 * k + 1),
    }
    for network, genes in formulas.items():
        assert {GenomeCodec(network, inputs, *size).genes for size in ((3, 3), (2, 4))} == {genes}


@every_swiping_network
def test_parameters_stand_in_alphabetical_order(network):
    """So genes are in the order of the parameters whichever way these are gone through."""
    names = []  # filled inside: what jax returns is sorted already
    jax.eval_shape(lambda: names.extend(network.init(jax.random.key(0), jnp.zeros((2, 3, 3)))["params"]))
    assert names == sorted(names)


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


@pytest.mark.parametrize("kind", [MDRNN, MLP, MDLSTM, StackedMDRNN])
def test_a_network_without_units_is_refused(kind):
    with pytest.raises(ValueError, match="hidden must be at least 1, not 0"):
        kind(hidden=0)


def test_a_network_without_layers_is_refused():
    with pytest.raises(ValueError, match="layers must be at least 1, not 0"):
        StackedMDRNN(layers=0)


def player_and_state(temperature, board=3):
    """A network player before a position with one stone; temperature 0 is greedy."""
    game = Gomoku(board, board, 3)
    network = MDRNN(4)
    genome = jax.random.normal(jax.random.key(5), (codec(game, network).genes,))
    return NetworkPlayer(genome, game, network, temperature=temperature), game.play(game.start(), jnp.int32(1))


def drawn(player, state, number=4000):
    words = jax.random.bits(jax.random.key(6), (number,), jnp.uint32)
    act = jax.jit(jax.vmap(lambda player, word: player.act(word, jnp.int32(1), state, ())[0], (None, 0)))
    return np.asarray(act(player, words))


@jax.jit
def outputs(player, state):
    return player.preferences(state)


def test_greedy_play_is_uniform_among_the_best_empty_points():
    player, state = player_and_state(0.0)
    values = np.where(bb.to_mask(player.game.empties(state), 3), outputs(player, state), -np.inf)
    best = set(np.flatnonzero(values >= values.max() - 1e-3))
    counts = np.bincount(drawn(player, state), minlength=9)
    assert set(np.flatnonzero(counts)) == best
    assert abs(counts[list(best)] - 4000 / len(best)).max() < 4 * np.sqrt(4000 / len(best))


def test_gibbs_play_follows_the_softmax_of_the_outputs():
    player, state = player_and_state(0.3)
    output = 1 / (1 + np.exp(-np.asarray(outputs(player, state), np.float64)))
    weight = np.where(bb.to_mask(player.game.empties(state), 3), np.exp(output / 0.3), 0)
    expected = weight / weight.sum()
    share = np.bincount(drawn(player, state), minlength=9) / 4000
    assert share[1] == 0  # the occupied point
    assert np.abs(share - expected).max() < 4 * np.sqrt(0.25 / 4000)
