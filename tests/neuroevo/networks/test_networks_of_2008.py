"""Networks stored in 2008 by the paper's authors, replayed by our program: their stored scores must come out."""

import jax.numpy as jnp
import numpy as np
import pytest
from conftest import shared_data

from jaxgames import AtariGo
from jaxgames.players import Naive, Random
from neuroevo.networks import MDRNN
from neuroevo.tasks import VersusOpponent

OPPONENTS = {"random": Random, "killer": Naive}  # "killer" is the archive's word for the naive player
NETS, GAMES = 100, 200


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("hidden", [5, 10])
def test_stored_networks_score_as_in_2008(hidden, opponent):
    game = AtariGo(5)
    with np.load(shared_data("mdrnn/table1_2008.npz")) as archive:
        weights = archive[f"capture_{opponent}_k{hidden}_scale1_w"][:NETS].astype(np.float32)
        stored = archive[f"capture_{opponent}_k{hidden}_scale1_s"][:NETS, 0]
    task = VersusOpponent(
        game,
        MDRNN(hidden, border="added"),
        OPPONENTS[opponent](game),
        games=GAMES,
        speed_weight=0.0,
        encoder="opponent_first",
    )
    ours = np.asarray(task.evaluate(jnp.arange(1, dtype=jnp.uint32), jnp.asarray(weights)[None]).fitness[0])
    assert np.corrcoef(ours, stored)[0, 1] >= 0.9
    assert abs((ours - stored).mean()) < 0.05
