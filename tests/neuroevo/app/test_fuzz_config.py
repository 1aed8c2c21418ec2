"""Thousands of wrong and right config values: each builds a run or is refused in one line, quickly."""

import random
import time

import pytest
from conftest import ROOT
from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException
from replay import write_between

from neuroevo.app import cli, config, registry
from neuroevo.app.registry import GROUPS, PRESETS, fields_of
from neuroevo.runtime.settings import ConfigError

CONF = cli.conf_folder()
EXPERIMENTS = list(config.experiments(CONF))
VALUES = [
    "nan", "inf", "-inf", "0", "-1", "1", "2", "3", "7", "1e23", "1e30", "-1e30", "1000000000", "99999999999", "0.5",
    "1e-300", "true", "false", "null", "''", "[]", "[1]", "[[1]]", "[a]", "[nan]", "{a:1}", "a", "ä", "wrong", "sgd",
    "'a b'", "[1,2,3]", "[-1]", "random", "better",
]  # fmt: skip
SLOWEST = 20.0  # seconds for one check
MARK = "<!-- begin of fuzzed configs, by `python -m pytest -m thorough` -->"


def keys(draw, run_groups):
    """A key that exists, at the top or in a group that the experiment uses."""
    if draw.random() < 0.25:
        return draw.choice(
            ["seed", "replicas", "generations", "retest_games", "sample_games", "checkpoint_every", "devices"]
        )
    group = draw.choice(run_groups)
    name = draw.choice(list(GROUPS[group]))
    fields = [field for field, *_ in fields_of(name, GROUPS[group][name])]
    return f"{group}.{draw.choice(fields)}" if fields else "seed"


def words(draw, experiment, run_groups):
    found = [f"+exp={experiment}", f"scale={draw.choice(['smoke', 'smoke', 'cpu', 'paper'])}"]
    if draw.random() < 0.3:
        group = draw.choice(run_groups)
        found.append(f"{group}={draw.choice([*GROUPS[group], *PRESETS.get(group, {})])}")
    return found + [f"{keys(draw, run_groups)}={draw.choice(VALUES)}" for _ in range(draw.choice([1, 1, 2, 3]))]


def outcome(asked):
    """How a config fares: built, refused by us or refused by Hydra, in one line. Raises whatever else happens."""
    started = time.monotonic()
    try:
        config.built(compose("config", overrides=asked))
        line, result = "", "built"
    except ConfigError as error:
        line, result = str(error), "refused"
    except (HydraException, OmegaConfBaseException) as error:
        line, result = cli.explain(error, CONF), "refused while composed"
    except ValueError as error:  # Hydra's own words for a group that is no string
        line, result = str(error), "refused while composed"
        if "Config group override" not in line:
            raise
    assert "\n" not in line
    assert time.monotonic() - started < SLOWEST
    return result


def fuzz(number, seed):
    registry.store()
    draw, counts = random.Random(seed), {}
    with initialize_config_dir(str(CONF), version_base="1.3"):
        groups = {}
        for name in EXPERIMENTS:
            run = config.built(compose("config", overrides=[f"+exp={name}", "scale=smoke"])).run
            groups[name] = [group for group in GROUPS if getattr(run, group) is not None]
        for _ in range(number):
            experiment = draw.choice(EXPERIMENTS)
            asked = words(draw, experiment, groups[experiment])
            try:
                result = outcome(asked)
            except Exception as error:
                raise AssertionError(f"python -m neuroevo {' '.join(asked)}") from error
            counts[result] = counts.get(result, 0) + 1
    return counts


def test_a_few_random_configs_are_built_or_refused():
    assert sum(fuzz(60, seed=1).values()) == 60


@pytest.mark.thorough
def test_ten_thousand_random_configs_are_built_or_refused():
    counts = fuzz(10_000, seed=0)
    assert sum(counts.values()) == 10_000
    text = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))
    write_between(ROOT / "docs" / "verification.md", MARK, f"10,000 random configs: {text}; no traceback, no hang.\n")
