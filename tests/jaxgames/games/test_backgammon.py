"""Backgammon's plays against the plain oracle, and hand-made positions for every rule."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backgammon_positions import BATCH, FEW, GAME, LIMIT, one, positions, side, states
from conftest import ROOT
from oracles import backgammon as oracle
from replay import source, write_between

from jaxgames import Backgammon
from jaxgames.arena import afterstates
from jaxgames.games.backgammon import board
from jaxgames.games.backgammon.rules import NOBODY

THOROUGH_POSITIONS = 24_000
BEGIN = "<!-- begin of backgammon, by `python -m pytest -m thorough` -->"
VERIFICATION = ROOT / "docs" / "verification.md"


def compare(rolled):
    """Fails at the first position whose afterstates differ from the oracle's; returns how many each has."""
    padded = [*rolled, *[rolled[0]] * (-len(rolled) % BATCH)]
    numbers = []
    for start in range(0, len(rolled), BATCH):
        batch = padded[start : start + BATCH]
        found, number = jax.device_get(afterstates(GAME, states(batch), LIMIT))
        for index, (position, high, low) in enumerate(batch[: len(rolled) - start]):
            ours = positions(jax.tree.map(lambda x, i=index, n=number[index]: x[i, :n], found))
            assert len(set(ours)) == len(ours), f"a play comes twice: {position}, {high}-{low}"
            assert set(ours) == oracle.plays(position, high, low), f"plays differ: {position}, {high}-{low}"
            numbers.append(len(ours))
    return np.array(numbers)


# ---------------------------------------------------------------- the oracle
def test_boards_are_those_of_the_oracle():
    rolled = oracle.positions(0, FEW)[:100]
    boards = states(rolled).board
    assert positions(boards) == [position for position, _, _ in rolled]
    turned = jax.jit(jax.vmap(board.turned))(boards)
    assert positions(turned) == [oracle.turned(position) for position, _, _ in rolled]
    assert positions(jax.tree.map(lambda x: x[None], GAME.start().board)) == [(oracle.START, oracle.START)]
    races = jax.jit(jax.vmap(board.is_race))(boards)
    assert races.tolist() == [oracle.passed_each_other(position) for position, _, _ in rolled]
    assert 0 < sum(races.tolist()) < len(rolled)


def test_afterstates_are_those_of_the_oracle():
    rng = random.Random(1)
    crowds = [(oracle.crowd(rng), pips, pips) for pips in (1, 1, 1, 1, 1, 1, 1, 1, 2, 3)]
    numbers = compare([*oracle.positions(0, FEW), *crowds])
    assert numbers.max() > 1900
    assert (numbers == 1).sum() > 20


@pytest.mark.thorough
def test_afterstates_of_many_positions_are_those_of_the_oracle():
    rng, rolled = random.Random(2), oracle.positions(1, THOROUGH_POSITIONS)
    crowds = [(oracle.crowd(rng), *sorted(rng.choices((1, 2, 3), k=2), reverse=True)) for _ in range(100)]
    numbers = compare([*rolled, *crowds])
    passes = sum(oracle.plays(position, *dice) == {position} for position, *dice in rolled)
    text = (
        f"{len(numbers):,} positions with {numbers.sum():,} afterstates, at most {numbers.max():,}; {passes:,} passes"
    )
    write_between(VERIFICATION, BEGIN, f"{source()}: {text}; no difference was found.\n")


# ---------------------------------------------------------------- every rule by hand
RULES = {  # own checkers, other checkers, dice, the own checkers after each play
    "both dice must be used if they can be": (
        side(p10=1, p9=1), side(p20=2, p21=2, p24=2), (5, 3), {side(p9=1, p2=1)},
    ),
    "the higher die if either can be used but not both": (side(p10=1), side(p22=2), (6, 1), {side(p4=1)}),
    "the lower die if only that can be used": (side(p10=1), side(p21=2, p22=2), (6, 1), {side(p9=1)}),
    "no move is a play that changes nothing": (side(p10=1), side(p21=2, p16=2), (6, 1), {side(p10=1)}),
    "checkers on the bar come first": (
        side(bar=1, p10=1), side(p1=2), (6, 5), {side(p14=1, p10=1), side(p19=1, p5=1), side(p20=1, p4=1)},
    ),
    "two checkers on the bar, and one of the dice blocked": (
        side(bar=2, p10=1), side(p5=2), (6, 5), {side(bar=1, p10=1, p19=1)},
    ),
    "nobody enters": (side(bar=1, p10=1), side(p5=2, p6=2), (6, 5), {side(bar=1, p10=1)}),
    "doubles are played four times": (side(p20=1), side(p1=1), (4, 4), {side(p4=1)}),
    "doubles are played as often as they can be": (side(p20=1), side(p17=2), (4, 4), {side(p12=1)}),
    "a higher die bears off from the rearmost point only": (
        side(p4=1, p2=1), side(p1=1), (6, 1), {side(p1=1), side(p2=1)},
    ),
    "a checker comes home, and then one is borne off": (
        side(p7=1, p5=1), side(p1=1), (5, 2), {side(p5=1), side(p3=1, p2=1)},
    ),
    "nobody bears off while a checker is outside": (
        side(p13=1, p2=1), side(p1=1), (2, 1), {side(p10=1, p2=1), side(p11=1, p1=1)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_by_hand(rule):
    own, other, dice, expected = RULES[rule]
    assert oracle.plays((own, other), *dice) == {(after, other) for after in expected}
    compare([((own, other), *dice)])


def test_a_man_alone_is_hit():
    position = side(p10=1), side(p17=1, p20=1)  # on the mover's points 8 and 5
    expected = {(side(p5=1), side(bar=2)), (side(p5=1), side(p17=1, bar=1))}
    assert oracle.plays(position, 3, 2) == expected
    compare([(position, 3, 2)])


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (side(p24=14), 1),  # one checker is off
        (side(p18=15), 2),
        (side(p19=1, p1=14), 3),  # in the winner's home board
        (side(bar=1, p1=14), 3),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_game_counts(loser, points, seat):
    won = (15, *[0] * 25), loser
    assert (oracle.over(won), oracle.points(won)) == (True, points)
    state = one(states([(won, 6, 5)], seat))
    after = GAME.play(state, state.board)
    assert bool(GAME.terminal(after))
    assert int(GAME.points(after)) == points
    signed = points / 3 if seat == 0 else -points / 3
    np.testing.assert_allclose(GAME.returns(after), [signed, -signed], rtol=1e-6)


def test_before_the_end_nobody_has_won():
    state = one(states([((side(p1=1), side(p1=1)), 6, 5)]))
    after = GAME.play(state, state.board)
    assert not bool(GAME.terminal(after))
    assert np.asarray(GAME.returns(after)).tolist() == [0, 0]
    assert (int(after.seat), int(after.high), int(after.low)) == (1, 0, 0)


# ---------------------------------------------------------------- dice
def test_the_opening_roll_says_who_starts():
    start = GAME.start()
    probabilities = np.asarray(GAME.outcome_probs(start)).reshape(6, 6)
    assert (np.diag(probabilities) == 0).all()
    np.testing.assert_allclose(probabilities[~np.eye(6, dtype=bool)], 1 / 30)
    assert int(GAME.to_move(start)) == NOBODY
    for a, b, seat in ((6, 1, 0), (2, 5, 1)):
        rolled = GAME.resolve(start, jnp.int32(6 * (a - 1) + b - 1))
        assert (int(rolled.seat), int(rolled.high), int(rolled.low)) == (seat, max(a, b), min(a, b))


def test_with_alternate_openings_seat_0_starts_with_any_roll():
    start = Backgammon("alternate").start()
    np.testing.assert_allclose(GAME.outcome_probs(start), 1 / 36)
    rolled = GAME.resolve(start, jnp.int32(0))
    assert (int(rolled.seat), int(rolled.high), int(rolled.low)) == (0, 1, 1)
    with pytest.raises(ValueError, match="opening must be one of roll, alternate, not 'toss'"):
        Backgammon("toss")


@pytest.mark.parametrize("opening", ["roll", "alternate"])
def test_rolls_are_drawn_as_likely_as_they_are(opening):
    """Over evenly spaced words an outcome's share is exact but for the rounding at its ends."""
    start, words = Backgammon(opening).start(), jnp.arange(1 << 16, dtype=jnp.uint32) << 16
    drawn = jax.jit(jax.vmap(lambda word: GAME.draw_outcome(start, word)))(words)
    shares = np.bincount(np.asarray(drawn), minlength=36) / len(words)
    np.testing.assert_allclose(shares, GAME.outcome_probs(start), atol=2 / len(words))
