"""Untrained networks on boards of several sizes: table I and figures 3–4 of Schaul & Schmidhuber (2008), claims."""

import numpy as np
from matplotlib.figure import Figure

from neuroevo.papers.mdrnn import figures
from neuroevo.papers.mdrnn.table_1 import Cell, Row, Scores
from neuroevo.report import statistics
from neuroevo.report.claims import VERDICT, Claim, covers, from_estimate
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate

Estimates = dict[
    Row, tuple[Estimate, Estimate]
]  # of the correlation, and of the share p of networks that score higher on the larger board
Pairs = dict[Row, np.ndarray]  # Float[networks 2]: scores on the smaller and the larger board
CHANCE = 1.96  # standard deviations within which 95 % of differences lie by chance
MOST = 0.9  # share of such differences that is enough to hold; chosen by judgement, as 0.95 are expected
SAME = 0.1  # difference of mean scores up to which they count as equal; chosen by judgement


def estimates_of(rows: Pairs) -> Estimates:
    """The estimates of every row of the table."""
    return {row: row_estimates(pairs) for row, pairs in rows.items()}


def table_claims(estimates: Estimates) -> list[Claim]:
    """Claims about each number of table I, and about the share of them that chance explains."""
    return [claim for row, both in estimates.items() for claim in row_claims(row, *both)] + [_by_chance(estimates)]


def draw_percentiles(scores: Scores) -> dict[str, Figure]:
    """Figures 3 and 4, for the games that were played."""
    games = {3: "Atari-Go", 4: "Gomoku"}
    drawn = {number: curves(scores, game) for number, game in games.items()}
    return {f"figure_{number}": figures.percentiles(lines, games[number]) for number, lines in drawn.items() if lines}


def row_estimates(pairs: np.ndarray) -> tuple[Estimate, Estimate]:
    """(correlation, share of networks that score higher on the larger board)."""
    return statistics.correlation(pairs), statistics.share(int((pairs[:, 1] > pairs[:, 0]).sum()), len(pairs))


def row_claims(row: Row, correlation: Estimate, larger: Estimate) -> list[Claim]:
    """Claims about both numbers of a row: the correlation, and the share that scores higher on the larger board."""
    rule = "the interval covers the printed number"
    return [
        from_estimate(
            f"correlation_{row.id}",
            f"correlation of scores: {row.label}",
            f"{row.printed[0]:.2f}",
            rule,
            correlation,
            covers(correlation, row.printed[0]),
        ),
        from_estimate(
            f"larger_{row.id}",
            f"share of networks that score higher on the larger board: {row.label}",
            f"{row.printed[1]:.2f}",
            rule,
            larger,
            covers(larger, row.printed[1]),
        ),
    ]


def apart(row: Row, correlation: Estimate, larger: Estimate) -> tuple[float, float]:
    """(correlation, p): ours minus those of the networks of 2008, in standard deviations by both samples' sizes."""
    n, m = larger.n, sum(row.pool.values())
    return (
        statistics.correlations_apart(min(correlation.value, 0.999), n, row.archive[0], m),
        statistics.shares_apart(larger.value, n, row.archive[1], m),
    )


def _by_chance(estimates: Estimates) -> Claim:
    numbers = np.abs([apart(row, *both) for row, both in estimates.items()])
    return from_estimate(
        "table_1_by_chance",
        "share of table I's numbers that are at most 1.96 standard deviations from ours, by the sizes of both samples",
        "the table's numbers come from 120 to 1,285 networks a row",
        "at least 0.9 (0.95 are expected)",
        statistics.share(int((numbers <= CHANCE).sum()), numbers.size),
        bool((numbers <= CHANCE).mean() >= MOST),
    )


def table_1(estimates: Estimates) -> Table:
    """Table I: published numbers, those of the stored results of 2008, and ours."""
    columns = ("game", "opponent", "sizes", "n", "correlation: published", "2008 data (n)", "ours", "holds", "z",
               "p: published", "2008 data", "ours", "holds", "z")  # fmt: skip

    def text(row: Row, correlation: Estimate, larger: Estimate) -> tuple[str, ...]:
        def ours(estimate: Estimate, printed: float) -> tuple[str, str]:
            return str(estimate), VERDICT[covers(estimate, printed)]

        archive = f"{row.archive[0]:.3f} ({sum(row.pool.values())})"
        z = [f"{number:+.1f}" for number in apart(row, correlation, larger)]
        first = f"{row.printed[0]:.2f}", archive, *ours(correlation, row.printed[0]), z[0]
        second = f"{row.printed[1]:.2f}", f"{row.archive[1]:.3f}", *ours(larger, row.printed[1]), z[1]
        return row.game, row.opponent, f"{row.small} – {row.large}", f"{larger.n:,}", *first, *second

    title = (
        "Table I: the same networks on two sizes (p: share that scores higher on the larger board; "
        "z: ours minus 2008 data, in standard deviations by the sizes of both samples)"
    )
    return Table("table_1", title, columns, [text(row, *both) for row, both in estimates.items()])


def curves(scores: Scores, game: str) -> dict[tuple[str, str, int], np.ndarray]:
    """The scores of the percentile figures by (opponent, network, size). MLPs have 100 hidden units there."""
    return {
        (cell.opponent, cell.network, cell.size): values
        for cell, values in scores.items()
        if cell.game == game and cell.size in (5, 9) and (cell.network, cell.hidden) != ("mlp", 20)
    }


def trends(scores: Scores, draws: Scores) -> list[Claim]:
    """Claims about figures 3 and 4: MDRNNs against MLPs, small boards against large ones."""
    claims = []
    for game, opponent in {(cell.game, cell.opponent): None for cell in scores}:
        by_size = {key[1:]: values for key, values in curves(scores, game).items() if key[0] == opponent}
        mlps = [scores[Cell(game, opponent, "mlp", hidden, 1.0, 5)] for hidden in (100, 20)]
        slug, where = f"{game.replace('-', '').lower()}_{opponent}", f"{game} against {opponent}"
        claims += [
            _difference(f"mdrnn_over_mlp_5_{slug}", f"mean score of MDRNNs minus MLPs, {where}, 5×5",
                        "MDRNN much better with random weights (figures 3–4)", by_size["mdrnn", 5], by_size["mlp", 5]),
            _difference(f"mdrnn_over_mlp_9_{slug}", f"mean score of MDRNNs minus MLPs, {where}, 9×9",
                        "more so on larger boards (figures 3–4)", by_size["mdrnn", 9], by_size["mlp", 9]),
            _difference(f"mdrnn_rises_{slug}", f"mean score of MDRNNs on 9×9 minus 5×5, {where}",
                        "rises with the size", by_size["mdrnn", 9], by_size["mdrnn", 5]),
            _difference(f"mlp_falls_{slug}", f"mean score of MLPs on 5×5 minus 9×9, {where}",
                        "falls with the size", by_size["mlp", 5], by_size["mlp", 9]),
            _same(f"mlp_hidden_{slug}", f"mean score of MLPs with 100 minus 20 hidden units, {where}, 5×5",
                  *mlps),
        ]  # fmt: skip
    small = [values for cell, values in draws.items() if cell.game == "Gomoku" and cell.size == 5]
    return claims + ([_mostly_drawn(np.concatenate(small))] if small else [])


def _mostly_drawn(draws: np.ndarray) -> Claim:
    estimate = statistics.mean(draws, within=(0, 1))
    return from_estimate(
        "gomoku_5_draws",
        "share of drawn games, Gomoku 5×5, all networks and opponents",
        "the large majority of games ends in a draw",
        "the interval lies above 0.5",
        estimate,
        estimate.low > 0.5,
    )


def _difference(id: str, what: str, published: str, one: np.ndarray, other: np.ndarray) -> Claim:
    estimate = statistics.difference(one, other)
    return from_estimate(id, what, published, "the interval lies above 0", estimate, estimate.low > 0)


def _same(id: str, what: str, one: np.ndarray, other: np.ndarray) -> Claim:
    estimate = statistics.difference(one, other)
    holds = estimate.low > -SAME and estimate.high < SAME
    return from_estimate(id, what, "hidden size does not matter", "the interval lies within ±0.1", estimate, holds)
