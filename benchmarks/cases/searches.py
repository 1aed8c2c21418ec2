"""Othello by alpha-beta players, from all positions after the first plies."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import jax

from benchmarks.cases.case import Case, Choice
from jaxgames import Othello, Schedule
from jaxgames.arena import all_openings, play_searches
from jaxgames.players import PLAYERS, Search, players_of

GAME, SIZE = "othello", 8
BATCHES = {1: (1024, 32), 2: (1024, 32), 3: (1024, 8), 4: (1024, 2), 5: (488, 1), 6: (488, 1)}  # level → lanes, games
MEASURED = "search-"  # those that are measured unless others are named; they count the weights of squares
DEEP = 5  # from this level on two moves are hardly ever equally good, and by other evaluations at any level


def searches() -> dict[str, Search]:
    """The registered players of Othello that search; moves in the quickest order."""
    made = {name: PLAYERS[name](Othello()) for name in players_of(Othello())}
    return {name: replace(player, ordered=0) for name, player in made.items() if isinstance(player, Search)}


def chosen(choice: Choice) -> Iterator[Case]:
    """A case a level, both players the same."""
    if choice.sizes is not None and SIZE not in choice.sizes:
        return
    for name, player in searches().items():
        if choice.wants(GAME, name) and (choice.players is not None or name.startswith(MEASURED)):
            yield case(name, player, choice.batch)


def case(name: str, player: Search, batch: int | None) -> Case:
    """A case of one player against itself."""
    lanes, games_per_lane = BATCHES[min(player.max_level, max(BATCHES))]
    lanes = batch or lanes
    return Case(
        GAME, SIZE, name, Othello(), min(jax.device_count(), lanes), lanes,
        schedule=partial(_schedule, player.max_level >= DEEP or not name.startswith(MEASURED)),
        play=partial(_play, (player, player)),
        games_per_lane=games_per_lane,
    )  # fmt: skip


def _schedule(fixed: bool, lanes: int, games_per_lane: int) -> Schedule:
    """`fixed`: a game follows from its opening, so that every game draws one of many openings."""
    games = lanes * games_per_lane
    if fixed:
        return Schedule(games, lanes, ((0, 1),), openings=openings_after(6), drawn_openings=True)
    return Schedule(games, lanes, openings=openings_after(4))


def _play(players: tuple[Search, ...], streams: jax.Array, schedule: Schedule) -> Any:
    return play_searches(players, streams, schedule, batched=False)


@cache
def openings_after(plies: int) -> tuple[tuple[int, ...], ...]:
    """Of Othello: after 4 plies the 244 of Moriarty and Miikkulainen (1994), after 6 there are 8,200."""
    return all_openings(Othello(), plies)
