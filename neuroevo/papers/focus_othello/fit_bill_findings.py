"""How well the evaluation `bill` predicts who wins, beside logistic regression on the same features."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from scipy import special

from jaxgames.games.othello.bill import DISCS, PAIRS
from neuroevo.papers.focus_othello import figures
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Table

FEWEST = 50  # smallest number of won and of lost positions to fit parameters to; chosen by judgement
DECAY = 1.0  # weight of the squared coefficients in the regressions' loss; chosen by judgement
BINS = 20  # of the calibration curves; chosen by judgement
PHASES = {"8–20": range(8, 21), "21–36": range(21, 37), "37–52": range(37, 53), "53–63": range(53, 64)}  # discs


@dataclass(frozen=True)
class Sample:
    """Positions. Arrays lead with games and plies, or with one axis of positions."""

    features: np.ndarray  # Float[… features]
    discs: np.ndarray  # Int[…]
    result: np.ndarray  # Int[…], for the side to move: 1, −1, or 0 for a draw or after the end

    def of_games(self, chosen: np.ndarray) -> "Sample":
        """The games or positions where `chosen` is True."""
        return Sample(self.features[chosen], self.discs[chosen], self.result[chosen])

    def decided(self) -> "Sample":
        """All won and lost positions, in one axis."""
        there = self.result != 0
        return Sample(self.features[there], self.discs[there], self.result[there])

    def by_discs(self, pooled: int) -> Iterator["Sample"]:
        """For each number of discs the positions with up to `pooled` more or fewer discs.

        If these are too few, the positions of the nearest number that has enough. Raises ValueError if none has.
        """
        decided = self.decided()
        parts = [decided.of_games(abs(decided.discs - discs) <= pooled) for discs in DISCS]
        enough = [
            i for i, part in enumerate(parts) if min((part.result == 1).sum(), (part.result == -1).sum()) >= FEWEST
        ]
        if not enough:
            raise ValueError(
                f"too few games: {FEWEST} won and {FEWEST} lost positions with equally many discs are needed"
            )
        for number in range(len(DISCS)):
            yield parts[min(enough, key=lambda i, number=number: abs(i - number))]


@dataclass(frozen=True)
class Fit:
    """The fitted evaluation, and what it is compared with.

    unseen: the held-out positions
    """

    parameters: dict[str, np.ndarray]  # of the Gaussians, see `fit_bill.fit`
    polynomials: np.ndarray  # of the quadratic discriminant, see `bill.polynomials_of`
    regressions: np.ndarray  # the same of logistic regressions, without squares and products
    unseen: Sample
    score: np.ndarray  # Float[games]: points against the weights of squares


def regressions(positions: Sample, pooled: int) -> np.ndarray:
    """Float[1+features+pairs, discs]: coefficients of logistic regressions, one for each number of discs."""
    from sklearn.linear_model import LogisticRegression  # an optional package, and slow to import

    model = LogisticRegression(C=1 / DECAY, fit_intercept=False, solver="newton-cholesky", tol=1e-8)
    parts = list(positions.by_discs(pooled))
    found: dict[int, np.ndarray] = {}
    for part in {id(part): part for part in parts}.values():
        inputs = np.concatenate([np.ones((len(part.result), 1)), part.features], 1)  # the constant decays as well
        found[id(part)] = np.concatenate([model.fit(inputs, part.result).coef_[0], np.zeros(len(PAIRS))])
    return np.array([found[id(part)] for part in parts]).T


def log_odds(polynomials: np.ndarray, positions: Sample) -> np.ndarray:
    """Float[…]: the logarithm of the odds that the side to move wins."""
    x = positions.features.astype(float)
    terms = [np.ones(x.shape[:-1]), *np.moveaxis(x, -1, 0), *(x[..., i] * x[..., j] for i, j in PAIRS)]
    rows = polynomials[:, np.clip(positions.discs - DISCS.start, 0, len(DISCS) - 1)]
    return np.sum([row * term for row, term in zip(rows, terms, strict=True)], 0)


def losses(polynomials: np.ndarray, positions: Sample) -> np.ndarray:
    """Float[…]: the log-loss of each position in nats."""
    return np.logaddexp(0, -positions.result * log_odds(polynomials, positions))


def claims(fit: Fit) -> list[Claim]:
    """Claims about predictions of results, strength and calibration."""
    of_games = [_by_game(losses(which, fit.unseen), fit.unseen) for which in (fit.polynomials, fit.regressions)]
    base = _by_game(np.full(fit.unseen.result.shape, np.log(2)), fit.unseen)
    gain, gap = statistics.mean(base - of_games[0]), statistics.mean(of_games[0] - of_games[1])
    score = statistics.mean(fit.score.reshape(-1, 2).mean(1), within=(0, 1))
    return [
        from_estimate("informed", "nats per held-out position by which its odds beat even odds, mean over games",
                      "one of the best evaluations in the world", "the interval lies above 0", gain, gain.low > 0),
        from_estimate("regression", "nats per held-out position by which logistic regression beats it, mean over games",
                      "regression is known to be as good or better", "the interval reaches 0", gap, gap.high >= 0),
        from_estimate("stronger", "points per game against the weights of squares, both at level 2, over openings",
                      "has very few errors", "the interval lies above 0.5", score, score.low > 0.5),
        _calibration(fit),
    ]  # fmt: skip


def calibration_figure(fit: Fit) -> Figure:
    """Calibration curves of both evaluations."""
    decided = fit.unseen.decided()
    curves = {
        name: reliability(special.expit(log_odds(which, decided)), decided.result > 0)
        for name, which in (("Gaussians (bill)", fit.polynomials), ("logistic regression", fit.regressions))
    }
    return figures.calibration(curves, f"{len(decided.result):,} held-out positions")


def _by_game(loss: np.ndarray, positions: Sample) -> np.ndarray:
    """Float[games]: means over the positions of each game that was not drawn."""
    there = positions.result != 0
    some = there.any(1)
    return np.where(there, loss, 0).sum(1)[some] / there.sum(1)[some]


def _calibration(fit: Fit) -> Claim:
    decided = fit.unseen.decided()
    said, came, count = reliability(special.expit(log_odds(fit.polynomials, decided)), decided.result > 0)
    error = float((abs(said - came) * count).sum() / count.sum())
    estimate = statistics.Estimate(error, error, error, len(decided.result))
    return from_estimate("calibrated", "mean difference between the chance that it gives and the share that is won",
                         "–", "below 0.05", estimate, error < 0.05)  # fmt: skip


def reliability(chance: np.ndarray, won: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(mean chance, share won, number of positions) in bins of equal width that are not empty."""
    place = np.minimum((chance * BINS).astype(int), BINS - 1)
    count = np.bincount(place, minlength=BINS)
    some = count > 0
    sums = [np.bincount(place, weights=values, minlength=BINS)[some] for values in (chance, won)]
    return sums[0] / count[some], sums[1] / count[some], count[some]


def log_loss(fit: Fit) -> Table:
    """Log-loss by the phase of the game."""
    rows, decided = [], fit.unseen.decided()
    for name, phase in itertools.chain(PHASES.items(), {"all": range(100)}.items()):
        part = decided.of_games(np.isin(decided.discs, phase))
        if len(part.result):
            both = [f"{losses(which, part).mean():.4f}" for which in (fit.polynomials, fit.regressions)]
            right = np.mean((log_odds(fit.polynomials, part) > 0) == (part.result > 0))
            rows.append((name, f"{len(part.result):,}", *both, f"{right:.3f}"))
    columns = (
        "discs",
        "held-out positions",
        "log-loss, Gaussians",
        "log-loss, regression",
        "winner named by Gaussians",
    )
    return Table("log_loss", "Nats per position (even odds: 0.6931)", columns, rows)
