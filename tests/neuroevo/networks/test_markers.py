"""Marker-based encoding against the plain oracle: decoding of random, extreme and hand-made chromosomes, and what the
networks say of positions of Othello.
"""

import functools
import random

import conftest
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import markers as oracle
from oracles import othello
from replay import source, write_between
from squares import squares, words

from jaxgames import Othello
from neuroevo.networks.focus import FocusWindow, carry, evaluate, keep
from neuroevo.networks.marker import INPUTS, OUTPUTS, bounds, decode

GAME = Othello()
ALLELES, CHROMOSOMES, POSITIONS = 5000, 50, 33  # in one call; the positions do not fill the last word
SHORT = 48
THOROUGH_BATCHES = 24
BEGIN = "<!-- begin of marker-based encoding, by `python -m pytest -m thorough` -->"

decode_all = jax.jit(jax.vmap(decode))
decode_carried = jax.jit(jax.vmap(functools.partial(decode, carried=True)))
evaluate_all = jax.jit(jax.vmap(jax.vmap(evaluate, (None, 0, 0))))
keep_all = jax.jit(jax.vmap(jax.vmap(keep, (None, 0, 0, 0, 0))))


# ---------------------------------------------------------------- chromosomes
def random_chromosomes(seed):
    return np.random.default_rng(seed).integers(-128, 128, (CHROMOSOMES, ALLELES)).astype(np.int8)


def extreme_chromosomes():
    """Few markers, many markers, the densest nodes, and none at all."""
    rng = np.random.default_rng(5)
    markers = np.array([a for a in range(-128, 128) if abs(a) % 25 in (1, 2)])
    others = np.setdiff1d(np.arange(-128, 128), markers)
    rows = [rng.choice(others, ALLELES), *(np.resize(part, ALLELES) for part in ([1, 40, 9, 2], [1, 2], [1], [2]))]
    for share in (0.0005, 0.002, 0.01, 0.3, 0.6):
        for _ in range(4):
            marked = rng.random(ALLELES) < share
            rows.append(np.where(marked, rng.choice(markers, ALLELES), rng.choice(others, ALLELES)))
    for key in (5, -5):  # nodes of one link
        node = np.stack([np.full(714, value) for value in (1, 0, 9, key, 0, 7, 2)], 1)
        node[:, [1, 4]] = rng.choice(others[others < 0], (714, 2))  # to outputs or from nodes
        rows.append(np.concatenate([node.ravel(), [0, 0]]))
    lonely = rng.choice(others, ALLELES)
    lonely[3000] = 1  # one node with as many links as there can be
    rows.append(lonely)
    return np.resize(np.stack(rows), (CHROMOSOMES, ALLELES)).astype(np.int8)


def described(network):
    """The nodes of a decoded network as [inputs, hidden, constant, initial], and every output's links."""
    nodes, of_row = [], {}
    for row in range(int(network.rows)):
        if not network.further[row]:
            nodes.append([[], [], int(network.constant[row]), False])
        of_row[row] = len(nodes) - 1
        for unit, weight in zip(network.sources[row].tolist(), network.weights[row].tolist(), strict=True):
            if unit < INPUTS:
                nodes[-1][0].append((unit, weight))
            elif unit < INPUTS + len(network.sources):
                nodes[-1][1].append((unit - INPUTS, weight))
            else:
                assert weight == 0
        nodes[-1][3] = bool(network.initial[row])
    for node in nodes:
        node[1] = [(of_row[row], weight) for row, weight in node[1]]
    outputs = []
    nothing, further = INPUTS + len(network.sources), network.further_outputs < OUTPUTS
    assert not network.output_weights[network.output_sources == nothing].any()
    for output in range(OUTPUTS):
        there, more = network.output_sources[output] != nothing, network.further_outputs == output
        units = [*network.output_sources[output][there], *network.further_sources[more]]
        weights = [*network.output_weights[output][there], *network.further_weights[more]]
        outputs.append([(of_row[int(u) - INPUTS], int(w)) for u, w in zip(units, weights, strict=True)])
    assert (np.diff(further.astype(int)) <= 0).all()
    return nodes, outputs


def expected(nodes, carried):
    """The same of the oracle's nodes."""
    kept = oracle.mattering(nodes, carried)
    place = {i: number for number, i in enumerate(kept)}
    found, outputs = [], [[] for _ in range(128)]
    for i in kept:
        hidden = [(place[j], weight) for j, weight in nodes[i].hidden if carried or j < i]
        constant = sum(w for j, w in nodes[i].hidden if j >= i and nodes[j].initial and not carried)
        found.append([nodes[i].inputs, hidden, constant, bool(nodes[i].initial)])
        for output, weight in nodes[i].outputs:
            outputs[output].append((place[i], weight))
    return found, outputs


def compare(chromosomes, networks, carried=False):
    """Fails where a network is not what the oracle decodes; returns the oracle's nodes."""
    networks, all_nodes = jax.device_get(networks), []
    for number, chromosome in enumerate(chromosomes):
        network = jax.tree.map(lambda x, number=number: x[number], networks)
        nodes = oracle.decode(chromosome)
        found, outputs = described(network)
        assert (found, outputs) == expected(nodes, carried), f"chromosome {number}"
        links = sum(len(node.inputs) + len(node.hidden) + len(node.outputs) for node in nodes)
        assert (int(network.nodes), int(network.links), int(network.reaching)) == (len(nodes), links, len(found))
        all_nodes.append(nodes)
    return all_nodes


@pytest.fixture(scope="module")
def population():
    """Random chromosomes, their networks, and their nodes by the oracle."""
    chromosomes = random_chromosomes(0)
    networks = decode_all(chromosomes)
    return chromosomes, networks, compare(chromosomes, networks)


def test_random_chromosomes_are_as_published(population):
    """The paper has about 120 nodes and 600 links; these numbers are from 300 chromosomes in plain Python."""
    _, networks, _ = population
    assert abs(networks.nodes.mean() - 106) < 4
    assert abs(networks.links.mean() - 686) < 25
    assert abs(networks.reaching.mean() - 88) < 5


@pytest.fixture(scope="module")
def extremes():
    """Networks of extreme chromosomes, and their nodes by the oracle."""
    chromosomes = extreme_chromosomes()
    networks = decode_all(chromosomes)
    return networks, compare(chromosomes, networks)


def test_extreme_chromosomes_decode_within_the_bounds(extremes):
    networks, _ = extremes
    nodes, links, rows = bounds(ALLELES)
    assert (nodes, links, rows) == (1250, 1665, 803)
    assert networks.nodes.max() == 1250
    assert networks.links.max() == 1665
    assert 700 < networks.rows.max() <= rows


def padded(*alleles):
    return [*alleles, *[0] * (SHORT - len(alleles))]


BY_HAND = {  # chromosome → nodes as (label, value, inputs, hidden, outputs)
    "the paper's link": (padded(1, 40, 9, 82, 3, -5, 2), [(40, 9, [(3, -5)], [], [])]),
    "markers by their absolute value": (padded(-26, 40, 9, 5, -1, 3, -77), [(40, 9, [], [], [(127, 3)])]),
    "no start": (padded(2, 40, 9, 82, 3, -5, 2), []),
    "the ends of the range": (padded(1, -128, -128, -128, -128, -128, 2), [(-128, -128, [], [(0, -128)], [])]),
    "an incomplete link": (padded(1, 40, 9, 82, 3, -5, 7, 7, 2), [(40, 9, [(3, -5)], [], [])]),
    "nodes without label and value": (padded(1, 2, 1, 40, 2, 1, 40, 9, 2), [(40, 9, [], [], [])]),
    "a start in a node is data": (padded(1, 40, 9, 1, 26, 1, 2), [(40, 9, [(26, 1)], [], [])]),
    "over the edge": ([9, 82, 3, -5, 2, *[0] * (SHORT - 7), 1, 40], [(40, 9, [(3, -5)], [], [])]),
    "open at the first start": (
        [0, 1, 50, 8, 2, *[0] * (SHORT - 8), 1, 40, 9],
        [(50, 8, [], [], []), (40, 9, [], [], [])],
    ),
    "the nearest label": (
        padded(1, 10, 9, -3, 13, 5, -3, -128, 6, 2, 1, 20, 9, 2, 1, 120, 0, -3, 15, 7, 2),
        [(10, 9, [], [(0, 5), (2, 6)], []), (20, 9, [], [], []), (120, 0, [], [(0, 7)], [])],
    ),
    "a second node with a label": (
        padded(1, 10, 9, 2, 1, 10, 0, -3, 10, 5, 2),
        [(10, 9, [], [], []), (10, 0, [], [(0, 5)], [])],
    ),
}


def test_chromosomes_by_hand():
    """The oracle has every node, and the network those that reach an output."""
    chromosomes = np.array([chromosome for chromosome, _ in BY_HAND.values()], np.int8)
    for (name, (_, nodes)), decoded in zip(BY_HAND.items(), map(oracle.decode, chromosomes), strict=True):
        assert [(n.label, n.value, n.inputs, n.hidden, n.outputs) for n in decoded] == nodes, name
    for carried in (False, True):
        decoding = jax.jit(jax.vmap(functools.partial(decode, carried=carried)))
        compare(chromosomes, decoding(chromosomes), carried)
        shuffled = np.random.default_rng(1).permuted(np.resize(chromosomes, (len(BY_HAND), SHORT)), axis=1)
        compare(shuffled, decoding(shuffled), carried)


# ---------------------------------------------------------------- positions
@functools.cache
def pool(games):
    """All positions of so many games of random moves: (own discs, other discs, moves, whether they are own)."""
    rng, found = random.Random(games), []
    for _ in range(games):
        game = othello.Othello()
        while not found or not game.over:
            seat = rng.randrange(2)
            found.append((game.squares(seat), game.squares(1 - seat), game.legal(), game.to_move == seat))
            game.play(rng.choice(sorted(game.legal())))
    return [*found, (game.squares(0), game.squares(1), set(), True)]


def positions(seed, networks, games=6):
    """[networks, positions] of words and flags, and the positions themselves."""
    every = [random.Random(seed + g).sample(pool(games), POSITIONS) for g in range(networks)]
    boards = [
        tuple(np.array([[words(p[side])[half] for p in row] for row in every]) for half in (0, 1)) for side in (0, 1, 2)
    ]
    return *boards, np.array([[p[3] for p in row] for row in every]), every


def compare_outputs(networks, all_nodes, seed, step, games=6):
    """Fails where outputs or windows differ from the oracle's, at every `step`th position; returns how many were."""
    own, other, moves, own_move, every = positions(seed, len(all_nodes), games)
    outputs = np.asarray(evaluate_all(networks, own, other))
    kept, best, _ = jax.device_get(keep_all(networks, own, other, moves, own_move))
    compared = blind = 0
    for g, (nodes, row) in enumerate(zip(all_nodes, every, strict=True)):
        for at in range(g % step, POSITIONS, step):
            mine, theirs, legal, is_own = row[at]
            said, _ = oracle.evaluate(nodes, mine, theirs)
            assert outputs[g, at].tolist() == said, f"network {g}, position {at}"
            window, forced = oracle.window(said, legal, is_own)
            keeps, first = (squares([half[g, at] for half in board]) for board in (kept, best))
            assert (first if forced else keeps) == window, f"network {g}, position {at}"
            assert (not keeps) == (forced or not legal)
            compared, blind = compared + 1, blind + forced
    return compared, blind


def test_outputs_and_windows_are_the_oracles(population):
    _, networks, all_nodes = population
    compared, blind = compare_outputs(networks, all_nodes, 0, step=8)
    assert compared > 200
    assert blind > 0


def test_extreme_networks_say_what_the_oracle_says(extremes):
    networks, all_nodes = extremes
    assert (networks.further_outputs[:, 5] == networks.further_outputs[:, 0]).any()  # an output with many links
    assert np.abs(networks.constant).max() > 127  # a sum of weights that is no 8-bit integer
    compare_outputs(networks, all_nodes, 100, step=16)


def test_activations_are_carried_over(population):
    """Ten networks see the positions of a game in turn."""
    chromosomes, forgetful, all_nodes = population
    networks = decode_carried(chromosomes)
    compare(chromosomes[:10], networks, carried=True)
    own, other, moves, own_move, every = positions(1, 1)
    past = networks.initial
    window = jax.jit(jax.vmap(keep, (0, None, None, None, None, 0)))
    step = jax.jit(jax.vmap(carry, (0, None, None, 0)))
    units = [None] * 10
    changed = 0
    for at in range(6):
        board = [tuple(half[0, at] for half in side) for side in (own, other)]
        legal = tuple(half[0, at] for half in moves)
        kept, best, remembered = jax.device_get(window(networks, *board, legal, own_move[0, at], past))
        outputs, past = jax.device_get(step(networks, *board, past))
        assert (remembered == past).all()
        for g in range(10):
            seen, forced = oracle.window(outputs[g].tolist(), every[0][at][2], every[0][at][3])
            assert squares([half[g] for half in (best if forced else kept)]) == seen
            said, units[g] = oracle.evaluate(all_nodes[g], *every[0][at][:2], units[g])
            assert outputs[g].tolist() == said
            changed += said != oracle.evaluate(all_nodes[g], *every[0][at][:2])[0]
    assert changed > 10  # it makes a difference
    with pytest.raises(ValueError, match="decoded with carried=True"):
        carry(jax.tree.map(lambda x: x[0], forgetful), *board, past[0])


def test_a_window_sees_the_board_from_its_own_side(population):
    """At odd plies the other side is to move; one network on one position is the same as many on many."""
    _, networks, _ = population
    network = jax.tree.map(lambda x: x[3], networks)
    own, other, moves, _, _ = positions(2, 1)
    mine, theirs, legal = (tuple(half[0, 7] for half in side) for side in (own, other, moves))
    asked = jax.jit(lambda node, ply: FocusWindow(network).keep(node, legal, ply, ())[:2])
    shape = CHROMOSOMES, POSITIONS
    boards = jax.tree.map(lambda x: np.resize(x, shape), (mine, theirs, legal))
    for node, ply, is_own in (((mine, theirs), 2, True), ((theirs, mine), 3, False)):
        found = asked(GAME.start().replace(own=node[0], other=node[1]), jnp.int32(ply))
        many = keep_all(networks, *boards, np.full(shape, is_own))[:2]
        assert jax.tree.map(int, found) == jax.tree.map(lambda x: int(x[3, 7]), many)


@pytest.mark.thorough
def test_1000_chromosomes_are_decoded_and_evaluated_as_by_the_oracle():
    chromosomes = compared = blind = 0
    for batch in range(1, 1 + THOROUGH_BATCHES):
        population = random_chromosomes(batch)
        networks = decode_all(population)
        all_nodes = compare(population, networks)
        compare(population, decode_carried(population), carried=True)
        more = compare_outputs(networks, all_nodes, batch * CHROMOSOMES, step=2, games=50)
        chromosomes, compared, blind = chromosomes + CHROMOSOMES, compared + more[0], blind + more[1]
    assert chromosomes >= 1000
    text = f"{chromosomes:,} chromosomes, each decoded in both ways, {compared:,} positions, {blind:,} empty windows"
    write_between(conftest.ROOT / "docs" / "verification.md", BEGIN, f"{source()}: {text}; no difference was found.\n")
