"""Claims, table and figures of an evolution by self-play, tested against Pubeval (Bibliowicz & Joshua 2005)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from neuroevo.papers.backgammon import figures
from neuroevo.report import statistics
from neuroevo.report.claims import Claim, from_estimate
from neuroevo.report.findings import Table
from neuroevo.report.statistics import Estimate

MEASURES = "plies", "broken off", "norm", "diversity"  # of a snapshot: means over its generations or over its players
RETESTED = {"random": 0.43, "half": 0.40}  # section 6: the average of the best generation in more games
PEAK_AT = {"random": "near generation 10,000", "half": "earlier than in the first run"}
COLLAPSE = 0.1  # share of games: a larger loss is a fall "to a very bad grade"; chosen by judgement
UNSTEADY = 1.5  # ratio of changes to noise above which tests go up and down; chosen by judgement


@dataclass(frozen=True)
class Watched:
    """An evolution and its tests. Shares are of games won against Pubeval."""

    study: Any  # the `SelfPlay`
    retest_games: int  # number of retests' games of each player
    genomes: dict[str, np.ndarray]  # the players of the generations "peak" and "last": Float[replicas population genes]
    retested: dict[str, np.ndarray]  # their shares in the retests: Float[replicas population]
    fitness: np.ndarray  # Float[generations replicas population]
    measures: np.ndarray  # Float[snapshots replicas MEASURES]
    tested: np.ndarray  # Float[tests replicas population], shares in the tests
    truth: np.ndarray  # Float[truths replicas population], shares in the tests with more games

    def champions(self) -> tuple[np.ndarray, int]:
        """(the best retested player of each replica's peak, the number of the replica with the best one)."""
        shares = self.retested["peak"]
        which = shares.argmax(1)
        every = np.arange(len(which))
        return self.genomes["peak"][every, which], int(shares.max(1).argmax())

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is kept in history.npz, by name."""
        kept = {"fitness": self.fitness, "measures": self.measures, "tested": self.tested, "truth": self.truth}
        players = {f"{name}_players": genomes for name, genomes in self.genomes.items()}
        return kept | players | {f"{name}_retested": shares for name, shares in self.retested.items()}

    @property
    def peaks(self) -> np.ndarray:
        """Int[replicas]: the generation with the best average in the tests."""
        return (self.tested.mean(2).argmax(0) + 1) * self.study.test_every

    def average(self, name: str, replica: int) -> Estimate:
        """The share of the retests' games that all players of generation `name` win together."""
        shares = self.retested[name][replica]
        games = len(shares) * self.retest_games
        return statistics.share(round(float(shares.sum()) * self.retest_games), games)


def best_replica(watched: Watched) -> int:
    """The replica with the best peak in the retests. Claims and figures are about this one."""
    return int(watched.retested["peak"].mean(1).argmax())


def claims(watched: Watched, merging: str) -> list[Claim]:
    """All claims about the best replica. merging: the strategy's, on which the published numbers depend."""
    replica = best_replica(watched)
    return [
        _best_test(watched, replica),
        _retest(watched, merging, replica),
        _best_player(watched, replica),
        _collapse(watched, replica),
        _peak_generation(watched, merging, replica),
        _slow_start(watched, replica),
        _up_and_down(watched, replica),
        _broken_off(watched, replica),
    ]


def _best_test(watched: Watched, replica: int) -> Claim:
    games = watched.study.test_games
    best = float(watched.tested[:, replica].max())
    return from_estimate(
        "best_test",
        f"largest share of {games} games that any player wins against Pubeval in the tests of the run",
        "over 0.5 (figure 1)",
        f"the share, the best of {watched.tested[:, replica].size:,}, is above 0.5",
        statistics.share(round(best * games), games),
        best > 0.5,
    )


def _retest(watched: Watched, merging: str, replica: int) -> Claim:
    estimate, printed = watched.average("peak", replica), RETESTED[merging]
    return from_estimate(
        "retest",
        f"share of {watched.retest_games:,} fresh games each that the players of the best generation win, average",
        f"{printed:.2f}",
        "the interval reaches the printed number",
        estimate,
        estimate.high >= printed,
    )


def _best_player(watched: Watched, replica: int) -> Claim:
    best = float(watched.retested["peak"][replica].max())
    return from_estimate(
        "best_player",
        "the same of the best of these players, chosen in the same games",
        "–",
        "reported only",
        statistics.share(round(best * watched.retest_games), watched.retest_games),
        None,
    )


def _collapse(watched: Watched, replica: int) -> Claim:
    peak, last = (watched.retested[name][replica] for name in ("peak", "last"))
    estimate = statistics.difference(peak, last)
    return from_estimate(
        "collapse",
        "average of the best generation minus that of the last one, fresh games",
        "the players devolve to a very bad grade (figures 1 and 2)",
        f"the interval over players lies above {COLLAPSE}",
        estimate,
        estimate.low > COLLAPSE,
    )


def _peak_generation(watched: Watched, merging: str, replica: int) -> Claim:
    at = float(watched.peaks[replica])
    return from_estimate(
        "peak_at",
        "generation with the best average in its tests",
        PEAK_AT[merging],
        "reported only",
        Estimate(at, at, at, 1),
        None,
    )


def _slow_start(watched: Watched, replica: int) -> Claim:
    averages = watched.tested[:, replica].mean(1)
    quarters = np.array_split(averages, min(4, len(averages)))
    first = statistics.mean(quarters[0], within=(0, 1))
    return from_estimate(
        "slow_start",
        "average share of games won in the tests of the first quarter of the run",
        "slow at the start",
        "below the average of the best quarter",
        first,
        len(quarters) > 1 and first.value < max(quarter.mean() for quarter in quarters[1:]),
    )


def _up_and_down(watched: Watched, replica: int) -> Claim:
    """The claim about changes from test to test, in units of the noise that the number of games explains."""
    averages = watched.tested[:, replica].mean(1)
    games = watched.study.test_games * watched.tested.shape[2]
    changes = np.diff(averages) if len(averages) > 1 else np.zeros(1)
    noise = np.sqrt(2 * np.mean(averages * (1 - averages)) / games)
    ratio = float(np.sqrt(np.mean(changes**2)) / max(noise, 1e-9))
    return from_estimate(
        "up_and_down",
        "root mean square change of the average from test to test, over what the number of games lets expect of equal "
        "players",
        "almost random behaviour, not smooth",
        "above 1.5",
        Estimate(ratio, ratio, ratio, len(changes)),
        ratio > UNSTEADY,
    )


def _broken_off(watched: Watched, replica: int) -> Claim:
    share = float(watched.measures[:, replica, MEASURES.index("broken off")].mean())
    return from_estimate(
        "broken_off",
        "share of the evolution's games that reached the ply cap, lost by both",
        "–",
        "reported only",
        Estimate(share, share, share, len(watched.fitness)),
        None,
    )


def runs_table(watched: Watched) -> Table:
    """One row for each replica."""

    def row(replica: int) -> tuple[str, ...]:
        tested, truth = watched.tested[:, replica], watched.truth[:, replica]
        last = watched.measures[-1, replica]
        return (
            str(replica),
            f"{watched.peaks[replica]:,}",
            f"{tested.max():.2f}",
            f"{tested.mean(1).max():.3f}",
            f"{truth.mean(1).max():.3f}" if len(truth) else "–",
            *(str(watched.average(name, replica)) for name in ("peak", "last")),
            f"{watched.retested['peak'][replica].max():.3f}",
            f"{last[MEASURES.index('norm')]:.2f}",
            f"{last[MEASURES.index('diversity')]:.2f}",
        )

    columns = ("replica", "best generation", f"best player, {watched.study.test_games} games", "best average",
               f"best average, {watched.study.truth_games} games each", "best generation retested",
               "last generation retested", "its best player retested", "norm of weights at the end",
               "diversity at the end")  # fmt: skip
    title = "Shares of games won against Pubeval"
    return Table("runs", title, columns, [row(replica) for replica in range(len(watched.peaks))])


def draw_figures(watched: Watched, merging: str) -> dict[str, Figure]:
    """Tests over the generations, and weights over the generations, of the best replica."""
    study, replica = watched.study, best_replica(watched)
    at = {
        "tested": study.test_every * np.arange(1, 1 + len(watched.tested)),
        "truth": study.truth_every * np.arange(1, 1 + len(watched.truth)),
        "measures": study.snapshot_every * np.arange(1, 1 + len(watched.measures)),
    }
    title = f"merging: {merging}, one run, {watched.tested.shape[2]} players"
    return {
        "against_pubeval": figures.against_pubeval(
            (at["tested"], watched.tested[:, replica]),
            (at["truth"], watched.truth[:, replica]),
            f"{title}, {study.test_games} games each (dots: {study.truth_games})",
        ),
        "weights": figures.weights(at["measures"], watched.measures[:, replica], title),
    }
