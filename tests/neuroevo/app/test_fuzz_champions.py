"""Champions whose files are spoilt at random: the player that they say, or a refusal in one line."""

import io
import json
import random

import jax
import numpy as np
import pytest
from mutation import LEAN, THOROUGH, Clock, one_line, spoilt, write_down

from neuroevo.app import champions
from neuroevo.runtime.settings import ConfigError, RunConfig

GROUPS = [
    ({"kind": "gomoku", "rows": 5, "columns": 5}, {"kind": "mdrnn", "hidden": 2}, {"kind": "versus_opponent"}, 12),
    ({"kind": "pente", "size": 5}, {"kind": "neurons", "hidden": 2}, {"kind": "gauntlet", "tests": ["random"]}, 200),
    ({"kind": "atari_go", "size": 3}, {"kind": "mlp", "hidden": 4}, {"kind": "versus_others"}, None),
]
WORDS = [b"hidden", b"size", b"rows", b"mlp", b"mdrnn", b"gomoku", b"othello", b"3", b"5", b"19", b"1000000", b"1e9"]
NUMBERS = [0, -1, 1, 2, 3, 7, 19, 1000, 10**6, 10**30, 1e25, 0.5, None, True, "a", "5", [], [3], {}, {"a": 1}, "${a}"]


def saved(folder, number):
    game, network, task, genes = GROUPS[number]
    run = RunConfig("x", game=game, network=network, task=task)
    if genes is None:
        genes = champions.config.task_of(run).genes
    genomes = np.random.default_rng(number).normal(size=(2, genes)).astype(np.float32)
    champions.save(folder, genomes, 1, run)
    return {name: (folder / name).read_bytes() for name in (champions.ABOUT, champions.GENOMES)}


def spoilt_values(draw, content):
    """Another value somewhere."""
    about = json.loads(content)
    group = about[draw.choice(champions.GROUPS)]
    group[draw.choice([*group, "hidden", "games", "layers"])] = draw.choice(NUMBERS)
    return json.dumps(about).encode()


def spoilt_arrays(draw, content):
    """Other genomes, or another best."""
    with np.load(io.BytesIO(content)) as file:
        genomes, best = file["genomes"], file["best"]
    kind = draw.randrange(6)
    if kind == 0:
        genomes = genomes[:, : draw.randrange(genomes.shape[1] + 1)]
    elif kind == 1:
        genomes = genomes.copy()
        genomes[draw.randrange(2), draw.randrange(genomes.shape[1])] = draw.choice([np.nan, np.inf, 1e30])
    elif kind == 2:
        genomes = genomes.astype(draw.choice([np.float64, np.int8, complex, "U3", bool, np.float16]))
    elif kind == 3:
        genomes = genomes.reshape(draw.choice([(-1,), (1, 2, -1), (-1, 1)]))
    else:
        best = draw.choice([-1, 0, 1, 2, 10**30, 0.5, np.nan, "a", [1], [[0]]])
    buffer = io.BytesIO()
    np.savez(buffer, genomes=genomes, best=best)
    return buffer.getvalue()


def tried(folder):
    try:
        player = champions.load(folder.parent)
    except ConfigError as error:
        one_line(error)
        return "refused" if str(folder) in str(error) else "of other games"
    about = json.loads((folder / champions.ABOUT).read_bytes())
    with np.load(folder / champions.GENOMES) as file:
        genome = file["genomes"][int(file["best"])]
    leaves = np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(player)])
    assert np.isfinite(leaves).all()
    if about["network"]["kind"] == "neurons":  # whose inputs are put together
        genome = genome.reshape(len(player.layers["output"]), -1)[:, -player.game.num_actions :].ravel()
    assert {*genome.astype(leaves.dtype).tolist()} <= {*leaves.tolist()}
    size = about["game"].get("size", about["game"].get("rows"))
    assert size is None or player.game.rows == int(size)
    return "played"


def fuzz(number, seed, tmp_path):
    draw, clock, folder = random.Random(seed), Clock(), tmp_path / "run" / "champion"
    files = [saved(folder, group) for group in range(len(GROUPS))]
    for _ in range(number):
        for name, content in (chosen := dict(draw.choice(files))).items():
            (folder / name).write_bytes(content)
        kind = draw.random()
        name = champions.ABOUT if kind < 0.6 else champions.GENOMES
        if 0.3 < kind < 0.8:
            content = spoilt(draw, chosen[name], WORDS)
        else:
            content = (spoilt_values if kind < 0.6 else spoilt_arrays)(draw, chosen[name])
        (folder / name).write_bytes(content)
        clock.run(tried, folder)
    return clock.counts


def test_spoilt_champions_play_as_they_say_or_are_refused(tmp_path):
    assert fuzz(LEAN, 1, tmp_path)["inputs"] == LEAN


@pytest.mark.thorough
def test_many_spoilt_champions_play_as_they_say_or_are_refused(tmp_path):
    write_down("champions", fuzz(THOROUGH, 2, tmp_path))
