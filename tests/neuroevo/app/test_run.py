"""Whole runs at scale=smoke, as a user starts them: on a machine without key, network and terminal."""

import html
import json
import os
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import jax
import numpy as np
import pytest
from conftest import ROOT

from jaxgames import play_games
from jaxgames.games.othello import bill
from jaxgames.players import Naive
from neuroevo.app import champions, cli, config, sweeps

LONGER = {"esp_pente_3p_next"}  # the program of another experiment, esp_pente_3p, for longer or shorter
BACKGAMMON = [  # take long to compile
    "coevo_backgammon",
    "coevo_backgammon_scaled",
    "es_backgammon",
    "td_backgammon",
]
OTHELLO = ["focus_othello", "fit_bill"]
SAME = {  # studies of others with other values, which the thorough tests run, too; .ci/run runs mdrnn_gomoku
    "esp_pente_3p",
    "esp_pente_attention",
    "mdrnn_gomoku",
    "mdrnn_hill_climbing",
    "mdrnn_scaling_published",
    "td_pente_both",
    "td_pente_database",
}
APART = {*LONGER, *BACKGAMMON, *OTHELLO}
EXPERIMENTS = [name for name in config.experiments(cli.conf_folder()) if name not in APART]
PARAMETERS = [pytest.param(name, marks=pytest.mark.thorough if name in SAME else ()) for name in EXPERIMENTS]
RESULT_KEYS = {
    "experiment", "paper", "commit", "version", "device", "jax", "seeds", "size", "games", "seconds", "compile_seconds",
    "games_per_second", "claims", "tables",
}  # fmt: skip
CLAIM_KEYS = {"id", "what", "published", "rule", "ours", "interval", "n", "holds"}
TRAINING = {"mdrnn_atarigo": 2400, "mdrnn_gomoku": 2400, "mdrnn_hill_climbing": 240}  # games
WITHOUT_GAMES = [name for name in EXPERIMENTS if {"scaling", "transfer", "single"} & {*name.split("_")}]
FIGURES = {"mdrnn_coevolution": 2, "mdrnn_scaling": 3, "mdrnn_scaling_published": 2}  # by default one
FIGURES |= dict.fromkeys([name for name in EXPERIMENTS if name.startswith(("esp_pente", "td_pente"))], 2)
FIGURES["td_pente_database"] = 1
BOARDS = {"esp_pente_attention": 3, **dict.fromkeys(["td_pente_database", "td_pente_selfplay", "td_pente_both"], 2)}
BOARDS |= dict.fromkeys(WITHOUT_GAMES, 0)  # by default six; here one for every seat
GENERATIONS = 24
LONG = "+exp=mdrnn_atarigo", "scale=smoke", f"generations={GENERATIONS}", "checkpoint_every=2"


def environment(home):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WANDB")}
    cache = {"JAX_COMPILATION_CACHE_DIR": str(ROOT / ".jax_cache"), "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.3"}
    return {**kept, **cache, "HOME": str(home), "PYTHONPATH": str(ROOT)}


def start(folder, *arguments):
    home = folder / "home"
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "neuroevo", *arguments]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(command, cwd=folder, env=environment(home), text=True, **pipes)


def finish(process, code=0):
    output, _ = process.communicate(timeout=300)
    assert process.returncode == code, output
    return output


def only_run(folder, experiment="mdrnn_atarigo"):
    (run,) = (folder / "outputs" / experiment).iterdir()
    return run


def wait_for_checkpoint(process, folder, generation):
    """Waits until a complete checkpoint of at least this generation lies in the run's folder."""
    for _ in range(1200):
        saved = [int(path.name) for path in folder.glob("outputs/*/*/checkpoints/*/*") if path.name.isdigit()]
        if saved and max(saved) >= generation:
            return max(saved)
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.1)
    raise AssertionError("no checkpoint came")


@pytest.fixture(scope="module")
def runs(tmp_path_factory, request):
    """Every experiment that a test asks for, at scale=smoke, two at a time: name → run folder."""
    ours = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    asked = {item.callspec.params.get("name") for item in ours}
    names = [name for name in EXPERIMENTS if name in asked | {"mdrnn_atarigo"}]
    folder = tmp_path_factory.mktemp("runs")
    for pair in (names[i : i + 2] for i in range(0, len(names), 2)):
        for process in [start(folder, f"+exp={name}", "scale=smoke") for name in pair]:
            finish(process)
    return {name: only_run(folder, name) for name in names}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """A long run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("unbroken")
    finish(start(folder, *LONG))
    return only_run(folder)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_run_leaves_the_promised_folder(runs, name):
    run = runs[name]
    results = json.loads((run / "results.json").read_text())
    assert results.keys() >= RESULT_KEYS
    assert results["experiment"] == name
    assert results["claims"]
    assert all(claim.keys() == CLAIM_KEYS for claim in results["claims"])
    assert results["games"] > 0
    promised = ["figures/*.png", "report.html", "checkpoints/*/*", "wandb/offline-run-*/*.wandb", ".hydra/config.yaml",
                "history.npz"]  # fmt: skip
    if name in TRAINING:
        assert results["games"] == TRAINING[name]
    if name not in WITHOUT_GAMES:
        promised += ["games/*.txt", "games/*.svg", "champion/*"]
    if name not in TRAINING:
        promised.append("tables/*.csv")
    for pattern in promised:
        assert list(run.glob(pattern)), pattern
    assert not [path for path in run.rglob(".*") if path.name.count(".") > 2]  # temporaries of files.write


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("src", "href") and value]


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_report_is_one_page_with_claims_figures_and_boards(runs, name):
    text = (runs[name] / "report.html").read_text()
    page, text = Page(text), html.unescape(text)
    assert page.tags.count("img") == FIGURES.get(name, 1)
    assert page.tags.count("svg") == BOARDS.get(name, 6)
    assert all(link.startswith(("data:", "#")) for link in page.links)  # nothing is fetched
    claims = json.loads((runs[name] / "results.json").read_text())["claims"]
    assert all(claim["rule"] in text and str(claim["ours"]) in text for claim in claims)


def test_wandb_reads_the_run_back(runs):
    (log,) = (runs["mdrnn_atarigo"] / "wandb").glob("offline-run-*")
    wandb = Path(sys.executable).with_name("wandb")
    command = [wandb, "leet", "inspect", "--json", log]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    records = [json.loads(line) for line in output.splitlines()]
    text = json.dumps([record for record in records if record["type"] in ("history", "summary")])
    for logged in ("fitness/best", "fitness/average", "games_per_second", "generation", "figure_6", "champion_games"):
        assert logged in text
    assert sum(record["type"] == "history" for record in records) >= 3


def test_a_champion_plays_again_from_its_folder(runs):
    run = runs["mdrnn_atarigo"]
    player = champions.load(run)
    batch = jax.tree.map(lambda genome: genome[None], player)
    from jaxgames import Schedule

    streams = jax.numpy.arange(1, dtype=jax.numpy.uint32)
    results = play_games(player.game, (batch, Naive(player.game)), streams, Schedule(games=200, lanes=50))
    claims = {claim["id"]: claim for claim in json.loads((run / "results.json").read_text())["claims"]}
    assert abs((results.winner == 0).mean() - claims["wins_most"]["ours"]) < 0.25


def test_kept_games_are_legal_and_their_results_true(runs):
    from oracles.atari_go import AtariGo as Oracle

    game = config.make("game", {"kind": "atari_go", "size": 5})
    text = (runs["mdrnn_atarigo"] / "games" / "champion.txt").read_text()
    lines = [line for line in text.splitlines() if line.startswith("1.")]
    assert len(lines) == 6
    for line in lines:
        oracle, words = Oracle(5), line.split()
        names = [word for word in words if word[0].isalpha() and word[1:].isdigit()]
        for name in names:
            oracle.play(game.parse_action(name))
        assert oracle.over
        assert f"seat {oracle.winner} wins" in line


def test_kill_nine_and_resume_gives_the_unbroken_numbers(tmp_path, unbroken):
    process = start(tmp_path, *LONG)
    saved = wait_for_checkpoint(process, tmp_path, 4)
    process.kill()
    process.communicate()
    run = only_run(tmp_path)
    assert saved < GENERATIONS
    assert not (run / "results.json").exists()
    finish(start(tmp_path, *LONG, f"resume={run}"))
    assert only_run(tmp_path) == run
    with np.load(run / "history.npz") as ours, np.load(unbroken / "history.npz") as theirs:
        assert set(ours.files) == set(theirs.files)
        for name in ours.files:
            np.testing.assert_array_equal(ours[name], theirs[name])
    claims = [json.loads((folder / "results.json").read_text())["claims"] for folder in (run, unbroken)]
    assert claims[0] == claims[1]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_saves_and_leaves_its_exit_code(tmp_path, number, code):
    process = start(tmp_path, *LONG[:2], "generations=20000", "checkpoint_every=7")
    wait_for_checkpoint(process, tmp_path, 7)
    process.send_signal(number)
    lines = finish(process, code).splitlines()
    assert "stopping: the run saves first; once more to leave at once" in lines
    assert lines[-1].startswith("  python -m neuroevo +exp=mdrnn_atarigo scale=smoke generations=20000")
    assert lines[-1].endswith(f"resume={only_run(tmp_path)}")
    last = max(int(path.name) for path in only_run(tmp_path).glob("checkpoints/*/*") if path.name.isdigit())
    assert 7 <= last < 20000
    assert not (only_run(tmp_path) / "results.json").exists()


@pytest.mark.parametrize("seconds", [1.5, 2.5])
def test_a_signal_during_the_start_leaves_no_traceback(tmp_path, seconds):
    process = start(tmp_path, *LONG)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    assert "Traceback" not in output


def test_another_run_cannot_resume_from_a_folder(tmp_path, runs):
    run = runs["mdrnn_atarigo"]
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    output = finish(start(tmp_path, "+exp=mdrnn_atarigo", "scale=smoke", "seed=9", f"resume={run}"), 1)
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before
    assert "resume: seed was 0" in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize("launcher", [pytest.param("basic", marks=pytest.mark.thorough), "joblib"])
def test_a_sweep_ends_with_one_table(tmp_path, launcher):
    sweep = ["-m", "+exp=mdrnn_atarigo", "scale=smoke", "seed=1,2", f"hydra/launcher={launcher}"]
    extra = ["hydra.launcher.n_jobs=2"] if launcher == "joblib" else []
    output = finish(start(tmp_path, *sweep, *extra))
    (folder,) = (tmp_path / "outputs" / "mdrnn_atarigo").iterdir()
    table = (folder / "sweep.txt").read_text()
    assert "seed=1" in table
    assert "seed=2" in table
    assert "games/s" in output
    groups = {json.loads((folder / run / "config.json").read_text())["tracker"]["group"] for run in "01"}
    assert groups == {folder.name}
    assert sweeps.sweep_table(folder).row_count == 2


def complete_run(folder, name):
    """The folder of an experiment at scale=smoke, which has what every run leaves."""
    finish(start(folder, f"+exp={name}", "scale=smoke"))
    run = only_run(folder, name)
    results = json.loads((run / "results.json").read_text())
    assert results["claims"]
    assert all(claim.keys() == CLAIM_KEYS for claim in results["claims"])
    for pattern in ("figures/*.png", "tables/*.csv", "history.npz", "checkpoints/*/*"):
        assert list(run.glob(pattern)), pattern
    return run


@pytest.mark.thorough
@pytest.mark.parametrize("name", BACKGAMMON)
def test_a_run_of_backgammon_leaves_a_champion_that_plays(tmp_path, name):
    run = complete_run(tmp_path, name)
    assert list(run.glob("champion/*"))
    assert isinstance(champions.load_backgammon(run).judge.weights, dict)
    if name == "coevo_backgammon":
        assert len(list(run.glob("snapshots/*.npz"))) == 4


@pytest.mark.parametrize("name", [pytest.param("focus_othello", marks=pytest.mark.thorough), "fit_bill"])
def test_a_run_of_othello_leaves_its_findings(tmp_path, name):
    run = complete_run(tmp_path, name)
    if name == "fit_bill":
        assert bill.polynomials(str(run / "bill.json")).shape == bill.polynomials(str(bill.FILE)).shape
    else:
        assert champions.load(run).move_filter is not None
