"""What every network offers to code that does not know its kind: the shape of what it sees, and the players it makes.

A network is a static description; its genome is the vector of all its weights (`genome.codec`). Networks that see
planes share the mixin `SeesPlanes`; those that, in every game, do nothing but prefer points share `PrefersPoints`.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np

BINARY = "binary"  # the encoding that an encoder uses if none is named
# Kinds of players, which `neuroevo.players.MAKERS` maps to what makes them.
BOARD_POLICY, NEURON_POLICY, FOCUSED_SEARCH = "board_policy", "neuron_policy", "focused_search"
PENTE_VALUE, BACKGAMMON_VALUE = "pente_value", "backgammon_value"


@runtime_checkable
class Network(Protocol):
    """A network of one position."""

    @property
    def gene_type(self) -> Any:
        """The numpy dtype of its genes."""
        ...

    def input_shape(self, game: Any, encoding: str = BINARY) -> tuple[int, int, int]:
        """(inputs, rows, columns) of what it sees of a position of this game; a vector has one row and one column.

        `encoding` is for games whose positions may be shown in several ways (`encoders.backgammon.ENCODINGS`).
        """
        ...

    def player_kind(self, game: Any) -> str:
        """The kind of player that its genomes become in this game: a key of `neuroevo.players.MAKERS`.

        Raises ValueError for a game that the network does not play.
        """
        ...


class SeesPlanes:
    """Mixin of networks whose input is one plane per seat."""

    gene_type = np.float32

    def input_shape(self, game: Any, encoding: str = BINARY) -> tuple[int, int, int]:
        """One plane per seat."""
        return game.num_seats, game.rows, game.columns


class PrefersPoints(SeesPlanes):
    """Mixin of networks that make a `NetworkPlayer` in every game."""

    def player_kind(self, game: Any) -> str:
        """The same in every game."""
        return BOARD_POLICY
