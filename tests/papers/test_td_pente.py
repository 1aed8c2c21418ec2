"""Choice by value against networks that see every afterstate, games that are learned, and what is said of them."""

from collections import Counter
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import pente

from jaxgames import Pente
from neuroevo.encoders.pente import pente_features
from neuroevo.networks import Neurons, ValueNetwork
from neuroevo.networks.genome import codec
from neuroevo.papers.td_pente.many_games import split
from neuroevo.papers.td_pente.many_games_findings import (
    Learned,
    _improved,
    areas,
    counts,
    networks,
    share_in,
)
from neuroevo.papers.td_pente.single_game import LARGEST, TDSingle, measured
from neuroevo.players.pente_value import TwoPlyPlayer, ValueFunction, ValuePlayer
from neuroevo.report import statistics
from neuroevo.tasks import Gauntlet
from neuroevo.td.by_device import by_device, one_axis
from neuroevo.td.episodes import BOARD, Positions, episodes, games_of, replayed
from neuroevo.td.learning import Learners, PenteSelfPlay, cut, learn_records
from neuroevo.td.move_ranks import ranks
from neuroevo.td.sources import Loaded, Source
from neuroevo.td.update import Rule, learn

SMALL, SEAT, WORD = Pente(7), jnp.int32(0), jnp.uint32(0)
HIDDEN = 4


def weights_of(seed, game=SMALL):
    return ValueNetwork(HIDDEN).init(jax.random.key(seed), jnp.zeros(game.num_actions + 4))["params"]


@partial(jax.jit, static_argnums=0)
def play(game, state, action):
    return game.play(state, action)


@partial(jax.jit, static_argnums=0)
def values_seen(game, player, state):
    return player.value_function.values(player.value_function.rules.of(state))


def shipped(count):
    return Source(games=count).load().games


# ---------------------------------------------------------------- afterstates
def test_every_move_is_judged_as_the_network_judges_the_position_after_it():
    """Random games on a small board, with captures."""
    weights = weights_of(0)
    player = ValuePlayer.of(weights, SMALL)

    @jax.jit
    def by_network(state):
        mover = SMALL.to_move(state)
        after = jax.vmap(lambda action: pente_features(SMALL, SMALL.play(state, action), mover))(jnp.arange(49))
        return jax.vmap(partial(ValueNetwork(HIDDEN).apply, {"params": weights}))(after)

    draw, captures = np.random.default_rng(2), 0
    for _ in range(4):
        oracle, state = pente.Pente(7), SMALL.start()
        while not oracle.over:
            ours, network = values_seen(SMALL, player, state), by_network(state)
            legal = sorted(oracle.legal())
            captures += sum(bool(oracle.captured_by(oracle.to_move, action)) for action in legal)
            np.testing.assert_allclose(np.asarray(ours)[legal], np.asarray(network)[legal], atol=1e-5)
            action = int(draw.choice(legal))
            oracle.play(action)
            state = play(SMALL, state, jnp.int32(action))
    assert captures > 100


@pytest.mark.parametrize(("size", "moderate"), [(1.0, True), (20.0, True), (2000.0, False)])
def test_large_weights_are_judged_exactly(size, moderate):
    """Without a factor that overflows, and by sums where one would."""
    weights = jax.tree.map(lambda w: size * 2 * w, weights_of(4)) | {"output": weights_of(5)["output"]}
    value_function = ValueFunction.of(weights, SMALL)
    assert bool(value_function.moderate) == moderate
    before = jnp.array([300.0, -300.0, 50.0, -1.0]) * size / 20
    expected = weights["output"] @ jax.nn.sigmoid(before[:, None] + weights["hidden"][:, :49])
    np.testing.assert_allclose(jax.jit(ValueFunction.quiet)(value_function, before), expected, atol=1e-6)


def position(*actions):
    state = SMALL.start()
    for action in actions:
        state = play(SMALL, state, jnp.int32(action))
    return state


def test_the_best_possible_move_is_chosen():
    player = ValuePlayer.of(weights_of(1), SMALL)
    act = jax.jit(lambda state: player.act(WORD, SEAT, state, ())[0])
    assert act(SMALL.start()) == 24  # the centre, as the rules say
    state = position(24, 3, 10)
    seen = np.array(values_seen(SMALL, player, state))
    seen[[24, 3, 10]] = -np.inf
    assert act(state) == seen.argmax()


def test_a_player_that_finishes_wins_at_once():
    state = position(24, 0, 25, 2, 26, 4, 27, 48)
    player = ValuePlayer.of(weights_of(1), SMALL, finishes=True)
    assert player.act(WORD, SEAT, state, ())[0] in (23,)


def test_two_plies_are_looked_ahead():
    """Of all moves the one whose worst reply is best in the network's eyes, and as the rules end the game."""
    weights = weights_of(6)
    player = TwoPlyPlayer.of(weights, SMALL, breadth=49)
    act = jax.jit(lambda state: player.act(WORD, SEAT, state, ())[0])

    @jax.jit
    def replies(state, mover):
        """Values for `mover` after every move of the other side."""
        after = jax.vmap(lambda action: pente_features(SMALL, SMALL.play(state, action), mover))(jnp.arange(49))
        return jax.vmap(partial(ValueNetwork(HIDDEN).apply, {"params": weights}))(after)

    draw = np.random.default_rng(5)
    for plies in (3, 8, 13):
        oracle, state = pente.Pente(7), SMALL.start()
        for _ in range(plies):
            action = int(draw.choice(sorted(oracle.legal())))
            oracle.play(action)
            state = play(SMALL, state, jnp.int32(action))
        worst = np.full(49, -np.inf)
        for action in oracle.legal():
            after = play(SMALL, state, jnp.int32(action))
            seen, empty = np.asarray(replies(after, jnp.int32(plies % 2))), np.asarray(SMALL.legal(after))
            worst[action] = seen[empty].min()
        assert worst[int(act(state))] >= worst.max() - 1e-5
    assert act(position(24, 0, 25, 2, 26, 4, 27, 48)) == 23  # five
    assert act(position(24, 0, 48, 1, 41, 2, 33, 3)) == 4  # or the other side completes five


def test_a_champion_is_its_genome():
    task = Gauntlet(SMALL, ValueNetwork(HIDDEN), tests=("random",), matches=1)
    genome = codec(SMALL, task.network).encode(weights_of(3))
    assert genome.shape == (task.genes,) == (HIDDEN * 53 + HIDDEN,)
    player = jax.tree.map(lambda x: x[0], task.player(genome[None]))
    for name, w in weights_of(3).items():
        np.testing.assert_array_equal(player.value_function.weights[name], w)


@pytest.mark.parametrize("game", [Pente(7, num_seats=3), Pente(7, keryo=True), Pente(7, captures=False)])
def test_values_are_of_pente_for_two(game):
    with pytest.raises(ValueError, match="network=value plays Pente of two seats"):
        Gauntlet(game, ValueNetwork(), tests=("random",) if game.num_seats == 2 else ("random+random",))


def test_only_values_are_finished_by_force():
    with pytest.raises(ValueError, match="finishes is for network=value"):
        Gauntlet(SMALL, Neurons(2), finishes=True)


# ---------------------------------------------------------------- records
def test_games_on_record_are_learned_one_after_the_other():
    begun = [moves[:14].tolist() for moves in shipped(5).moves]
    positions, rule = replayed(games_of(begun, [1.0, -1.0, 0.0, -1.0, 1.0])), Rule(0.01)
    starts = [weights_of(seed, BOARD) for seed in range(4)]
    order, turned = np.array([3, 0, 3]), np.array([0, 5, 2])
    learners = Learners.start(rule, by_device(jax.tree.map(lambda *w: jnp.stack(w), *starts)))
    copies = jax.tree.map(lambda x: jnp.stack([x, x]), positions)
    after, errors = learn_records(rule, learners, copies, np.stack([order] * 2), np.stack([turned] * 2), "both")
    seen = [episodes(positions.of(jnp.int32(i)), "both", jnp.int32(t)) for i, t in zip(order, turned, strict=True)]
    steps = jax.tree.map(lambda *x: jnp.stack(x)[:, None], *seen)
    for number in (0, 3):
        weights, _, expected = jax.jit(learn)(rule, starts[number], rule.start(starts[number]), steps)
        for name, w in weights.items():
            np.testing.assert_allclose(one_axis(after.weights[name], 4)[number], w, atol=1e-5)
        np.testing.assert_allclose(one_axis(jnp.swapaxes(errors, 1, 2), 4)[number], expected[:, 0], rtol=1e-4)


def test_work_is_as_long_as_the_game():
    found = [int(cut(jnp.int32(length), 40, jnp.int32)) for length in (1, 16, 17, 32, 33, 40)]
    assert found == [16, 16, 32, 32, 40, 40]


def test_ranks_are_those_of_the_values():
    draw, moves = np.random.default_rng(0), []
    for _ in range(2):
        oracle = pente.Pente(7)
        moves.append([])
        while not oracle.over:
            moves[-1].append(int(draw.choice(sorted(oracle.legal()))))
            oracle.play(moves[-1][-1])
    games = games_of(moves, [1.0, 1.0])
    weights = [weights_of(seed) for seed in range(2)]
    found = ranks(SMALL, jax.tree.map(lambda *w: jnp.stack(w), *weights), games)
    assert found.shape == (2, int(games.length.sum()) - 2)
    assert 0.3 < found.mean() < 0.7  # they know nothing
    player, state = ValuePlayer.of(weights[0], SMALL), SMALL.start()
    for ply, action in enumerate(games.moves[0][:6]):
        seen, legal = np.asarray(values_seen(SMALL, player, state)), np.asarray(SMALL.legal(state))
        if ply:
            better = (seen[legal] > seen[action]).sum() / (legal.sum() - 1)
            np.testing.assert_allclose(found[0, ply - 1], better, atol=1e-3)
        state = play(SMALL, state, action.astype(jnp.int32))


def test_held_out_games_are_the_last():
    known, unknown = split(shipped(5), 2)
    assert (len(known), len(unknown)) == (3, 2)
    np.testing.assert_array_equal(unknown.moves, shipped(5).moves[3:])
    with pytest.raises(ValueError, match="there are 5 games on record, and 5 of them"):
        split(shipped(5), 5)


# ---------------------------------------------------------------- self-play
@pytest.mark.parametrize("learners", [pytest.param(1, marks=pytest.mark.thorough), 2])
def test_games_of_self_play_are_legal_greedy_and_learned(learners):
    """Two games of one team: the second is played by what the first has learned_game."""
    game, rule = Pente(5, tournament_rule="3x3"), Rule(0.005)
    weights = jax.tree.map(lambda *w: jnp.stack(w), *[weights_of(seed, game) for seed in range(learners)])
    team = jax.tree.map(lambda w: w[None, None], Learners.start(rule, weights))
    streams, first = jnp.zeros((1, 1), jnp.uint32), jnp.zeros(1, jnp.int32)
    after, games = PenteSelfPlay(game, learners).learn(rule, team, streams, first, 2)
    for number in range(2):
        moves, length = np.asarray(games.moves[0, 0, number]), int(games.length[0, 0, number])
        result, positions = greedily(game, weights, moves[:length].tolist())
        assert (moves[length:] == -1).all()
        assert result == games.result[0, 0, number]
        weights, errors = taught_by(rule, weights, positions)
        np.testing.assert_allclose(games.errors[0, 0, number], errors, rtol=1e-3)
    for name, w in weights.items():
        np.testing.assert_allclose(after.weights[name][0, 0], w, atol=1e-4)


def greedily(game, weights, moves):
    """(the result, the positions) of a whole game of moves that are the best in their networks' eyes."""
    learners = len(weights["output"])
    players = [ValuePlayer.of(jax.tree.map(lambda w, i=i: w[i], weights), game) for i in range(learners)]
    oracle, state, boards, captures = pente.Pente(game.size, tournament_rule="3x3"), game.start(), [], []
    for ply, action in enumerate(moves):
        legal, player = sorted(oracle.legal()), players[ply % learners]
        seen = np.asarray(values_seen(game, player, state))
        assert seen[action] >= seen[legal].max() - 1e-4
        oracle.play(action)
        state = play(game, state, jnp.int32(action))
        boards.append([{None: 0, 0: 1, 1: -1}[stone] for stone in oracle.board])
        captures.append(list(oracle.captured_counts))
    assert oracle.over
    result = {None: 0, 0: 1, 1: -1}[oracle.winner]
    arrays = jnp.array(boards, jnp.int8), jnp.array(captures, jnp.int8)
    return result, Positions(*arrays, jnp.array(moves, jnp.int16), jnp.int32(len(moves)), jnp.float32(result))


def taught_by(rule, weights, positions):
    """(weights after one game, total errors): one learner sees it from both sides, each of two from its own."""
    learners = len(weights["output"])
    seen, learned, errors = episodes(positions, "both"), [], []
    for i in range(learners):
        mine = jax.tree.map(lambda x, i=i: x[None] if learners == 1 else x[None, i : i + 1], seen)
        own = jax.tree.map(lambda w, i=i: w[i], weights)
        new, _, error = rule.step(own, rule.start(own), mine)
        learned.append(new)
        errors.append(float(error[0]))
    return jax.tree.map(lambda *w: jnp.stack(w), *learned), errors


@pytest.mark.parametrize(("options", "message"), [({"learners": 3}, "must be 1 or 2"), ({"epsilon": 2.0}, "0 to 1")])
def test_self_play_that_makes_no_sense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        PenteSelfPlay(BOARD, **options)


# ---------------------------------------------------------------- one game again and again
def test_a_game_is_shown_again_and_again():
    """As by updates of a network with all inputs, most of which are never on."""
    options = {"lambdas": (), "hidden": (), "cycles": 3, "games": 2}
    study = TDSingle(ValueNetwork(HIDDEN), Source(), seed=0, replicas=3, rates=(0.01, 0.002), **options)
    (trial,) = study.trials()
    games, plies = study.chosen(Loaded(shipped(4), Counter(), []))
    assert plies == sorted(plies)
    game = jax.tree.map(lambda x: x[1], games)
    errors = study.learn_presentations(trial, game)
    assert errors.shape == (2, 3, 4)
    key = jax.random.fold_in(jax.random.key(0), 2)  # of the last replica
    rule = Rule(0.002)
    weights = ValueNetwork(HIDDEN).init(key, jnp.zeros(365))["params"]
    for expected in errors[1, 2]:
        weights, _, found = jax.jit(Rule.step)(rule, weights, rule.start(weights), game)
        np.testing.assert_allclose(found, [expected], rtol=1e-4)


# ---------------------------------------------------------------- what is said
def test_errors_are_measured():
    errors = np.array([[[3, 0.05, 0.2, 0.01], [3, 2, np.nan, 1]]])
    np.testing.assert_array_equal(measured(errors), [[[0.01, 1]], [[1, -1]], [[3, LARGEST]]])


def test_waves_are_runs_that_are_too_few():
    draw = np.random.default_rng(0)
    independent = [statistics.runs_too_few(draw.random(400) < 0.7) for _ in range(300)]
    assert abs(np.mean(independent)) < 0.2
    assert 0.8 < np.std(independent) < 1.2
    assert statistics.runs_too_few(np.repeat([True, False], 50)) > 9
    assert statistics.runs_too_few(np.tile([True, False], 50)) < -9
    assert statistics.runs_too_few(np.ones(9, bool)) == 0


def test_stones_are_counted_by_area():
    assert {name: int(area.sum()) for name, area in areas(361).items()} == {"corners": 100, "centre": 81}
    stones = counts(np.array([[[0, 18, 180, -1], [180, 5, -1, -1]], [[180, -1, -1, -1], [9, -1, -1, -1]]]), 361)
    assert stones.sum(1).tolist() == [5, 2]
    np.testing.assert_allclose(share_in(stones, "corners"), [0.4, 0])
    np.testing.assert_allclose(share_in(stones, "centre"), [0.4, 0.5])


def test_replicas_go_to_devices_and_back():
    for replicas in (1, 2, 5):
        tree = {"w": np.arange(replicas * 3).reshape(replicas, 3)}
        np.testing.assert_array_equal(one_axis(by_device(tree)["w"], replicas), tree["w"])


def test_networks_without_numbers_are_told_apart():
    """Of two replicas the second has diverged, and wins all games by making the first move that is possible."""
    weights = {"hidden": np.array([[[-2.0, 1]], [[np.nan, 1]]]), "output": np.array([[0.5], [1]])}
    shares = np.array([[[0.1, 0.3]], [[1, 1]]])
    learned = {"one": Learned(weights, shares=shares, stones=np.ones((2, 361), int), ways={"finishing": shares})}
    assert learned["one"].largest.tolist() == [2, np.inf]
    assert _improved(learned, "better").ours == pytest.approx(0.2)
    assert [row[2] for row in networks(learned, ("better",)).rows] == ["2", "no number"]
