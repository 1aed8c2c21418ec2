"""Networks that focus search: the task, the tests after evolution, and what is concluded from them."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxgames import AtariGo, Othello
from jaxgames.arena import Schedule, play_searches
from neuroevo.evolution import Evolution
from neuroevo.networks import MLP, Markers
from neuroevo.papers.focus_othello.agreement import _positions, _windows
from neuroevo.papers.focus_othello.findings import (
    BEST_THREE,
    FOCUS,
    FULL,
    Match,
    Outcome,
    _agreement,
    _same_level,
    _strength,
)
from neuroevo.papers.focus_othello.findings import _windows as window_claims
from neuroevo.papers.focus_othello.focus import Focus as Study
from neuroevo.strategies import MarkerGA
from neuroevo.tasks import Focus

TASK = Focus(Othello(), Markers(60), level=1, games=4, lanes=4)
STREAMS = jnp.arange(2, dtype=jnp.uint32)
SILENT = np.zeros((2, 3, 60), np.int8)  # chromosomes without a node: all outputs are 0, all moves are in the window


def test_a_network_that_keeps_all_moves_is_full_width_search():
    """Game by game: what it plays, and what a player without a window does."""
    found = jax.jit(TASK.evaluate)(STREAMS, SILENT)
    assert found.wins.shape == found.fitness.shape == (2, 3)
    players = TASK.searcher((2,)), TASK.searcher((2,), mistakes=TASK.mistakes)
    schedule = Schedule(TASK.games, TASK.lanes, openings=TASK.openings, drawn_openings=True)
    games = play_searches(players, STREAMS, schedule)
    for replica in range(2):
        assert (found.wins[replica] == float((games.winner[replica] == 0).mean())).all()
        assert (found.plies[replica] == float(games.plies[replica].mean())).all()


def test_activations_that_are_carried_change_what_a_network_plays():
    genomes = np.random.default_rng(0).integers(-128, 128, (2, 3, 600)).astype(np.int8)
    found = [
        jax.jit(replace(TASK, network=Markers(600), carried=carried).evaluate)(STREAMS, genomes)
        for carried in (False, True, True)
    ]
    assert (found[0].wins != found[1].wins).any()
    jax.tree.map(np.testing.assert_array_equal, found[1], found[2])


def test_windows_are_looked_up_from_the_side_of_the_network():
    """Of two recorded games the network has seat 0 in the first and seat 1 in the second one."""
    player = TASK.player(jnp.asarray(SILENT[:, 0]))
    moves = np.full((2, 2, 60), -1, np.int16)
    moves[..., :6] = 19, 18, 17, 9, 1, 0  # in some positions illegal, which nobody asks for here
    states, there, own = jax.device_get(_positions(TASK, jnp.asarray(moves)))
    assert there.sum() == 2 * 2 * 2  # plies 4 and 5: the first four are the opening
    assert (own[:, 0] == (states.seat[:, 0] == 0)).all()
    assert (own[:, 1] == (states.seat[:, 1] == 1)).all()
    window = _windows(player, states, own)
    for kept, legal in zip(window, states.moves, strict=True):
        np.testing.assert_array_equal(kept, legal)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": AtariGo(5)}, "needs game=othello"),
        ({"network": MLP()}, "network=markers"),
        ({"evaluation": "best"}, "evaluation must be one of positional, norvig, bill"),
        ({"games": 3}, "games must be an even number"),
        ({"level": 0}, "level and opponent_level at least 1"),
        ({"mistakes": 2.0}, "mistakes must be a probability"),
    ],
)
def test_wrong_settings_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        replace(TASK, **change)


EVOLUTION = Evolution(MarkerGA(), TASK)


def study(**options):
    return Study(EVOLUTION, 9, **options)


def test_a_study_names_wrong_settings():
    evolution = Evolution(MarkerGA(), replace(TASK, level=3))
    with pytest.raises(ValueError, match="levels must be at least the task's level, 3, not 2"):
        Study(evolution, 9, levels=2)
    with pytest.raises(ValueError, match="final_games even"):
        study(final_games=3)


def test_the_opponent_grows_in_equal_parts():
    levels = [study(opponents=(1, 2, 3)).at(number).task.opponent_level for number in range(9)]
    assert levels == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert study().at(0) is study().evolution


# ---------------------------------------------------------------- findings
def match(share, leaves, kept=8):
    """400 games of two replicas, so many of which are won; the window keeps `kept` of ten moves."""
    score = np.tile(np.arange(200) < round(200 * share), (2, 2)).reshape(2, 400).astype(np.float32)
    count = np.ones((2, 400), np.int32)
    return Match(score, leaves * count, count, 10 * count, kept * count, 0 * count)


def outcome(share=0.7, agreement=0.9, **task):
    """`share`: of games that focused search wins, at the level of training a tenth more."""
    units = {unit: match(share + 0.1 * (unit[1:] == (2, 2)), 80) for unit in study(levels=4).units(2)}
    units |= {unit: match(0.5, 100) for unit in units if unit[0] in (FULL, BEST_THREE)}
    seen = np.full((2, 2, 4), agreement) - np.array([0.0, 0.02])[:, None] * np.arange(4)
    parts = np.zeros((3, 2, 5)), SILENT[:, 0], np.zeros((2, 4)), units, seen, np.full((2, 2), 0.8)
    return Outcome(Focus(Othello(), Markers(), **task), *parts)


def verdicts(of):
    return {claim.id: claim.holds for part in (_strength, _same_level, window_claims, _agreement) for claim in part(of)}


def test_claims_hold_for_networks_as_the_paper_has_them():
    assert all(verdicts(outcome(0.65)).values())


def test_claims_fail_for_networks_that_do_not_help():
    found = verdicts(outcome(0.2, agreement=0.7))
    failing = {"level_2_as_4", "focus_helps", "level_2", "outplays", "elsewhere", "own_moves"}
    assert {name for name, holds in found.items() if not holds} == failing


def test_bill_is_to_be_equal_at_the_level_of_training():
    claims = {claim.id: claim for claim in _same_level(outcome(0.4, evaluation="bill"))}
    assert list(claims) == ["level_2"]
    assert claims["level_2"].holds
    assert claims["level_2"].published == "51%"


def test_units_are_all_pairs_with_the_level_of_training_and_all_equal_ones():
    units = study(levels=3).units(2)
    assert {unit[1:] for unit in units if unit[0] == FOCUS} == {(2, 1), (2, 2), (2, 3), (1, 2), (3, 2), (1, 1), (3, 3)}
    assert len(units) == len(set(units)) == 7 + 5 + 3
