"""Numbers that no run can use are refused by key, before anything runs."""

import pytest
from hydra import compose, initialize_config_dir

from neuroevo.app import cli, config, registry
from neuroevo.runtime.settings import ConfigError

registry.store()


def built(*overrides):
    with initialize_config_dir(str(cli.conf_folder()), version_base="1.3"):
        return config.built(compose("config", overrides=list(overrides)))


NOT_FINITE = [
    "strategy.sigma=nan", "strategy.sigma=inf", "strategy.initial_scale=nan", "task.speed_weight=inf",
    "task.temperature=nan", "strategy=esp strategy.initial_range=nan",
    "strategy=mirrored_es strategy.learning_rate=1e30",
]  # fmt: skip


@pytest.mark.parametrize("words", NOT_FINITE)
def test_a_hyperparameter_that_is_not_finite_is_refused_by_key(words):
    key = words.split()[-1].partition("=")[0]
    with pytest.raises(ConfigError, match=rf"^{key} must be (a finite number|at most 1,000,000,000.0), not"):
        built("+exp=mdrnn_atarigo", *words.split())


@pytest.mark.parametrize(
    ("experiment", "words", "message"),
    [
        ("mdrnn_atarigo", "devices=1000000000", "devices must be at most 1,024, not 1,000,000,000"),
        ("mdrnn_atarigo", "seed=-1", "seed must not be negative, not -1"),
        ("mdrnn_atarigo", "seed=99999999999", "seed must be at most 2,147,483,647, not 99,999,999,999"),
        ("mdrnn_atarigo", "replicas=1000000000", "replicas must be at most 100,000"),
        ("mdrnn_atarigo", "network.hidden=1000000000", "network.hidden must be at most 1,000,000"),
        ("mdrnn_atarigo", "network=stacked_mdrnn network.layers=1000000000", "network.layers must be at most 64"),
        ("mdrnn_atarigo", "strategy.mu=1000000000", "GiB of memory, most of it for games"),
        (
            "mdrnn_atarigo",
            "network=mlp network.hidden=1000000 strategy.mu=100000",
            "GiB of memory, most of it for genomes",
        ),
        (
            "mdrnn_atarigo",
            "generations=1000000000",
            "GiB of memory, most of it for history.*make generations, strategy",
        ),
        ("mdrnn_atarigo", "task.lanes=1000000000", "task.lanes must be at most 1,000,000"),
        ("mdrnn_atarigo", "task=objectives task.sizes=[[1]]", "task.sizes must be a list of whole numbers"),
        ("esp_pente_3p", "task.tests=[[1]]", "task.tests must be a list of names"),
        ("esp_pente_3p", "task.seats=[[1]]", "task.seats must be a list of whole numbers"),
        ("td_pente_single", "study.rates=[[1]]", "study.rates must be a list of numbers"),
        ("td_pente_single", "study.alpha=nan", "study.alpha must be a finite number"),
        ("td_pente_single", "study.perspective=wrong", "study: perspective must be one of"),
        ("td_pente_database", "study.ways=[[1]]", "study.ways must be a list of names"),
        ("coevo_backgammon_scaled", "study.cells=[[1]]", "study.cells must be a list of names"),
        ("coevo_backgammon_scaled", "study.test_games=0", "study: test_games, champion_games and at_once must be"),
        ("coevo_backgammon_scaled", "study.at_once=0", "study: test_games, champion_games and at_once must be"),
        ("coevo_backgammon", "study.test_games=0", "study: .*test_games and truth_games must be at least 1"),
        ("focus_othello", "study.opponents=[[1]]", "study.opponents must be a list of whole numbers"),
        ("fit_bill", "study.levels=[[1]]", "study.levels must be a list of whole numbers"),
        ("esp_pente_3p", "task.consolation=nan", "task.consolation must be a finite number"),
        (
            "mdrnn_atarigo",
            "game=backgammon task=versus_pubeval network=judge",
            "study: training needs task=versus_opponent, versus_others or objectives",
        ),
    ],
)
def test_what_no_run_can_use_is_refused_by_key(experiment, words, message):
    with pytest.raises(ConfigError, match=message):
        built(f"+exp={experiment}", *words.split())
