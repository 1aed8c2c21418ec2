"""What every network promises, over the registry and in every game that it plays: shapes, genes, batches, players."""

import functools
from itertools import product

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Backgammon, Othello, Pente
from jaxgames.core import StoneGame
from jaxgames.games.othello.positional import Positional
from jaxgames.players import Naive, Search
from neuroevo.networks import NETWORKS
from neuroevo.networks.base import (
    BACKGAMMON_VALUE,
    BOARD_POLICY,
    FOCUSED_SEARCH,
    NEURON_POLICY,
    PENTE_VALUE,
    Network,
)
from neuroevo.networks.focus import evaluate
from neuroevo.networks.genome import codec
from neuroevo.networks.marker import bounds, decode
from neuroevo.players import MAKERS, player_of
from neuroevo.tasks import VersusOpponent

GAMES = [AtariGo(5), Pente(5), Othello(), Backgammon()]
PLAYED_BY = {  # what a kind of player plays
    BOARD_POLICY: StoneGame,
    NEURON_POLICY: Pente,
    PENTE_VALUE: Pente,
    BACKGAMMON_VALUE: Backgammon,
    FOCUSED_SEARCH: Othello,
}


def plays(name, game):
    try:
        return isinstance(game, PLAYED_BY[NETWORKS[name]().player_kind(game)])
    except ValueError:
        return False


PAIRS = [(name, game) for name, game in product(NETWORKS, GAMES) if plays(name, game)]
COUNT = 3

every_network = pytest.mark.parametrize("name", NETWORKS)
every_pair = pytest.mark.parametrize(
    ("name", "game"), PAIRS, ids=lambda x: x if isinstance(x, str) else type(x).__name__
)


def genes_of(network, game):
    return codec(game, network).genes if isinstance(network, nn.Module) else network.alleles


def genomes_of(network, game, count=COUNT):
    shape = count, genes_of(network, game)
    if network.gene_type == np.int8:
        return jax.random.bits(jax.random.key(0), shape, jnp.uint8).astype(jnp.int8)
    return 0.5 * jax.random.normal(jax.random.key(0), shape)


def positions_of(network, game, count=COUNT):
    """Made-up inputs, [count, ...]: planes, features, or two bitboards."""
    if network.gene_type == np.int8:
        words = jax.random.bits(jax.random.key(1), (count, 4), jnp.uint32)
        return (words[:, 0], words[:, 1]), (words[:, 2] & ~words[:, 0], words[:, 3] & ~words[:, 1])
    return (jax.random.uniform(jax.random.key(1), (count, *network.input_shape(game))) < 0.3).astype(jnp.float32)


def output(network, game, genome, position):
    """Of one network for one position."""
    if network.gene_type == np.int8:
        return evaluate(decode(genome), *position)
    return network.apply({"params": codec(game, network).decode(genome)}, position)


def at(tree, i):
    return jax.tree.map(lambda x: x[i], tree)


def test_every_network_plays_a_game():
    assert {name for name, _ in PAIRS} == set(NETWORKS)
    assert {NETWORKS[name]().player_kind(game) for name, game in PAIRS} == set(MAKERS) == set(PLAYED_BY)


@every_network
def test_a_network_is_a_value_that_keeps_the_protocol(name):
    network = NETWORKS[name]()
    assert isinstance(network, Network)
    assert network == NETWORKS[name]()
    assert hash(network) == hash(NETWORKS[name]())


@every_pair
def test_a_genome_has_a_gene_for_every_weight(name, game):
    network = NETWORKS[name]()
    if not isinstance(network, nn.Module):
        assert min(bounds(genes_of(network, game))) > 0
        return
    shape = network.input_shape(game)
    parameters = network.init(jax.random.key(0), jnp.zeros(shape))["params"]
    layout = codec(game, network)
    assert sum(leaf.size for leaf in jax.tree.leaves(parameters)) == layout.genes
    genome = genomes_of(network, game, 1)[0]
    np.testing.assert_array_equal(layout.encode(layout.decode(genome)), genome)
    assert {leaf.dtype for leaf in jax.tree.leaves(parameters)} == {np.dtype(network.gene_type)}


@every_pair
def test_a_population_over_positions_equals_one_by_one(name, game):
    network = NETWORKS[name]()
    genomes, positions = genomes_of(network, game), positions_of(network, game)
    one = functools.partial(output, network, game)
    together = np.asarray(jax.jit(jax.vmap(jax.vmap(one, (None, 0)), (0, None)))(genomes, positions))
    single = jax.jit(one)
    for i, j in product(range(COUNT), range(COUNT)):
        np.testing.assert_allclose(together[i, j], single(genomes[i], at(positions, j)), rtol=1e-4, atol=1e-4)
    assert np.isfinite(together).all()
    for axis in (0, 1):  # networks differ, and see the position
        assert np.ptp(together, axis).max() > 1e-3


@every_pair
def test_weights_of_zero_say_nothing(name, game):
    network = NETWORKS[name]()
    genomes, positions = genomes_of(network, game), positions_of(network, game)
    silent = np.asarray(output(network, game, jnp.zeros_like(genomes[0]), at(positions, 0)))
    np.testing.assert_array_equal(silent, np.full_like(silent, silent.flat[0]))


def search_of(axes):
    """The search of a network with focus, for populations with these axes."""
    return Search(Othello(), Positional(), 1, level=jnp.full(axes, 1), random=jnp.zeros(axes))


@every_pair
@pytest.mark.parametrize("axes", [(), (2,), (2, 3)])
def test_leaves_of_players_lead_with_the_axes_of_the_genomes(name, game, axes):
    network = NETWORKS[name]()
    genomes = jnp.broadcast_to(genomes_of(network, game, 1)[0], (*axes, genes_of(network, game)))
    players = jax.eval_shape(functools.partial(player, network, game), genomes)
    alone = jax.eval_shape(functools.partial(player, network, game), genomes[(0,) * len(axes)])
    for leaf, one in zip(*map(jax.tree.leaves, (players, alone)), strict=True):
        assert leaf.shape == (*axes, *one.shape)


def player(network, game, genomes):
    options = {"search": search_of(genomes.shape[:-1])} if network.player_kind(game) == FOCUSED_SEARCH else {}
    return player_of(network, genomes, game, **options)


@pytest.mark.parametrize(("name", "played"), [("value", "Pente of two seats"), ("markers", "Othello")])
def test_a_game_that_a_network_does_not_play_is_named(name, played):
    with pytest.raises(ValueError, match=f"network={name} plays {played}.*, not Atari-Go 5×5"):
        VersusOpponent(AtariGo(5), NETWORKS[name](), Naive(AtariGo(5)))


def test_an_option_that_no_player_has_is_refused():
    game, network = AtariGo(5), NETWORKS["mdrnn"]()
    with pytest.raises(TypeError, match="temprature"):
        player_of(network, genomes_of(network, game), game, temprature=0.1)


def test_a_network_with_focus_needs_a_search():
    network = NETWORKS["markers"]()
    with pytest.raises(ValueError, match="needs the search"):
        player_of(network, genomes_of(network, Othello()), Othello())
