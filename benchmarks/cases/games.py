"""Board games by players that answer at once: hand-coded ones, and populations of networks."""

from collections.abc import Iterator
from typing import Any

import jax

from benchmarks.cases.case import GAMES_PER_LANE, Case, Choice
from jaxgames import Pente, Schedule, play_games
from jaxgames.core import WalkableGame
from jaxgames.games import GAMES
from jaxgames.players import PLAYERS, Naive, Search, players_of
from neuroevo.networks import NETWORKS, Neurons, PrefersPoints
from neuroevo.networks.genome import codec
from neuroevo.players import player_of
from neuroevo.tasks import Gauntlet

Batch = tuple[int, int]  # lanes of all blocks together, games per lane

VARIANTS: dict[str, Any] = {"pente_3_seats": Pente(num_seats=3)}
# Game → players → size → batch. A game that is missing plays at random on its own board.
MEASURED: dict[str, dict[str, dict[int, Batch]]] = {
    "atari_go": {
        "random": {5: (4096, 16), 9: (2048, 16), 19: (1024, 16)},
        "naive": {5: (2048, 16), 9: (2048, 16), 19: (512, 16)},
        "mdrnn-naive": {5: (1500, 8), 9: (1500, 4)},
    },
    "gomoku": {
        "random": {9: (4096, 16), 15: (4096, 16), 19: (2048, 16)},
        "naive": {15: (2048, 16)},
        "mdrnn-naive": {5: (1500, 8), 9: (1500, 4)},
    },
    "pente": {"random": {7: (4096, 16), 19: (2048, 16)}, "gauntlet": {7: (12800, 16)}},
    "pente_3_seats": {"random": {7: (4096, 16)}, "gauntlet": {7: (12800, 16)}},
    "othello": {"random": {8: (16384, 32)}},
}
OTHERWISE: Batch = 2048, GAMES_PER_LANE  # of games and players that are not in the table
POPULATION = 15  # networks, as in paper 001
GAUNTLET, GENOMES = "gauntlet", 400  # ESP's networks against the hand-coded players; of a generation of ESP
AGAINST_NAIVE = "-naive"  # behind the name of a network: its population against Naive


def board_games() -> dict[str, Any]:
    """The registered games whose moves have numbers, and VARIANTS."""
    made = {name: make() for name, make in GAMES.items()}
    return {name: game for name, game in {**made, **VARIANTS}.items() if not isinstance(game, WalkableGame)}


def networks() -> dict[str, type]:
    """The registered networks that play every board game."""
    return {name: network for name, network in NETWORKS.items() if issubclass(network, PrefersPoints)}


def names() -> list[str]:
    """The names of all players that can be chosen here."""
    return [*PLAYERS, *(name + AGAINST_NAIVE for name in networks()), GAUNTLET]


def chosen(choice: Choice) -> Iterator[Case]:
    """The cases of the table, and further ones of players that the user names."""
    for game, rules in board_games().items():
        table = MEASURED.get(game, {"random": {rules.rows: OTHERWISE}})
        for players in [*table, *(name for name in choice.players or [] if name not in table)]:
            if choice.wants(game, players) and _plays(players, rules):
                batches = table.get(players, dict.fromkeys(table["random"], OTHERWISE))
                for size, batch in _of_sizes(batches, choice.sizes, rules).items():
                    yield case(game, rules, size, players, (choice.batch or batch[0], batch[1]))


def case(game: str, rules: Any, size: int, players: str, batch: Batch) -> Case:
    """One case; `size` is that of the board."""
    rules = rules if rules.rows == size else rules.resized(size)
    if players == GAUNTLET:
        return _gauntlet(game, rules, batch)
    if players.endswith(AGAINST_NAIVE):
        network, blocks = networks()[players.removesuffix(AGAINST_NAIVE)](), POPULATION
        genomes = jax.random.normal(jax.random.key(0), (blocks, codec(rules, network).genes))
        seated = player_of(network, genomes, rules), Naive(rules)
    else:
        seated = tuple(PLAYERS[players](rules) for _ in range(rules.num_seats))
        blocks = min(jax.device_count(), batch[0])
    return Case(
        game, size, players, rules, blocks, batch[0],
        schedule=lambda lanes, games_per_lane: Schedule(lanes * games_per_lane, lanes),
        play=lambda streams, schedule: play_games(rules, seated, streams, schedule),
        games_per_lane=batch[1],
    )  # fmt: skip


def _gauntlet(game: str, rules: Pente, batch: Batch) -> Case:
    """Ten matches against every opponent, or every pair of two different ones, from every seat."""
    task = Gauntlet(rules, Neurons())
    genomes = jax.random.uniform(jax.random.key(0), (GENOMES, task.genes), minval=-6, maxval=6)
    seated = task.player(genomes), *task.others
    return Case(
        game, rules.rows, GAUNTLET, rules, GENOMES, batch[0],
        schedule=lambda lanes, _: Schedule(task.games, lanes, task.seatings),
        play=lambda streams, schedule: play_games(rules, seated, streams, schedule),
        distinct=0.5,  # a network and a builder of rows have few ways to play
    )  # fmt: skip


def _plays(players: str, rules: Any) -> bool:
    if players == GAUNTLET:
        return isinstance(rules, Pente)
    if players.endswith(AGAINST_NAIVE):
        return rules.num_seats == 2 and players.removesuffix(AGAINST_NAIVE) in networks()
    return players in players_of(rules) and not isinstance(PLAYERS[players](rules), Search)


def _of_sizes(batches: dict[int, Batch], sizes: list[int] | None, rules: Any) -> dict[int, Batch]:
    """size → batch: the table's own, or for each of `sizes` that of the table's last. Sizes that do not fit go."""
    wanted = batches if sizes is None else dict.fromkeys(sizes, [*batches.values()][-1])
    return {size: batch for size, batch in wanted.items() if _fits(rules, size)}


def _fits(rules: Any, size: int) -> bool:
    try:
        return rules.rows == size or rules.resized(size) is not None
    except (AttributeError, ValueError):
        return False
