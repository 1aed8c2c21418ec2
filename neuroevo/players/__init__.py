"""Players made of evolved genomes. `player_of` makes the player that a network has in a game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jaxtyping import Array, Num

from jaxgames.players.greedy import Greedy
from jaxgames.players.search import Search
from neuroevo.encoders.planes import ENCODERS
from neuroevo.networks.base import (
    BACKGAMMON_VALUE,
    BINARY,
    BOARD_POLICY,
    FOCUSED_SEARCH,
    NEURON_POLICY,
    PENTE_VALUE,
)
from neuroevo.networks.genome import codec, for_each
from neuroevo.players.backgammon_value import BackgammonValue
from neuroevo.players.board_policy import NetworkPlayer
from neuroevo.players.champion import Champion
from neuroevo.players.focused_search import focused
from neuroevo.players.neuron_policy import NeuronPlayer
from neuroevo.players.pente_value import TwoPlyPlayer, ValuePlayer

Genomes = Num[Array, "*population genes"]


@dataclass(frozen=True)
class PlayerOptions:
    """The choices that a task may make beside the network. A kind of player reads its own and ignores the others'.

    board_policy:
        encoder: a key of `encoders.ENCODERS`
        temperature: of the Gibbs distribution over the preferences, 0 for greedy play
    pente_value:
        finishes: whether a move that wins at once is always made
        plies: 1, or 2 to consider replies too, to the `breadth` best moves
    backgammon_value:
        encoding, absolute_colours: see `encoders.backgammon`
    focused_search:
        search: the player without a window, with leaves that lead with the population's axes
        carried: whether activations are carried from one position to the next
    """

    encoder: str = "own_first"
    temperature: float = 0.0
    finishes: bool = False
    plies: int = 1
    breadth: int = 8
    encoding: str = BINARY
    absolute_colours: bool = False
    search: Search | None = None
    carried: bool = False


def _board_policy(genomes: Genomes, game: Any, network: Any, options: PlayerOptions) -> NetworkPlayer:
    return NetworkPlayer(genomes, game, network, ENCODERS[options.encoder], options.temperature)


def _neuron_policy(genomes: Genomes, game: Any, network: Any, options: PlayerOptions) -> NeuronPlayer:
    return NeuronPlayer.of(genomes, game, network)


def _pente_value(genomes: Genomes, game: Any, network: Any, options: PlayerOptions) -> ValuePlayer | TwoPlyPlayer:
    decode = codec(game, network).decode
    if options.plies == 2:
        return for_each(lambda genome: TwoPlyPlayer.of(decode(genome), game, options.breadth), genomes)
    return for_each(lambda genome: ValuePlayer.of(decode(genome), game, options.finishes), genomes)


def _backgammon_value(genomes: Genomes, game: Any, network: Any, options: PlayerOptions) -> Greedy:
    look = options.absolute_colours, options.encoding
    return Greedy(for_each(lambda genome: BackgammonValue.of(genome, network, *look), genomes), random_ties=True)


def _focused_search(genomes: Genomes, game: Any, network: Any, options: PlayerOptions) -> Search:
    if options.search is None:
        raise ValueError("a network that focuses a search needs the search")
    return focused(options.search, genomes, options.carried)


# Kind of player → what makes it. A network names its kind: `networks.base.Network.player_kind`.
MAKERS: dict[str, Callable[[Genomes, Any, Any, PlayerOptions], Champion | Greedy | Search]] = {
    BOARD_POLICY: _board_policy,
    NEURON_POLICY: _neuron_policy,
    PENTE_VALUE: _pente_value,
    BACKGAMMON_VALUE: _backgammon_value,
    FOCUSED_SEARCH: _focused_search,
}


def player_of(network: Any, genomes: Genomes, game: Any, **options: Any) -> Any:
    """The players of genomes[…, genes] in `game`; every leaf leads with the genomes' other axes.

    `network` is a `networks.base.Network`, and `options` are those of `PlayerOptions`: another name raises TypeError.
    """
    return MAKERS[network.player_kind(game)](genomes, game, network, PlayerOptions(**options))
