"""What designs of the same cost come to: the table, the claims and the figure of `backgammon_scaled`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from neuroevo import figures_backgammon, statistics
from neuroevo.claims import Claim, from_estimate, lies_above
from neuroevo.findings import Findings, Table
from neuroevo.statistics import Estimate

AIM = 0.5


@dataclass(frozen=True)
class Found:
    """What came of a cell; shares of games won against Pubeval."""

    name: str
    generations: int
    at: np.ndarray  # Int[tests], generations whose champions were tested
    tested: np.ndarray  # Float[replicas tests]
    which: np.ndarray  # Int[replicas], the best test
    fresh: np.ndarray  # Float[replicas], of that champion in fresh games
    champions: np.ndarray  # Float[replicas genes]
    broken: float  # share of the evolution's games that reached the ply cap

    @property
    def population(self) -> int:
        return int(self.name.split("/")[0])

    @property
    def games(self) -> int:
        """Of a player in a generation."""
        _, rivals, games, famous = map(int, self.name.split("/")[:4])
        return (rivals + famous) * games

    @property
    def everywhere(self) -> bool:
        return self.name.count("/") == 4


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
    return [champion, *_more_helps(found), *_famous_help(found), *_everywhere_helps(found)]


def _more_helps(found: list[Found]) -> list[Claim]:
    """Rank correlations over the cells without a hall of fame, for either kind of mutation."""
    claims = []
    for everywhere in (False, True):
        cells = [cell for cell in found if cell.everywhere == everywhere and cell.name.split("/")[3] == "0"]
        if len(cells) < 3:
            continue
        kind = "all weights mutate" if everywhere else "one weight mutates"
        for id, what, numbers in (
            ("players", "the number of players", [cell.population for cell in cells]),
            ("games", "a player's games in a generation", [cell.games for cell in cells]),
        ):
            shares = [float(cell.fresh.mean()) for cell in cells]
            ranks = [scipy.stats.rankdata(values) for values in (numbers, shares)]  # equal numbers share a rank
            value = statistics.correlation(np.stack(ranks, 1))
            claims.append(
                from_estimate(
                    f"more_{id}{'_all' * everywhere}",
                    f"rank correlation of {what} with the champions' shares, for the same number of games; {kind}",
                    "more players or more games are needed (section 6)",
                    "the interval lies above 0",
                    value,
                    value.low > 0,
                )
            )
    return claims


def _famous_help(found: list[Found]) -> list[Claim]:
    """Designs of equally many games with and without a hall of fame."""

    def design(cell: Found) -> tuple:
        return cell.population, cell.games, cell.everywhere

    without = {design(cell): cell for cell in found if cell.name.split("/")[3] == "0"}
    pairs = [
        (cell, without[design(cell)]) for cell in found if cell.name.split("/")[3] != "0" and design(cell) in without
    ]
    if not pairs:
        return []
    gains = np.array([float(one.fresh.mean() - other.fresh.mean()) for one, other in pairs])
    return [
        lies_above(
            "hall_of_fame",
            "share with past champions among a player's opponents minus that without, mean over designs",
            "–",
            statistics.mean(gains, within=(-1, 1)),
            over="designs",
        )
    ]


def _everywhere_helps(found: list[Found]) -> list[Claim]:
    bold = {cell.name.removesuffix("/all"): cell for cell in found if cell.everywhere}
    gains = [float(bold[cell.name].fresh.mean() - cell.fresh.mean()) for cell in found if cell.name in bold]
    if not gains:
        return []
    estimate: Estimate = statistics.mean(np.array(gains), within=(-1, 1))
    return [
        lies_above(
            "mutation_of_all",
            "share where mutations change all weights minus that where they change one, mean over designs",
            "–",
            estimate,
            over="designs",
        )
    ]


def cells_table(found: list[Found], games: int) -> Table:
    def row(cell: Found) -> tuple[str, ...]:
        population, rivals, pair, famous = cell.name.split("/")[:4]
        best = statistics.share(round(float(cell.fresh.max()) * games), games)
        return (
            population,
            rivals,
            pair,
            famous,
            "all weights" if cell.everywhere else "one weight",
            f"{cell.generations:,}",
            f"{cell.broken:.3f}",
            f"{cell.tested[:, -1].mean():.3f}",
            ", ".join(f"{share:.3f}" for share in cell.fresh),
            str(best),
        )

    columns = ("players", "rivals", "games a pair", "past champions", "mutation", "generations",
               "broken off", "last champions, tests",
               f"best champions, {games:,} fresh games each", "the best of them")  # fmt: skip
    rows = [row(cell) for cell in sorted(found, key=lambda cell: -float(cell.fresh.mean()))]
    return Table("cells", "Shares of games won against Pubeval by designs of the same number of games", columns, rows)
