"""Backgammon: random plays, Pubeval, and 136-20-1 networks, two in each block.

Networks are those of an evolution's first generation: all weights are zero but one. With random weights games are half
as long again, and those of some pairs hardly end.
"""

from collections.abc import Iterator

import jax

from benchmarks.cases.case import Case, Choice
from jaxgames import Backgammon, Schedule, play_walks
from jaxgames.games import GAMES
from jaxgames.players import PLAYERS, Greedy
from neuroevo.players.backgammon_value import BackgammonValue, board_codec
from neuroevo.strategies import KillMergeMutate

GAME, LANES = "backgammon", 2048
NETWORK = "network"
REGISTERED = {"random": "random_plays", "pubeval": "pubeval"}  # name in the row → name in PLAYERS
NAMES = *REGISTERED, NETWORK


def chosen(choice: Choice) -> Iterator[Case]:
    """One case per players; boards of other sizes do not exist."""
    for players in NAMES:
        if choice.wants(GAME, players):
            yield case(players, choice.batch or LANES)


def case(players: str, batch: int) -> Case:
    """One case."""
    game = GAMES[GAME]()
    assert isinstance(game, Backgammon)
    blocks = (8 if players == NETWORK else 1) * jax.device_count()
    seated = _networks(blocks) if players == NETWORK else (PLAYERS[REGISTERED[players]](game),) * 2
    return Case(
        GAME, None, players, game, blocks, batch,
        schedule=lambda lanes, games_per_lane: Schedule(lanes * games_per_lane, lanes),
        play=lambda streams, schedule: play_walks(game, seated, streams, schedule, players == NETWORK),
        distinct=0.5,
    )  # fmt: skip


def _networks(blocks: int) -> tuple[Greedy, Greedy]:
    """Two networks in every block, all different."""
    genes = board_codec().genes
    genomes = KillMergeMutate(2 * blocks).init(jax.random.key(0), genes).genomes
    one, other = genomes.reshape(2, blocks, genes)
    return _greedy(one), _greedy(other)


def _greedy(genomes: jax.Array) -> Greedy:
    return Greedy(jax.vmap(BackgammonValue.of)(genomes), random_ties=True)
