"""Pubeval: its scores as a plain reference computes them, its weights as published, and the play it chooses."""

import json
from importlib import resources

import jax
import jax.numpy as jnp
import numpy as np
from backgammon_positions import FEW, one, side, states
from conftest import shared_data
from oracles import backgammon as oracle

from jaxgames.core import AfterstatePlayer, Value
from jaxgames.players import Greedy, Pubeval, RandomPlays, pubeval_player

TABLES = json.loads((resources.files("jaxgames.players") / "pubeval.json").read_text())


def test_the_weights_are_those_published():
    published = json.loads(shared_data("backgammon/pubeval.json").read_text())
    assert {name: published[name] for name in TABLES} == TABLES
    assert [len(table) for table in TABLES.values()] == [122, 122]


def test_scores_are_those_of_the_reference():
    rolled = [*oracle.positions(0, FEW), (((15, *[0] * 25), side(p3=2)), 6, 5)]
    batch = states(rolled)
    pubeval = Pubeval()
    races = jax.jit(jax.vmap(pubeval.prepare))(batch)
    assert races.tolist() == [oracle.passed_each_other(position) for position, _, _ in rolled]
    assert 0 < races.sum() < len(rolled)
    values = jax.jit(jax.vmap(pubeval.value))
    for kind in (False, True):
        scores = values(jnp.full(len(rolled), kind), batch.board, batch.seat)
        expected = [oracle.pubeval(position, kind, TABLES) for position, _, _ in rolled]
        np.testing.assert_allclose(scores, expected, rtol=1e-6, atol=1e-4)


def test_players_are_players():
    assert isinstance(Pubeval(), Value)
    for player in (pubeval_player(), Greedy(Pubeval(), random_ties=True), RandomPlays()):
        assert isinstance(player, AfterstatePlayer)


def test_ties_are_left_to_chance_only_where_asked():
    state, word = one(states([((oracle.START, oracle.START), 3, 1)])), jnp.uint32(99)
    for player, priority in ((pubeval_player(), 0), (pubeval_player(random_ties=True), 99)):
        value, second = player.rate(word, jnp.int32(0), state.board, player.prepare(state))
        assert int(second) == priority
        np.testing.assert_allclose(value, oracle.pubeval((oracle.START, oracle.START), False, TABLES), atol=1e-4)
