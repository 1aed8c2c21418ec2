"""The same random games by others: Pgx (JAX) and OpenSpiel (C++), where they are installed (extra `peers`).

Pgx plays a stream of games, a lane starting anew when its game ends, and draws moves by one uniform number per lane
instead of its documented categorical draw. OpenSpiel plays random rollouts inside its own C++, on one core. Neither
has Atari-Go: its peer is their Go, a game on the same board with longer games, so plies per second say more there
than games per second.
"""

import importlib.util
import statistics
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.timing import clocked, row

PGX = {("atari_go", 9): "go_9x9", ("atari_go", 19): "go_19x19", ("othello", 8): "othello"}
OPEN_SPIEL = {
    ("atari_go", 9): "go(board_size=9)",
    ("atari_go", 19): "go(board_size=19)",
    ("gomoku", 9): "gomoku(size=9)",
    ("gomoku", 15): "gomoku(size=15)",
    ("gomoku", 19): "gomoku(size=19)",
    ("othello", 8): "othello",
}
PGX_BATCH = 128  # so that Go 19×19 takes seconds


def rows(game: str, size: int) -> list[dict[str, Any]]:
    """Random play by each installed peer that has the game or its nearest relative."""
    result = []
    if (game, size) in PGX and importlib.util.find_spec("pgx"):
        result.append({"peer": f"pgx {PGX[game, size]}", **pgx_random(PGX[game, size], PGX_BATCH)})
    if (game, size) in OPEN_SPIEL and importlib.util.find_spec("pyspiel"):
        result.append({"peer": f"open_spiel {OPEN_SPIEL[game, size]}", **open_spiel_random(OPEN_SPIEL[game, size])})
    return [row(game=game, size=size, seats=2, players="random", **values) for values in result]


def pgx_random(name: str, batch: int, plies: int = 64) -> dict[str, Any]:
    """Streams games through `auto_reset` for a number of plies and counts what ended."""
    import pgx  # type: ignore[import-not-found]
    from pgx.experimental import auto_reset  # type: ignore[import-not-found]

    env = pgx.make(name)  # type: ignore[arg-type]
    step = jax.vmap(auto_reset(env.step, env.init))

    def draw(key: jax.Array, legal: jax.Array) -> jax.Array:
        counts = jnp.cumsum(legal.astype(jnp.int32), -1)
        rank = (jax.random.uniform(key, (batch,)) * counts[:, -1]).astype(jnp.int32)
        return (counts <= rank[:, None]).sum(-1).astype(jnp.int32)

    @jax.jit
    def run(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        def ply(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
            move_key, reset_key = jax.random.split(key)
            state = step(state, draw(move_key, state.legal_action_mask), jax.random.split(reset_key, batch))
            return state, state.terminated.sum()

        state, ended = jax.lax.scan(ply, state, jax.random.split(key, plies))
        return state, ended.sum()

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch))
    state, _ = jax.block_until_ready(run(state, jax.random.key(1)))
    seconds, ended = [], 0
    for repeat in range(9):  # long enough for the lanes to fall out of step
        (state, over), duration = clocked(lambda state=state, repeat=repeat: run(state, jax.random.key(2 + repeat)))
        seconds.append(duration)
        ended += int(over)
    return {
        "batch": batch,
        "games_per_second": round(ended / sum(seconds), 1),
        "plies_per_second": round(batch * plies / statistics.median(seconds)),
    }


def open_spiel_random(name: str, seconds: float = 1.0) -> dict[str, Any]:
    """Random rollouts inside a two-simulation MCTS bot: whole games without Python between plies."""
    import pyspiel  # type: ignore[import-not-found]

    game = pyspiel.load_game(name)
    start = game.new_initial_state()

    def simulate(rollouts: int, seed: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts // 2, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, seed, False)
        return clocked(lambda: bot.step(start))[1]

    rollouts = 8
    while (took := simulate(rollouts, 1)) < 0.5 * seconds:
        rollouts = 2 * int(rollouts * min(8.0, 0.8 * seconds / max(took, 1e-5)) / 2 + 1)
    speed = statistics.median(rollouts / simulate(rollouts, seed) for seed in range(2, 7))
    return {"batch": 1, "games_per_second": round(speed, 1), "plies_per_second": None}
