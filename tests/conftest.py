"""Shared by all tests: two CPU devices, a compile cache, and the lists that what is new enters to be tested."""

import os
import sys
from pathlib import Path

import absl.logging
import jax
import pytest
from jaxtyping import install_import_hook
from toys import TicTacToe

# Every signature of ours is checked at run time: shapes, dtypes and types.
with install_import_hook(["jaxgames", "neuroevo"], "beartype.beartype"):
    from jaxgames import AtariGo, Backgammon, Game, Gomoku, Pente, WalkableGame, devices, players
    from jaxgames.games import GAMES as REGISTERED
    from jaxgames.games import AnyGame
    from neuroevo import strategies as _  # noqa: F401  # to be checked, too

ROOT = Path(__file__).parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
QUICK = "--xla_cpu_use_fusion_emitters=false", "--xla_cpu_parallel_codegen_split_count=1"
QUICK_VERSIONS = "0.10."

# Hydra reconfigures logging, at which absl closes any stream but the process's own: pytest's among them.
absl.logging.get_absl_handler().python_handler.stream = sys.__stderr__


def pytest_configure(config):
    """Most of the time is compiling, which takes less than half without optimisations and by XLA's older emitters, here
    and in processes that tests start. Thorough tests play what users play; so does `.ci/run` behind the tests.
    """
    if "not thorough" in config.option.markexpr:
        jax.config.update("jax_disable_most_optimizations", True)
        os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"
        if jax.__version__.startswith(QUICK_VERSIONS):  # XLA ends the process at flags that it does not know
            os.environ["XLA_FLAGS"] = " ".join([os.environ.get("XLA_FLAGS", ""), *QUICK])


def pytest_collection_modifyitems(items):
    """The file that takes longest comes first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.path.name != "test_run.py")


devices.set_up(cpu_devices=2)
jax.config.update("jax_compilation_cache_dir", os.environ.get("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".jax_cache")))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)

SMALL = {  # what is tested of a registered game, if not its default
    AtariGo: [AtariGo(3), AtariGo(5, captures_to_win=3)],
    Gomoku: [Gomoku(5, 5), Gomoku(4, 7, 4, exact=True), Gomoku(7, 6, 4, num_seats=3)],
    Pente: [Pente(5, num_seats=3, keryo=True)],
    Backgammon: [Backgammon(), Backgammon("alternate")],
}
TESTED = [game for kind in REGISTERED.values() for game in SMALL.get(kind) or [kind()]]
WALKABLE = [game for game in TESTED if isinstance(game, WalkableGame)]
GAMES = [*(game for game in TESTED if isinstance(game, Game)), AnyGame(TicTacToe())]
PLAYERS = [players.PLAYERS[name] for name in ("random", "naive", "heuristic")]  # of all these games


@pytest.fixture(params=GAMES, ids=str)
def game(request):
    return request.param


def shared_data(name: str) -> Path:
    """A file of the archive beside the project; skips the test where it is absent."""
    path = SHARED_DATA / name
    if not path.exists():
        pytest.skip(f"the archive's {name} is not on this machine")
    return path
