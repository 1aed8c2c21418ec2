"""Random streams: one for each purpose, no purpose twice in a study, the same on any number of devices."""

import ast

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import ROOT

from jaxgames import Othello
from jaxgames.randomness import mix, stream_from_key
from neuroevo.networks import Markers
from neuroevo.papers.focus_othello import agreement
from neuroevo.papers.focus_othello.fit_bill import FitBill
from neuroevo.runtime.streams import CONSECUTIVE, FRESH, NUMBERED, streams
from neuroevo.tasks import Focus

PAPERS = ROOT / "neuroevo" / "papers"
ASKING = {"streams", "_streams", "tested"}  # functions that take a purpose


def purposes(path):
    """The purposes that a module's calls name, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            texts += [ast.unparse(a) for a in node.args if isinstance(a, ast.JoinedStr) and "streams" in name]
            if name in ASKING and texts:
                yield texts[0]


def test_no_purpose_is_used_twice():
    found = [(purpose, path) for path in PAPERS.rglob("*.py") for purpose in purposes(path)]
    assert len(found) > 15
    by_study = {(path, purpose) for purpose, path in found}
    assert len(by_study) == len(found), sorted(map(str, found))


def test_every_named_purpose_is_used():
    used = {purpose for path in PAPERS.rglob("*.py") for purpose in purposes(path)}
    assert {*CONSECUTIVE, *NUMBERED} <= used


def test_streams_differ_by_seed_purpose_number_and_replica():
    keys = [(seed, purpose, number) for seed in (0, 1) for purpose in ("agreement", "ab", "ba") for number in (0, 1)]
    words = np.concatenate([np.asarray(streams(*key, 3)) for key in keys])
    assert words.dtype == np.uint32
    assert len(set(words.tolist())) == 3 * len(keys)


def test_kept_results_have_their_streams():
    """As they were derived before purposes had names."""
    fresh = stream_from_key(jax.random.fold_in(jax.random.key(5), FRESH))
    every = jnp.arange(4, dtype=jnp.uint32)
    np.testing.assert_array_equal(streams(5, "test", replicas=4), fresh + every)
    np.testing.assert_array_equal(streams(5, "scaling", 250), [fresh + jnp.uint32(250)])
    expected = mix(mix(mix(fresh + jnp.uint32(2)) + jnp.uint32(7)) + every)
    np.testing.assert_array_equal(streams(5, "retest against Pubeval", 7, 4), expected)


def test_what_a_champion_is_selected_on_is_not_what_it_is_compared_on():
    finals, compared = (np.asarray(streams(0, purpose, 0, 3)) for purpose in ("finals", "agreement"))
    assert not set(finals.tolist()) & set(compared.tolist())
    fitted, tested = streams(0, "games to fit", 0, 6), streams(0, "test of the fit")
    assert not set(fitted.tolist()) & set(tested.tolist())


@pytest.fixture
def on_one_device(monkeypatch):
    """Calls a function as if there were only one device."""

    def call(function, *arguments):
        with monkeypatch.context() as patch:
            device = jax.devices()[:1]
            patch.setattr(jax, "devices", lambda *_: device)
            patch.setattr(jax, "device_count", lambda *_: 1)
            jax.clear_caches()
            result = jax.device_get(function(*arguments))
        jax.clear_caches()
        return result

    return call


def test_games_to_fit_do_not_depend_on_devices(on_one_device):
    study = FitBill(Othello(), 3, levels=(1,), games=6, held_out=2, test_games=2)
    np.testing.assert_array_equal(on_one_device(study.play, 0), study.play(0))


def test_choices_of_a_search_do_not_depend_on_devices(on_one_device):
    task = Focus(Othello(), Markers(60), level=1)
    state = jax.tree.map(lambda x: jnp.broadcast_to(x, (3, 1, 5)), Othello().start())
    choose = (agreement._choices, task.searcher((), 1, max_level=1), state, jnp.uint32(9))
    for one, both in zip(on_one_device(*choose), choose[0](*choose[1:]), strict=True):
        np.testing.assert_array_equal(one, both)
