"""Text and results agree: no number in a table was typed."""

import json
import re

import pytest
from conftest import ROOT

from neuroevo.app import cli, config
from neuroevo.report import docs

PAGES = docs.pages(ROOT)


def test_every_table_says_what_the_results_say():
    assert docs.stale_pages(ROOT) == [], "run python -m neuroevo.report --docs"


def test_a_changed_number_is_noticed(tmp_path):
    (tmp_path / docs.RESULTS).mkdir(parents=True)
    kept = ROOT / docs.RESULTS / "mdrnn_atarigo.json"
    (tmp_path / docs.RESULTS / "mdrnn_atarigo.json").write_text(kept.read_text())
    page = tmp_path / "README.md"
    page.write_text("<!-- results claims mdrnn_atarigo -->\n<!-- end -->\n")
    page.write_text(docs.with_tables(page.read_text(), tmp_path))
    assert docs.stale_pages(tmp_path) == []
    shown = str(json.loads(kept.read_text())["claims"][0]["ours"])
    assert shown in page.read_text()
    page.write_text(page.read_text().replace(shown, "0.999"))
    assert docs.stale_pages(tmp_path) == [page]


@pytest.mark.parametrize("name", list(config.experiments(cli.conf_folder())))
def test_every_experiment_has_a_paper_scale_result_in_the_docs(name):
    results = json.loads((ROOT / docs.RESULTS / f"{name}.json").read_text())
    assert (results["experiment"], results["scale"]) == (name, "paper")
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert any(f"results {kind} {name}" in text for text in texts for kind in ("claims", "table"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_and_links_of_a_page_exist(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("block", ["<!-- results nonsense mdrnn_atarigo -->\n<!-- end -->"])
def test_an_unknown_kind_of_table_is_named(block):
    with pytest.raises(ValueError, match="unknown kind of table 'nonsense'"):
        docs.with_tables(block, ROOT)


def test_only_runs_at_paper_scale_are_kept(tmp_path):
    kept = {"scale": "paper", "experiment": "x", "overrides": ["+exp=x", "seed=3"], "commit": "0123"}
    wrong = {
        "only runs at scale=paper": {"scale": "smoke"},
        "changed strategy.sigma=0.2": {"overrides": ["+exp=x", "strategy.sigma=0.2"]},
        "uncommitted code": {"commit": "0123+"},
    }
    for message, change in wrong.items():
        (tmp_path / "results.json").write_text(json.dumps({**kept, **change}))
        with pytest.raises(ValueError, match=message):
            docs.keep(tmp_path, tmp_path)
    (tmp_path / "results.json").write_text(json.dumps(kept))
    docs.keep(tmp_path, tmp_path)
    assert (tmp_path / docs.RESULTS / "x.json").exists()


def test_a_kept_result_names_no_folder_of_a_machine(tmp_path):
    kept = {
        "scale": "paper",
        "experiment": "x",
        "overrides": ["+exp=x", "resume=/home/me/outputs/x/1"],
        "commit": "0123",
    }
    (tmp_path / "results.json").write_text(json.dumps(kept))
    docs.keep(tmp_path, tmp_path)
    assert json.loads((tmp_path / docs.RESULTS / "x.json").read_text())["overrides"] == ["+exp=x", "resume=1"]
    kept["overrides"] = ["+exp=x", "data.path=/home/me/records.tsv.gz"]
    (tmp_path / "results.json").write_text(json.dumps(kept))
    docs.keep(tmp_path, tmp_path)
    saved = json.loads((tmp_path / docs.RESULTS / "x_records.json").read_text())
    assert docs.command(saved) == "+exp=x data.path=records.tsv.gz"


def test_another_game_or_network_makes_a_result_of_its_own(tmp_path):
    overrides = ["+exp=x", "game=gomoku_5x5", "network=mdlstm", "seed=3"]
    kept = {"scale": "paper", "experiment": "x", "overrides": overrides, "commit": "0123"}
    (tmp_path / "results.json").write_text(json.dumps(kept))
    docs.keep(tmp_path, tmp_path)
    assert (tmp_path / docs.RESULTS / "x_gomoku_5x5_mdlstm.json").exists()
    assert docs.command(kept) == "+exp=x game=gomoku_5x5 network=mdlstm"


def test_a_table_of_a_study_is_written_and_a_missing_one_named(tmp_path):
    table = {"id": "table_2", "title": "t", "columns": ["game", "n"], "rows": [["Gomoku", "5"]]}
    (tmp_path / docs.RESULTS).mkdir(parents=True)
    (tmp_path / docs.RESULTS / "x.json").write_text(json.dumps({"experiment": "x", "tables": [table]}))
    block = "<!-- results table x.table_2 -->\n<!-- end -->"
    assert "| game | n |\n|---|---|\n| Gomoku | 5 |\n" in docs.with_tables(block, tmp_path)
    with pytest.raises(ValueError, match="x has no table 'table_9'"):
        docs.with_tables(block.replace("table_2", "table_9"), tmp_path)
