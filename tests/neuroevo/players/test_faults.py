"""Networks with weights that are no finite numbers: their moves are legal, their games count for nobody, and the task
says which genomes they are of.
"""

import functools
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Backgammon, Gomoku, Pente, Schedule, play_games, play_walks
from jaxgames.arena import round_robin
from jaxgames.core.faults import ranked
from jaxgames.players import PLAYERS, Greedy, Naive, Pubeval
from neuroevo.networks import MLP, Neurons, ValueNetwork
from neuroevo.networks.genome import codec
from neuroevo.players import player_of
from neuroevo.tasks import Gauntlet, Objectives, RoundRobin, VersusOpponent, VersusOthers, VersusPubeval

GOMOKU, PENTE, BACKGAMMON = Gomoku(5, 5), Pente(5), Backgammon()
JUDGE = MLP(4, activation="tanh")
SPOILT = np.nan, np.inf, -np.inf
TASKS = {
    "opponent": VersusOpponent(GOMOKU, MLP(4), Naive(GOMOKU), games=4, lanes=4),
    "drawn moves": VersusOpponent(AtariGo(5), MLP(4), Naive(AtariGo(5)), games=4, lanes=4, temperature=0.1),
    "others": VersusOthers(GOMOKU, MLP(4)),
    "objectives": Objectives(GOMOKU, MLP(4), Naive(GOMOKU), games=4, lanes=4),
    "gauntlet": Gauntlet(PENTE, Neurons(4, memory="all"), ("random",), matches=2, lanes=4),
    "values": Gauntlet(PENTE, ValueNetwork(4), ("random",), matches=2, lanes=4),
    "replies": Gauntlet(PENTE, ValueNetwork(4), ("random",), matches=2, lanes=4, plies=2, breadth=2),
    "backgammon": RoundRobin(BACKGAMMON, JUDGE, games=2, ply_cap=200),
    "pubeval": VersusPubeval(BACKGAMMON, JUDGE, games=2, ply_cap=200),
}


def genomes_of(task, population=4):
    """Finite genomes, and the same with a wrong number as the last gene of genomes 1 and 2, an output's weight."""
    genomes = jax.random.normal(jax.random.key(0), (1, population, task.genes))
    return genomes, genomes.at[0, 1, -1].set(jnp.nan).at[0, 2].set(jnp.inf)


@functools.cache
def evaluated(name):
    task = TASKS[name]
    evaluate = jax.jit(lambda genomes: task.evaluate(jnp.arange(1, dtype=jnp.uint32), genomes, None))
    return tuple(jax.device_get(evaluate(genomes)) for genomes in genomes_of(task))


@pytest.mark.parametrize("name", TASKS)
def test_the_fitness_of_a_faulty_genome_is_minus_infinity(name):
    sound, spoilt = evaluated(name)
    assert not sound.faulty.any()
    assert np.isfinite(sound.fitness).all()
    np.testing.assert_array_equal(spoilt.faulty[0], [False, True, True, False])
    np.testing.assert_array_equal(np.isneginf(spoilt.fitness[0]), spoilt.faulty[0])
    assert np.isneginf(spoilt.cases[0, 1:3]).all()
    assert np.isfinite(spoilt.cases[0, [0, 3]]).all()
    if name not in ("others", "backgammon"):  # where genomes do not meet, nothing changes for the others
        np.testing.assert_array_equal(spoilt.fitness[0, [0, 3]], sound.fitness[0, [0, 3]])


PLAYS = [
    ("MLP", GOMOKU, MLP(4), {}),
    ("draws", GOMOKU, MLP(4), {"temperature": 0.5}),
    ("neurons", PENTE, Neurons(4), {}),
    ("memory", PENTE, Neurons(4, memory="own"), {}),
    ("values", PENTE, ValueNetwork(4), {}),
    ("finishes", PENTE, ValueNetwork(4), {"finishes": True}),
    ("two plies", PENTE, ValueNetwork(4), {"plies": 2, "breadth": 3}),
]


@pytest.mark.parametrize(("game", "network", "options"), [p[1:] for p in PLAYS], ids=[p[0] for p in PLAYS])
def test_moves_are_legal_whatever_the_weights(game, network, options):
    """One wrong number anywhere, and all of them: every action is legal, and the arena names the player."""
    genes = codec(game, network).genes
    one = jax.random.normal(jax.random.key(1), (genes,))
    spoilt = [one.at[(7 * number) % genes].set(wrong) for number, wrong in enumerate(3 * SPOILT)]
    genomes = jnp.stack([one, *spoilt, *(jnp.full(genes, wrong) for wrong in SPOILT)])
    players = player_of(network, genomes, game, **options), PLAYERS["random"](game)
    streams = jnp.arange(len(genomes), dtype=jnp.uint32)
    results = jax.device_get(play_games(game, players, streams, Schedule(4, 4, record_moves=True)))
    play, legal, over = jax.jit(game.play), jax.jit(game.legal), jax.jit(game.terminal)
    for block in (0, 1, 5, 9, len(genomes) - 1):
        state = game.start()
        for action in results.moves[block, 0]:
            if over(state):
                break
            assert action >= 0
            assert legal(state)[action]
            state = play(state, jnp.int32(action))
    assert not results.faults[0].any()
    assert not results.faults[..., 1].any()
    assert results.faults[-3, :, 0].all()  # all genes are NaN
    assert (np.asarray(results.winner)[-3] != 0).all()


def test_the_loops_of_other_players_carry_nothing_for_faults():
    players = PLAYERS["random"](GOMOKU), PLAYERS["naive"](GOMOKU)
    assert play_games(GOMOKU, players, jnp.zeros(1, jnp.uint32), Schedule(2, 2), batched=False).faults is None
    walks = Greedy(Pubeval()), Greedy(Pubeval(), random_ties=True)
    assert (
        play_walks(BACKGAMMON, walks, jnp.zeros(1, jnp.uint32), Schedule(1, 1, ply_cap=2), batched=False).faults is None
    )


def test_the_walk_arena_names_who_made_a_fault():
    genomes = genomes_of(TASKS["pubeval"])[1][0]
    pubeval = jax.tree.map(lambda x: jnp.stack([x] * 4), Greedy(Pubeval()))
    players = player_of(JUDGE, genomes, BACKGAMMON), pubeval
    results = play_walks(BACKGAMMON, players, jnp.arange(4, dtype=jnp.uint32), Schedule(2, 2, ply_cap=100))
    faults = np.asarray(results.faults).any(1)
    np.testing.assert_array_equal(faults[:, 0], [False, True, True, False])
    assert not faults[:, 1].any()


def test_who_made_a_fault_has_not_won():
    results = play_games(
        GOMOKU, [PLAYERS["random"](GOMOKU)] * 2, jnp.zeros(1, jnp.uint32), Schedule(4, 4), batched=False
    )
    returns, faults = jnp.array([[[1.0, -1], [1, -1], [0, 0], [-1, 1]]]), jnp.zeros((1, 4, 2), bool)
    told = replace(results, returns=returns, faults=faults.at[0, 1:, 0].set(True))
    np.testing.assert_array_equal(told.winner, [[0, 1, 1, 1]])
    np.testing.assert_array_equal(replace(told, faults=faults).winner, [[0, 0, -1, 1]])
    crowd = replace(told, returns=None, seat_returns=returns)
    np.testing.assert_array_equal(crowd.winning_seat, [[0, 1, 1, 1]])
    three = jnp.concatenate([returns, jnp.zeros((1, 4, 1))], -1)
    wide = replace(told, returns=three, faults=jnp.pad(told.faults, ((0, 0), (0, 0), (0, 1))))
    np.testing.assert_array_equal(wide.winner, [[0, -1, -1, 1]])


def test_a_cross_table_names_faulty_players():
    genomes = genomes_of(TASKS["opponent"])[1][0]
    networks = [jax.tree.map(lambda x, i=i: x[i], player_of(MLP(4), genomes, GOMOKU)) for i in range(2)]
    players = {"sound": networks[0], "spoilt": networks[1], "random": PLAYERS["random"](GOMOKU)}
    table = round_robin(GOMOKU, players, jnp.uint32(0), 2)
    assert table.faulty == ("spoilt",)
    assert table.score[1].sum() == 0
    assert "spoilt" in str(table).splitlines()[-1]


def test_a_fault_ranks_between_the_worst_number_and_what_is_illegal():
    values, faults = ranked(jnp.array([np.nan, np.inf, -np.inf, -5.0]))
    np.testing.assert_array_equal(faults, [True, True, True, False])
    assert (np.asarray(values)[:3] < -5).all()
    assert np.isfinite(values).all()
