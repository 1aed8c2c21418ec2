"""A wrong config ends in one line that names the key and the nearest valid one, and writes nothing."""

import re
import sys
from itertools import pairwise

import pytest
from hydra import compose, initialize_config_dir

from neuroevo import __main__ as program
from neuroevo.app import cli, config
from neuroevo.app.registry import GROUPS, PARTS, SETTINGS, needs
from neuroevo.runtime.settings import SCALES, ConfigError

SIZES = {"networks", "mlps", "cycles", "presentations", "selfplay", "budget", "batches", "test_games", "retests"}
EXPERIMENTS = list(config.experiments(cli.conf_folder()))


def composed(*overrides):
    with initialize_config_dir(str(cli.conf_folder()), version_base="1.3"):
        return compose("config", overrides=list(overrides))


def built(*overrides):
    return config.built(composed(*overrides))


@pytest.fixture
def neuroevo(tmp_path, monkeypatch, capsys):
    """Runs the program with arguments in an empty folder: (exit code, stdout, stderr, files written)."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("WANDB_API_KEY", raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr(sys, "argv", ["neuroevo", *arguments])
        try:
            program.main()
            code = 0
        except SystemExit as exit:
            code = exit.code
        output = capsys.readouterr()
        return code, output.out, output.err, list(tmp_path.rglob("*"))

    return run


WRONG = {
    "replcas=3": "no key replcas; the nearest valid one is replicas",
    "+replcas=3": "no key replcas; the nearest valid one is replicas",
    "strategy.sgma=0.2": "no key strategy.sgma; the nearest valid one is strategy.sigma",
    "+strategy.sgma=0.2": "no key strategy.sgma; the nearest valid one is strategy.sigma",
    "+game.sizes=7": "no key game.sizes; the nearest valid one is game.size",
    "replicas=many": "replicas: Value 'many' of type 'str' could not be converted to Integer",
    "strategy.sigma=wide": "strategy.sigma: Value 'wide' of type 'str' could not be converted to Float",
    "replicas=0": "replicas must be at least 1, not 0",
    "scale=huge": "scale must be one of smoke, cpu, paper, not 'huge'",
    "game.size=55": "game: an Atari-Go board has size 3 to 19, not 55",
    "task.opponent=naiv": "task.opponent must be one of naive, random, heuristic, search-1, ",
    "task.starts=me": "task: starts must be alternating or opponent, not 'me'",
    "network=mlpp": "there is no network 'mlpp'; the valid ones are mdrnn, mdlstm, stacked_mdrnn, mlp",
    "game=go": "there is no game 'go'; the valid ones are atari_go, gomoku, pente, othello, backgammon, "
    "backgammon_alternating, atari_go_5x5, gomoku_5x5, pente_7x7, pente_7x7_3_seats",
    "hydra/launcher=jobli": "Could not find 'hydra/launcher/jobli'",
    "task.games=0": "games and lanes must be at least 1",
    "task.temperature=-1": "temperature at least 0",
    "sample_games=-1": "sample_games must not be negative",
    "devices=0": "devices must be at least 1",
    "strategy=null": "Config group override must be a string",
    "strategy.sigma=-0.1": "sigma and initial_scale must not be negative",
    "strategy=marker_ga": "strategy: MarkerGA evolves genes of type int8, and MDRNN",
    "network.hidden=0": "hidden must be at least 1",
    "tracker.mode=online": "tracker.mode=online needs a W&B key",
    "network.border=none": "border must be one of recurrent, added",
    "tracker.mode=off": "tracker: mode must be offline, online or disabled",
    "resume=nowhere": "resume: there is no run folder nowhere",
    "seed": "missing EQUAL",
}


@pytest.mark.parametrize("override", WRONG)
def test_a_wrong_override_is_named_in_one_line(neuroevo, override):
    code, out, err, written = neuroevo("+exp=mdrnn_atarigo", override)
    assert code == 1
    assert WRONG[override] in err
    assert len((out + err).strip().splitlines()) == 1
    assert written == []


def test_a_wrong_algorithm_of_evosax_is_named_in_one_line(neuroevo):
    code, out, err, written = neuroevo("+exp=mdrnn_atarigo", "strategy=evosax", "strategy.name=CMAES")
    assert (code, out, written) == (1, "", [])
    assert err == "neuroevo: strategy: there is no evosax algorithm 'CMAES'; the nearest valid name is CMA_ES\n"


@pytest.mark.parametrize(
    "override", ["replcas=3,4", "+replcas=3,4", "+strategy.sgma=1,2", "replicas=3,many", "devices=1,2"]
)
def test_a_wrong_sweep_writes_nothing(neuroevo, override):
    code, _, err, written = neuroevo("-m", "+exp=mdrnn_atarigo", override)
    assert code == 1
    assert any(words in err for words in ("nearest valid one", "could not be converted", "devices cannot be swept"))
    assert written == []


def test_an_unknown_experiment_names_the_valid_ones(neuroevo):
    code, _, err, written = neuroevo("+exp=nonsense")
    assert code == 1
    assert all(name in err for name in EXPERIMENTS)
    assert written == []


def test_no_experiment_is_an_error_but_no_argument_lists_them(neuroevo):
    code, _, err, written = neuroevo("seed=3")
    assert (code, written) == (1, [])
    assert "+exp=NAME" in err
    code, out, _, written = neuroevo()
    assert (code, written) == (0, [])
    assert all(f"+exp={name}" in out for name in EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_composes_at_every_scale(name):
    runs = [built(f"+exp={name}", f"scale={scale}").run for scale in SCALES]
    sizes = [
        [getattr(run, key) for key in SETTINGS if getattr(run, key) is not None]
        + [value for key, value in run.study.items() if key in SIZES]
        for run in runs
    ]
    assert all(small <= large for one, other in pairwise(sizes) for small, large in zip(one, other, strict=True))
    assert sizes[0] != sizes[-1]
    assert all(run.experiment == name and run.title and run.paper for run in runs)
    assert built(f"+exp={name}").run.scale == "paper"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_config_shows_what_its_study_uses_and_nothing_else(name):
    run = built(f"+exp={name}", "scale=smoke").run
    used = needs(GROUPS["study"][run.study["kind"]])
    groups = {group for groups in PARTS.values() for group in groups}
    shown = {key for key in run.shown() if key in groups | set(SETTINGS)}
    assert shown == {*used, "seed"}


def test_what_a_study_does_not_use_is_refused():
    with pytest.raises(ConfigError, match="study=fit_bill does not use generations: leave it out"):
        built("+exp=fit_bill", "generations=5")
    with pytest.raises(ConfigError, match="study=fit_bill does not use network: leave it out"):
        built("+exp=fit_bill", "+network=mlp")
    with pytest.raises(ConfigError, match="study=training needs a game: add game=NAME, one of atari_go, gomoku"):
        built("experiment=mine", "+study=training")


def test_a_config_is_built_once(monkeypatch):
    composed_config = composed("+exp=mdrnn_atarigo", "seed=123")
    assert config.built(composed_config) is config.built(composed("+exp=mdrnn_atarigo", "seed=123"))


def test_the_papers_settings_are_the_default():
    found = built("+exp=mdrnn_atarigo")
    run, evolution = found.run, found.study.evolution
    assert (evolution.strategy.mu, evolution.strategy.lambda_, evolution.strategy.sigma) == (10, 10, 0.1)
    assert (evolution.task.games, evolution.task.speed_weight, evolution.task.genes) == (100, 0.2, 140)
    assert (run.replicas, run.generations * evolution.strategy.population) == (10, 1000)


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize(
    ("game", "network"),  # neither knows the other
    [("atari_go", "mdrnn"), ("atari_go_5x5", "mdlstm"), ("gomoku", "stacked_mdrnn"), ("gomoku_5x5", "mlp")],
)
def test_every_game_and_network_fits_every_experiment_or_is_refused_in_one_line(neuroevo, name, game, network):
    composed_alone = built(f"+exp={name}").run
    asked = {"game": game, "network": network}
    unused = [group for group in asked if getattr(composed_alone, group) is None]
    fits = name.startswith("mdrnn") and not ("scaling" in name and network != "mdrnn")
    if not unused and fits and not ("transfer" in name and network == "mlp"):
        found = built(f"+exp={name}", f"game={game}", f"network={network}")
        task = found.study.evolution.task if hasattr(found.study, "evolution") else found.study.task
        assert task.game.title.startswith("Gomoku" if "gomoku" in game else "Atari-Go")
        assert found.run.game["kind"] in GROUPS["game"]
        return
    code, out, err, written = neuroevo(f"+exp={name}", f"game={game}", f"network={network}")
    assert (code, out, written) == (1, "", [])
    assert re.search(
        r"does not use (game|network): leave|does not have|(scaling|transfer) needs|"
        r"needs? (game|network|strategy|a board)|needs a network with the same weights|"
        r"no key network\.\w+|games must be a multiple|plays Gomoku and Pente",
        err,
    ), err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "chosen",
    [
        ["network=seeing_captures", "task=gauntlet_from_seat_2"],
        ["network=two_inputs", "strategy=esp_without_bursts"],
        ["network=watch", "game.size=9"],
        ["game=gomoku_7x7_3_seats"],
    ],
)
def test_the_next_steps_of_the_pente_paper_are_choices(chosen):
    evolution = built("+exp=esp_pente_3p", *chosen).study.evolution
    games = {"task": 100, "gomoku": 180}  # from one seat, without a capturer; else ten pairs from three seats
    assert evolution.task.games == next((games[word] for word in games if word in str(chosen)), 300)
    assert evolution.task.game.num_seats == 3


def test_an_override_wins_over_the_scale():
    assert built("+exp=mdrnn_gomoku", "scale=smoke", "replicas=5").run.replicas == 5


@pytest.mark.parametrize("group", ["game", "network", "strategy", "data", "tracker"])
def test_a_group_has_the_fields_and_defaults_of_what_it_builds(group):
    for name, kind in GROUPS[group].items():
        assert config.make(group, {"kind": name}) == kind()


def test_backgammon_has_tasks_of_its_own():
    with pytest.raises(ConfigError, match="task: Backgammon is not played by numbered actions"):
        built("+exp=mdrnn_atarigo", "game=backgammon")


@pytest.mark.parametrize(("merge", "generations"), [("random", 20_000), ("half", 10_000)])
def test_both_runs_of_the_backgammon_paper(merge, generations):
    found = built("+exp=coevo_backgammon", f"merge={merge}")
    run, evolution = found.run, found.study.evolution
    assert (run.generations, evolution.strategy.merging, evolution.strategy.population) == (generations, merge, 10)
    assert (evolution.games_per_generation, evolution.task.genes) == (180, 2761)
    assert (run.study["snapshot_every"], run.study["test_every"], run.study["test_games"]) == (10, 100, 50)
