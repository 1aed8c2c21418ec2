"""Networks of neurons, their player, and the games against hand-coded opponents from every seat."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Gomoku, Pente
from jaxgames.arena import Results, Schedule, play_games
from jaxgames.randomness import mix
from neuroevo.app import config
from neuroevo.evolution import Evolution, History
from neuroevo.networks import MLP, Neurons
from neuroevo.networks.genome import codec
from neuroevo.networks.neurons import think
from neuroevo.papers.esp_pente.findings import Outcome, first_reached, smoothed
from neuroevo.papers.esp_pente.gauntlet import Gauntlet as Study
from neuroevo.players.neuron_policy import NeuronPlayer
from neuroevo.runtime.settings import ConfigError
from neuroevo.strategies import ESP
from neuroevo.tasks import Gauntlet, VersusOpponent, VersusOthers
from neuroevo.tasks.gauntlet import all_tests

KEY, BOARD, WORD, SEAT = jax.random.key(0), Pente(5), jnp.uint32(0), jnp.int32(0)


def weights_of(network, seats=2):
    return np.array(jax.random.normal(KEY, (codec(Pente(5, seats), network).genes,)))


def plainly(network, genome, planes, past):
    """(outputs, activations), neuron by neuron, input by input; planes[seats, 25, or 26 with captures at the end]."""
    points, (seats, seen) = 25, planes.shape
    neurons = genome.reshape(network.hidden, -1)
    activations = []
    for weights in neurons:
        net = 0.0
        for point in range(seen):
            for i in range(network.inputs):
                stones = planes[min(i, seats - 1) : (seats if i == network.inputs - 1 else i + 1), point]
                net += weights[point * network.inputs + i] * stones.sum()
        if network.recurrent:
            net += weights[seen * network.inputs :][: network.hidden] @ past
        activations.append(1 / (1 + np.exp(-net)))
    outputs = [sum(a * w[-points + p] for a, w in zip(activations, neurons, strict=True)) for p in range(points)]
    return np.array(outputs), np.array(activations)


@pytest.mark.parametrize(("memory", "captures"), [("none", False), ("own", False), ("none", True), ("own", True)])
@pytest.mark.parametrize(("seats", "inputs"), [(2, 3), (2, 2), (3, 3), (3, 2), (4, 3)])
def test_a_network_against_a_slow_one(memory, captures, seats, inputs):
    network, generator = Neurons(3, memory, inputs, captures), np.random.default_rng(0)
    owner = generator.integers(-1, seats, 25)
    planes = np.stack([owner == seat for seat in range(seats)]).astype(np.float32)
    if captures:
        planes = np.concatenate([planes, generator.random((seats, 1), np.float32)], 1)
    past, genome = generator.random(3).astype(np.float32), weights_of(network, seats)
    layers = network.layers(jnp.asarray(genome.reshape(3, -1)), seats, 25)
    found = think(layers, jnp.asarray(planes.reshape(-1)), jnp.asarray(past))
    for ours, plain in zip(found, plainly(network, genome, planes, past), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)


def test_two_and_three_players_have_the_same_genes():
    assert codec(Pente(7), Neurons()).genes == codec(Pente(7, num_seats=3), Neurons()).genes == 10 * (147 + 49)
    assert codec(Pente(7), Neurons(memory="own")).genes == 10 * (147 + 10 + 49)
    assert codec(Pente(7), Neurons(inputs=2)).genes == 10 * (98 + 49)
    assert codec(Pente(7), Neurons(captures=True)).genes == 10 * (147 + 3 + 49)


def position(moves, board=BOARD):
    state = board.start()
    for move in moves:
        state = play(board, state, jnp.int32(move))
    return state


@functools.partial(jax.jit, static_argnums=0)
def play(board, state, move):
    return board.play(state, move)


def test_a_player_completes_five_and_takes_the_first_of_equals():
    player = NeuronPlayer.of(jnp.zeros(codec(BOARD, Neurons(2)).genes), BOARD, Neurons(2))
    action, memory = player.act(WORD, SEAT, position([12, 0, 11, 20]), player.reset(WORD, SEAT))
    assert (int(action), memory) == (1, ())  # all outputs are equal: the first empty point
    five = position([12, 0, 11, 20, 10, 4, 13, 2])
    assert int(player.act(WORD, SEAT, five, ())[0]) == 14


def test_a_recurrent_player_remembers_its_own_turns_and_a_watching_one_all():
    state, after = position([12, 6]), position([12, 6, 7])
    for memory, changes in (("own", False), ("all", True)):
        network = Neurons(3, memory)
        player = NeuronPlayer.of(jnp.asarray(weights_of(network)), BOARD, network)
        start = player.reset(WORD, SEAT)
        np.testing.assert_array_equal(start, 0)
        np.testing.assert_array_equal(player.watch(SEAT, state, start), start)  # its own turn: it will act
        seen = player.watch(SEAT, after, start)
        assert bool((seen != start).any()) == changes
        _, remembered = player.act(WORD, SEAT, state, start)
        assert (remembered != start).all()
        assert (player.act(WORD, SEAT, state, remembered)[1] != remembered).all()


def test_a_watching_player_sees_the_board_from_its_own_side():
    """On another's turn as on its own: own stones on the first plane."""
    network = Neurons(3, "all")
    genome = weights_of(network)
    player = NeuronPlayer.of(jnp.asarray(genome), BOARD, network)
    state = position([12, 6, 7])  # seat 1 is to move; seat 0 owns 12 and 7
    planes = np.zeros((2, 25), np.float32)
    planes[0, [12, 7]], planes[1, 6] = 1, 1
    expected = plainly(network, genome, planes, np.zeros(3))[1]
    np.testing.assert_allclose(player.watch(SEAT, state, jnp.zeros(3)), expected, rtol=1e-4)


@pytest.mark.parametrize("memory", ["none", "all"])
def test_captures_are_seen_from_the_own_side(memory):
    """Seat 0 has captured four stones of ten, seat 1 two; seat 0 is to move, and seat 1 watches."""
    network = Neurons(3, memory, captures=True)
    genome = weights_of(network)
    player = NeuronPlayer.of(jnp.asarray(genome), BOARD, network)
    state = position([12, 6]).replace(captured=(jnp.int32(4), jnp.int32(2)))
    planes = np.zeros((2, 26), np.float32)
    planes[0, [12, 25]], planes[1, [6, 25]] = (1, 0.4), (1, 0.2)
    outputs, _ = plainly(network, genome, planes, np.zeros(3))
    outputs[[12, 6]] = -np.inf
    assert int(player.act(WORD, SEAT, state, player.reset(WORD, SEAT))[0]) == outputs.argmax()
    if memory == "all":
        expected = plainly(network, genome, planes[::-1], np.zeros(3))[1]
        np.testing.assert_allclose(player.watch(jnp.int32(1), state, jnp.zeros(3)), expected, rtol=1e-4)


def test_seatings_by_hand():
    task = Gauntlet(Pente(7), Neurons(), ("random", "better"))
    assert (task.opponents, task.seatings) == (("random", "better"), ((0, 1), (1, 0), (0, 2), (2, 0)))
    task = Gauntlet(Pente(7, num_seats=3), Neurons(), ("better+random", "better+better"))
    assert task.opponents == ("random", "better", "better")
    assert task.seatings == ((0, 2, 1), (1, 0, 2), (2, 1, 0), (0, 2, 3), (3, 0, 2), (2, 3, 0))
    assert task.games == 60
    task = Gauntlet(Pente(7, num_seats=3), Neurons(), ("better+random", "better+better"), seats=(1,))
    assert task.seatings == ((1, 0, 2), (3, 0, 2))
    assert task.games == 20


def test_the_score_of_a_game():
    """A win of 9 plies, a loss of 30, a draw of 49, a win and a loss of 53: of 49 at most."""
    returns = jnp.array([[1, -1], [-1, 1], [0, 0], [1, -1], [-1, 1.0]])
    results = Results(returns, jnp.array([9, 30, 49, 53, 53]), jnp.ones(5, bool), None, jnp.ones(()))
    task = Gauntlet(Pente(7), Neurons(), ("random",))
    np.testing.assert_allclose(task.score(results), [40, 15, 24.5, 0, 24.5])


def test_cases_are_the_shares_of_games_won_in_each_test():
    task = Gauntlet(BOARD, Neurons(2), ("random", "better"), matches=6, lanes=8)
    genomes = jax.random.normal(KEY, (1, 4, task.genes))
    streams = jnp.arange(1, dtype=jnp.uint32)
    found = jax.jit(lambda s, g: task.evaluate(s, g, None))(streams, genomes)
    results = task.play(jnp.repeat(streams, 4), genomes[0])
    won = np.asarray(results.winner == 0)
    assert won.shape == (4, 24)
    np.testing.assert_allclose(found.cases[0, :, 0], won.reshape(4, 6, 4)[..., :2].mean((1, 2)))
    np.testing.assert_allclose(found.wins[0], won.mean(1), rtol=1e-6)
    np.testing.assert_allclose(found.fitness[0], np.asarray(task.score(results)).sum(1), rtol=1e-6)


def test_a_run_of_esp_is_the_same_in_every_batch():
    """Whatever the lanes and however many replicas beside it."""

    def first_replica(lanes, replicas):
        task = Gauntlet(BOARD, Neurons(2), ("random",), matches=4, lanes=lanes)
        evolution = Evolution(ESP(2, 4, trials=2), task, replicas, seed=5)
        states, fitness = jax.device_get(evolution.init()), []
        for number in range(3):
            states, generation = jax.device_get(evolution.step(states, jnp.int32(number)))
            fitness.append(generation.evaluation.fitness[0])
        return np.array(fitness), np.array(states.neurons[0])

    fitness, neurons = first_replica(lanes=8, replicas=1)
    assert len(np.unique(fitness)) > 8
    for one, other in zip(first_replica(lanes=3, replicas=2), (fitness, neurons), strict=True):
        np.testing.assert_array_equal(one, other)


def test_with_three_seats_an_opponent_has_all_others():
    """Against a loop over the pairs; each candidate sits once at every seat."""
    game, network = Pente(5, num_seats=3), Neurons(2)
    task = VersusOthers(game, network, games=3)
    genomes = jax.random.normal(KEY, (5, task.genes))
    results = task.play(jnp.zeros(1, jnp.uint32), genomes[None, :2], genomes[None, 2:])
    assert results.returns.shape == (1, 2, 3, 3, 2)
    streams = mix(mix(jnp.uint32(0)) + jnp.arange(3, dtype=jnp.uint32))
    schedule = Schedule(3, 3, ((0, 1, 1), (1, 0, 1), (1, 1, 0)))
    players = [NeuronPlayer.of(genomes[jnp.array(who)], game, network) for who in ([0, 0, 0, 1, 1, 1], [2, 3, 4] * 2)]
    pairs = play_games(game, players, jnp.tile(streams, 2), schedule)
    np.testing.assert_array_equal(results.plies.reshape(6, 3), pairs.plies)
    np.testing.assert_array_equal(results.returns.reshape(6, 3, 2), pairs.returns)
    assert set(np.unique(pairs.returns[..., 1]).tolist()) >= {
        0.5
    }  # one of the opponent's seats wins 1, the other loses ½


def test_coevolved_networks_are_tested_against_the_hand_coded_players():
    task = VersusOthers(Pente(7, captures=False), Neurons(2)).absolute()
    assert isinstance(task, Gauntlet)
    assert task.tests == ("random", "blocker", "simple", "better")
    assert len(all_tests(Pente(7, num_seats=3))) == 10
    with pytest.raises(ValueError, match="multiple of 3"):
        VersusOthers(Pente(7, num_seats=3), Neurons(), games=4)
    with pytest.raises(ValueError, match="2 seats"):
        VersusOthers(Pente(7, num_seats=3), MLP(), games=3)


def test_curves_are_smoothed_and_their_times_read_off():
    np.testing.assert_allclose(smoothed(np.array([0.0, 2, 4, 6]), 2), [1, 3, 5])
    assert first_reached(np.array([[0.1, 0.1], [0.9, 0.2], [0.5, 0.3]]), 0.9).tolist() == [1, 3]
    wins = np.zeros((8, 2, 3), np.float32)
    wins[6:] = 0.5
    task = Gauntlet(Pente(7), Neurons(), ("random", "better", "simple"))
    outcome = Outcome(task, History({}, np.zeros(0), wins), np.zeros((2, 3, 2)))
    assert outcome.late().tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tests": ("random+better",)}, "has 1 opponents"),
        ({"tests": ("nobody",)}, "not 'nobody'"),
        ({"game": Gomoku(7, 7)}, "game=pente"),
        ({"network": MLP()}, "network=neurons"),
        ({"matches": 0}, "at least 1"),
        ({"plies": 3}, "plies must be 1 or 2"),
        ({"plies": 2}, "plies is for network=value"),
    ],
)
def test_an_impossible_gauntlet_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Gauntlet(**{"game": Pente(7), "network": Neurons(), **changes})


def test_a_network_that_remembers_is_refused_elsewhere():
    with pytest.raises(ValueError, match="task=gauntlet only"):
        VersusOpponent(BOARD, Neurons(memory="own"), None)


def test_sub_populations_must_fit_the_hidden_units():
    task = Gauntlet(Pente(7), Neurons(5), ("random",))
    with pytest.raises(ValueError, match="must be the same, not 10 and 5"):
        Study(Evolution(ESP(), task), 1, 0)


def test_an_opponent_of_another_game_is_an_error_of_one_line():
    with pytest.raises(ConfigError, match="task: Blocker plays Gomoku and Pente, not Atari-Go 5×5"):
        config.make("task", {"kind": "versus_opponent", "opponent": "blocker"}, game=AtariGo(5), network=MLP())
