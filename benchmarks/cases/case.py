"""One case of games: what is played, the check that the games are different and legal, and its row."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import timing
from jaxgames import Results, Schedule
from jaxgames.core import WalkableGame

CHECKED_LANES = 8  # of a block, in the check of the moves
GAMES_PER_LANE = 16  # where a case does not say otherwise


@dataclass(frozen=True)
class Choice:
    """What the user asked for; None stands for everything, and for each case's own batch."""

    games: list[str] | None = None
    sizes: list[int] | None = None
    players: list[str] | None = None
    batch: int | None = None

    def wants(self, game: str, players: str) -> bool:
        """Whether this game of these players is to be measured, on some size."""
        return (self.games is None or game in self.games) and (self.players is None or players in self.players)


@dataclass(frozen=True)
class Case:
    """Games between the same players in `blocks` blocks; every lane of a block plays `games_per_lane` games in turn.

    game, size, players: names in the row; games of one size have the size None
    rules: the game
    batch: number of lanes of all blocks together, at least one a block
    schedule: maps (lanes, games per lane) to what a block plays
    play: maps (streams[blocks], schedule) to the games
    distinct: smallest share of the games that must differ from all others
    """

    game: str
    size: int | None
    players: str
    rules: Any
    blocks: int
    batch: int
    schedule: Callable[[int, int], Schedule]
    play: Callable[[jax.Array, Schedule], Results]
    games_per_lane: int = GAMES_PER_LANE
    distinct: float = 0.9

    @property
    def timed(self) -> Schedule:
        """What a block plays while it is timed."""
        return self.schedule(max(1, self.batch // self.blocks), self.games_per_lane)

    def program(self, schedule: Schedule) -> jax.stages.Wrapped:
        """Maps streams[blocks] to the games."""
        return jax.jit(lambda streams: self.play(streams, schedule))

    def streams(self, run: int) -> jax.Array:
        """UInt32[blocks]: those of one run."""
        return jnp.arange(self.blocks, dtype=jnp.uint32) + jnp.uint32(1000 * run)

    def row(self, repeats: int) -> dict[str, Any]:
        """Checks the games and times them. Raises AssertionError if games repeat, or a move is missing or illegal."""
        if not self.walked:
            self._check_moves()
        measured = timing.time_program(self.program(self.timed), lambda run: (self.streams(run),), repeats, self._read)
        seconds, numbers = measured.seconds, measured.numbers
        games = self.blocks * self.timed.games
        return timing.row(
            game=self.game,
            size=self.size,
            seats=self.rules.num_seats,
            players=self.players,
            batch=self.blocks * self.timed.lanes,
            games=games,
            games_per_second=round(games / seconds),
            plies_per_second=round(numbers["plies"] / seconds),
            compile_seconds=round(measured.compile_seconds, 2),
            peak_mb=timing.peak_mb(),
            busy=round(numbers["busy"], 3),
            **({"nodes_per_second": round(numbers["nodes"] / seconds)} if "nodes" in numbers else {}),
            **(self._of_walks(numbers, seconds, games) if self.walked else {}),
        )

    @property
    def walked(self) -> bool:
        """Whether a ply is a walk over afterstates and has no numbered move."""
        return isinstance(self.rules, WalkableGame)

    def _of_walks(self, numbers: dict[str, float], seconds: float, games: int) -> dict[str, Any]:
        return {
            "afterstates_per_second": round(numbers["considered"] / seconds),
            "plies_per_game": round(numbers["plies"] / games, 1),
            "unfinished": round(numbers["unfinished"]),
        }

    def _read(self, results: Results) -> dict[str, float]:
        """Totals of one run. Raises AssertionError if games of numbered moves did not end or walked games repeat."""
        finished = np.asarray(results.finished)
        numbers = {
            "plies": int(np.asarray(results.plies).sum()),
            "busy": float(np.asarray(results.busy).mean()),
            "unfinished": int((~finished).sum()),
        }
        if results.counts is not None:
            numbers["nodes"] = int(np.asarray(results.counts.nodes).sum(dtype=np.int64))
        if self.walked:
            numbers["considered"] = int(np.asarray(results.considered).sum(dtype=np.int64))
            # Two different games hardly ever consider equally many afterstates in equally many plies.
            pairs = np.stack([np.asarray(x).reshape(-1) for x in (results.plies, results.considered)], 1)
            assert len(np.unique(pairs, axis=0)) > self.distinct * len(pairs), f"{self._name}: games repeat"
        else:
            assert finished.all(), f"{self._name}: a game did not end"
        return numbers

    def _check_moves(self) -> None:
        """Records the moves of a small batch."""
        small = replace(self.schedule(CHECKED_LANES, 2), record_moves=True)
        results = self.program(small)(self.streams(0))
        assert results.moves is not None
        moves = np.asarray(results.moves).reshape(-1, results.moves.shape[-1])
        played = moves >= 0
        assert (played.sum(1) == np.asarray(results.plies).reshape(-1)).all(), f"{self._name}: moves are missing"
        assert (np.diff(played.astype(int), axis=1) <= 0).all(), f"{self._name}: a game has a hole"
        assert len(np.unique(moves, axis=0)) >= self.distinct * len(moves), f"{self._name}: games repeat"
        legal = np.asarray(_legal(self.rules, moves))
        assert legal[played].all(), f"{self._name}: an illegal move was played"

    @property
    def _name(self) -> str:
        return f"{self.game} {self.size}, {self.players}"


def _legal(game: Any, moves: np.ndarray) -> jax.Array:
    """Bool[games, plies]: whether each recorded move was legal where it was played."""

    def ply(state: Any, move: jax.Array) -> tuple[Any, jax.Array]:
        at = jnp.maximum(move, 0).astype(jnp.int32)
        return game.play(state, at), game.legal(state)[at]

    return jax.jit(jax.vmap(lambda row: jax.lax.scan(ply, game.start(), row)[1]))(moves)
