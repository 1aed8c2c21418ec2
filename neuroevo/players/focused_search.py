"""Players that search with a marker network's focus on the moves (Moriarty & Miikkulainen 1994)."""

from dataclasses import replace
from functools import partial

from jaxtyping import Array, Int8

from jaxgames.players.search import Search
from neuroevo.networks.focus import FocusWindow
from neuroevo.networks.genome import for_each
from neuroevo.networks.marker import decode


def focused(search: Search, genomes: Int8[Array, "*population alleles"], carried: bool = False) -> Search:
    """`search` looking only at moves that the networks let it see; all leaves lead with the population's axes.

    With `carried` a network remembers its activations from one position of a game to the next.
    """
    return replace(search, move_filter=FocusWindow(for_each(partial(decode, carried=carried), genomes)))
