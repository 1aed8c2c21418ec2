"""The rules of Pente where one game is followed, against plain Python."""

import jax
import numpy as np
import pytest
from oracles import pente

from jaxgames import Pente
from jaxgames.games.pente.rules import AROUND
from jaxgames.games.pente.unbatched import DRAWN, WON, PenteRows


@pytest.mark.parametrize(("size", "rule", "games"), [(5, "3x3", 30), (9, "5x5", 6)])
def test_rows_play_by_the_rules(size, rule, games):
    """Random games; on a small board many are drawn, and points are played again."""
    rules = PenteRows(Pente(size, tournament_rule=rule))

    @jax.jit
    def seen(state):
        ways = jax.vmap(rules.mask)(rules.catching(state))
        wins = rules.wins(state, state.plies % 2)
        return rules.empties(state), rules.board(state), ways, state.captured, state.over, rules.result(state), wins

    play, draw, captures, endings = jax.jit(rules.play), np.random.default_rng(3), 0, set()
    for _ in range(games):
        oracle, state = pente.Pente(size, tournament_rule=rule), rules.start()
        while True:
            empties, board, ways, captured, over, result, wins = jax.device_get(seen(state))
            assert board.tolist() == [{None: 0, 0: 1, 1: -1}[stone] for stone in oracle.board]
            assert captured.tolist() == list(oracle.captured_counts)
            assert (over != 0) == oracle.over
            if oracle.over:
                break
            legal = set(np.flatnonzero(empties).tolist())
            assert legal == set(oracle.legal())
            assert set(np.flatnonzero(wins).tolist()) == oracle.tactics()[0]
            for action in legal:
                taken = oracle.captured_by(oracle.to_move, action)
                assert 2 * ways[:, action].sum() == len(taken)
                for down, right in np.array(AROUND)[ways[:, action]]:
                    row, column = divmod(action, size)
                    assert {(row + i * down) * size + column + i * right for i in (1, 2)} <= set(taken)
                captures += bool(taken)
            action = int(draw.choice(sorted(legal)))
            oracle.play(action)
            state = play(state, action)
        assert over == (DRAWN if oracle.winner is None else WON)
        assert result == {None: 0, 0: 1, 1: -1}[oracle.winner]
        endings.add(oracle.winner)
    assert captures > 50
    assert {0, 1} <= endings


@pytest.mark.parametrize("options", [{"num_seats": 3}, {"keryo": True}, {"captures": False}])
def test_rows_are_for_the_game_of_two(options):
    with pytest.raises(ValueError, match="rows are for Pente of two seats"):
        PenteRows(Pente(**options))
