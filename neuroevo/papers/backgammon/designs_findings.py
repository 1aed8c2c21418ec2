"""Table, claims and figure of `backgammon_scaled`: designs of the same cost compared."""

from dataclasses import dataclass, replace

import numpy as np
from matplotlib.figure import Figure

from neuroevo.papers.backgammon import figures
from neuroevo.papers.backgammon.design import EVERYWHERE, MIRRORED, Cell
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate, lies_above
from neuroevo.report.findings import Table

AIM = 0.5  # share of games to be won against Pubeval, as the paper reports of Darwen
VARIES = {"": "one weight", EVERYWHERE: "all weights", MIRRORED: "gradient"}


@dataclass(frozen=True)
class Found:
    """The results of a cell. Shares are of games won against Pubeval."""

    cell: Cell  # the design
    generations: int  # number of generations that the budget allowed
    at: np.ndarray  # Int[tests], numbers of the generations whose champions were tested
    tested: np.ndarray  # Float[replicas tests], shares in the tests
    fresh: np.ndarray  # Float[replicas], shares of the best tested champion in new games
    champions: np.ndarray  # Float[replicas genes], these champions
    truncated: float  # share of the evolution's games that reached the ply cap

    @property
    def name(self) -> str:
        """The design as text."""
        return str(self.cell)


def curves(found: list[Found], budget: int) -> Figure:
    """Share of wins against Pubeval over the number of games played, one line for each design."""
    return figures.cells({one.name: (one.at / one.generations * budget, one.tested.mean(0)) for one in found})


def claims(found: list[Found], games: int) -> list[Claim]:
    """All claims about the cells. `games`: number of new games of each best champion."""
    best = max(found, key=lambda one: float(one.fresh.max()))
    many = sum(len(one.fresh) for one in found)
    share = statistics.share(round(float(best.fresh.max()) * games), games)
    champion = from_estimate(
        "champion",
        f"share of {games:,} fresh games that the best champion wins against Pubeval, of {best.name}; "
        f"the best of {many} in these games",
        "over 0.5 (Darwen 2001, as the paper has it)",
        f"the interval lies above {AIM}",
        share,
        share.low > AIM,
    )
    return [champion, *_more_helps(found), *_hall_of_fame_helps(found), *_variation_helps(found)]


def _more_helps(found: list[Found]) -> list[Claim]:
    """Claims about more players with the same number of games each, and about more games of the same number of players.

    Compared are designs without a hall of fame whose number of games was tried with several numbers of players.
    """
    claims = []
    for variation, kind in (("", "one in ten mutates in one weight"), (EVERYWHERE, "all mutate in all weights")):
        cells = {
            (one.cell.population, one.cell.games_of_a_player): one
            for one in found
            if one.cell.variation == variation and not one.cell.famous
        }
        games = [number for _, number in cells]
        crossed = sorted(cell for cell in cells if games.count(cell[1]) > 1)
        for id, what, axis in (
            ("players", "with the most players minus that with the fewest, each with as many games", 0),
            ("games", "with the most games of a player minus that with the fewest, with as many players", 1),
        ):
            ends = [(max(alike), min(alike)) for alike in _alike(crossed, 1 - axis)]
            claims += _gain(
                f"more_{id}{variation and '_' + variation}",
                f"share {what} in a generation, at the same number of games in all; {kind}",
                [(cells[most], cells[fewest]) for most, fewest in ends],
                "more players or more games are needed (section 6)",
            )
    return claims


def _alike(cells: list[tuple[int, int]], axis: int) -> list[list[tuple[int, int]]]:
    """Groups of at least two cells that have the same number on an axis."""
    groups = [[cell for cell in cells if cell[axis] == number] for number in sorted({cell[axis] for cell in cells})]
    return [group for group in groups if len(group) > 1]


def _hall_of_fame_helps(found: list[Found]) -> list[Claim]:
    """The claim about a hall of fame, from pairs of designs in which a player has the same number of games."""

    def design(one: Found) -> tuple:
        return one.cell.population, one.cell.games_of_a_player, one.cell.variation

    without = {design(one): one for one in found if not one.cell.famous}
    pairs = [(one, without[design(one)]) for one in found if one.cell.famous and design(one) in without]
    return _gain("hall_of_fame", "share with past champions among a player's opponents minus that without", pairs)


def _variation_helps(found: list[Found]) -> list[Claim]:
    """Claims about the kinds of variation, from pairs of designs that differ in nothing else."""
    by_cell = {one.cell: one for one in found}

    def gain(id: str, what: str, variation: str, instead_of: str) -> list[Claim]:
        varied = [one for one in found if one.cell.variation == variation]
        others = [by_cell.get(replace(one.cell, variation=instead_of)) for one in varied]
        return _gain(id, what, [(one, other) for one, other in zip(varied, others, strict=True) if other])

    return [
        *gain(
            "mutation_of_all",
            "share where all players mutate in all weights minus that where one in ten mutates in one",
            EVERYWHERE,
            "",
        ),
        *gain(
            "mirrored",
            "share of means that follow a gradient minus that of the first in rank where all mutate in all weights",
            MIRRORED,
            EVERYWHERE,
        ),
    ]


def _gain(id: str, what: str, pairs: list[tuple[Found, Found]], published: str = "–") -> list[Claim]:
    """The claim that the first design of each pair wins more. A sample is a replica: its mean over the pairs."""
    if not pairs:
        return []
    gains = statistics.mean(np.mean([one.fresh - other.fresh for one, other in pairs], 0), within=(-1, 1))
    designs = f"mean of {len(pairs)} pairs of designs" if len(pairs) > 1 else "one pair of designs"
    return [lies_above(id, f"{what}; {designs}", published, gains)]


def cells_table(found: list[Found], games: int) -> Table:
    """One row per design, the best one first."""

    def row(one: Found) -> tuple[str, ...]:
        cell = one.cell
        best = statistics.share(round(float(one.fresh.max()) * games), games)
        return (
            *map(str, (cell.population, cell.rivals, cell.games, cell.famous)),
            VARIES[cell.variation],
            f"{one.generations:,}",
            f"{one.truncated:.3f}",
            f"{one.tested[:, -1].mean():.3f}",
            ", ".join(f"{share:.3f}" for share in one.fresh),
            str(best),
        )

    columns = ("players", "rivals", "games a pair", "past champions", "variation", "generations",
               "broken off", "last champions, tests",
               f"best champions, {games:,} fresh games each", "the best of them")  # fmt: skip
    rows = [row(one) for one in sorted(found, key=lambda one: -float(one.fresh.mean()))]
    return Table("cells", "Shares of games won against Pubeval by designs of the same number of games", columns, rows)
