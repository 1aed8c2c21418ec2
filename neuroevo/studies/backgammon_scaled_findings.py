"""What designs of the same cost come to: the table, the claims and the figure of `backgammon_scaled`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from neuroevo import figures_backgammon, statistics
from neuroevo.claims import Claim, from_estimate, lies_above
from neuroevo.findings import Findings, Table
from neuroevo.studies.backgammon_cell import EVERYWHERE, MIRRORED, Cell

AIM = 0.5
VARIES = {"": "one weight", EVERYWHERE: "all weights", MIRRORED: "gradient"}


@dataclass(frozen=True)
class Found:
    """What came of a cell; shares of games won against Pubeval."""

    cell: Cell
    generations: int
    at: np.ndarray  # Int[tests], generations whose champions were tested
    tested: np.ndarray  # Float[replicas tests]
    which: np.ndarray  # Int[replicas], the best test
    fresh: np.ndarray  # Float[replicas], of that champion in fresh games
    champions: np.ndarray  # Float[replicas genes]
    broken: float  # share of the evolution's games that reached the ply cap

    @property
    def name(self) -> str:
        return str(self.cell)


def conclude(found: list[Found], study: Any, folder: Path, findings: Findings) -> Findings:
    picture = folder / "cells.png"
    curves = {cell.name: (cell.at / cell.generations * study.budget, cell.tested.mean(0)) for cell in found}
    figures_backgammon.cells(picture, curves)
    arrays = {
        f"{cell.name.replace('/', '_')}_{key}": getattr(cell, key) for cell in found for key in ("tested", "fresh")
    }
    return replace(
        findings,
        claims=claims(found, study.champion_games),
        tables=[cells_table(found, study.champion_games)],
        pictures=[picture],
        arrays=arrays,
    )


def claims(found: list[Found], games: int) -> list[Claim]:
    best = max(found, key=lambda cell: float(cell.fresh.max()))
    share = statistics.share(round(float(best.fresh.max()) * games), games)
    champion = from_estimate(
        "champion",
        f"share of {games:,} fresh games that the best champion wins against Pubeval, of {best.name}",
        "over 0.5 (Darwen 2001, as the paper has it)",
        f"the interval lies above {AIM}",
        share,
        share.low > AIM,
    )
    return [champion, *_more_helps(found), *_famous_help(found), *_variation_helps(found)]


def _more_helps(found: list[Found]) -> list[Claim]:
    """A regression over the designs without a hall of fame of either kind of mutation, where they are enough for it."""
    claims = []
    for variation, kind in (("", "one weight mutates"), (EVERYWHERE, "all weights mutate")):
        some = [one for one in found if one.cell.variation == variation and not one.cell.famous]
        numbers = np.array([(one.cell.population, one.cell.games_of_a_player) for one in some], float).reshape(-1, 2)
        try:
            both = statistics.slopes(np.log2(numbers), np.array([one.fresh.mean() for one in some]))
        except ValueError:
            continue
        for id, what, estimate in (
            ("players", "the players of as many games each", both[0]),
            ("games", "the games of each of as many players", both[1]),
        ):
            claims.append(
                lies_above(
                    f"more_{id}{variation and '_' + variation}",
                    f"change of the champions' share by twice {what} in a generation, at the same number of games "
                    f"in all; {kind}; regression on both logarithms",
                    "more players or more games are needed (section 6)",
                    estimate,
                    over="designs",
                )
            )
    return claims


def _famous_help(found: list[Found]) -> list[Claim]:
    """Designs of equally many games with and without a hall of fame."""

    def design(one: Found) -> tuple:
        return one.cell.population, one.cell.games_of_a_player, one.cell.variation

    without = {design(one): one for one in found if not one.cell.famous}
    pairs = [(one, without[design(one)]) for one in found if one.cell.famous and design(one) in without]
    return _gain("hall_of_fame", "share with past champions among a player's opponents minus that without", pairs)


def _variation_helps(found: list[Found]) -> list[Claim]:
    by_cell = {one.cell: one for one in found}

    def gain(id: str, what: str, variation: str, instead_of: str) -> list[Claim]:
        others = [by_cell.get(replace(one.cell, variation=instead_of)) for one in found]
        pairs = [
            (one, other) for one, other in zip(found, others, strict=True) if one.cell.variation == variation and other
        ]
        return _gain(id, what, pairs)

    return [
        *gain(
            "mutation_of_all",
            "share where mutations change all weights minus that where they change one",
            EVERYWHERE,
            "",
        ),
        *gain(
            "mirrored",
            "share where a mean follows the gradient minus that with killing, merging and mutation of all weights",
            MIRRORED,
            EVERYWHERE,
        ),
    ]


def _gain(id: str, what: str, pairs: list[tuple[Found, Found]]) -> list[Claim]:
    """Every evolution of the one design is compared with one of the other."""
    if not pairs:
        return []
    gains = statistics.mean(np.concatenate([one.fresh - other.fresh for one, other in pairs]), within=(-1, 1))
    designs = f"pair{'s' * (len(pairs) > 1)} of designs"
    return [lies_above(id, f"{what}, mean of {len(pairs)} {designs}", "–", gains, over="evolutions")]


def cells_table(found: list[Found], games: int) -> Table:
    def row(found: Found) -> tuple[str, ...]:
        cell = found.cell
        best = statistics.share(round(float(found.fresh.max()) * games), games)
        return (
            *map(str, (cell.population, cell.rivals, cell.games, cell.famous)),
            VARIES[cell.variation],
            f"{found.generations:,}",
            f"{found.broken:.3f}",
            f"{found.tested[:, -1].mean():.3f}",
            ", ".join(f"{share:.3f}" for share in found.fresh),
            str(best),
        )

    columns = ("players", "rivals", "games a pair", "past champions", "variation", "generations",
               "broken off", "last champions, tests",
               f"best champions, {games:,} fresh games each", "the best of them")  # fmt: skip
    rows = [row(one) for one in sorted(found, key=lambda one: -float(one.fresh.mean()))]
    return Table("cells", "Shares of games won against Pubeval by designs of the same number of games", columns, rows)
