"""Benchmarks read the registries, check what they time, and write the agreed row."""

from benchmarks import cases, timing
from jaxgames.games import GAMES


def test_every_registered_game_is_measured():
    assert {case.game for case in cases.chosen(cases.Choice(players=["random"]))} >= {*GAMES}


def test_a_row_has_every_key_in_order():
    (case,) = cases.chosen(cases.Choice(["gomoku"], [5], ["naive"], batch=8))
    row = case.row(repeats=1)
    assert tuple(row) == timing.KEYS
    assert (row["game"], row["size"], row["seats"], row["players"], row["games"]) == ("gomoku", 5, 2, "naive", 128)


def test_a_named_player_of_the_registry_can_be_measured():
    chosen = cases.chosen(cases.Choice(["gomoku"], [5], ["heuristic", "pubeval"]))
    assert [case.players for case in chosen] == ["heuristic"]
