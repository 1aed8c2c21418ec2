"""A run never waits for W&B: what fails is said once, and the run goes on."""

import time

import pytest

from neuroevo.runtime import tracking
from neuroevo.runtime.settings import TrackerConfig


class Failing:
    def __init__(self, error=None, seconds=0.0):
        self.error, self.seconds, self.calls = error, seconds, 0

    def log(self, metrics):
        self.calls += 1
        if self.error:
            raise self.error

    picture = page = log

    def finish(self, summary, exit_code=0):
        time.sleep(self.seconds)


def test_a_failure_is_named_once_and_never_ends_the_run(capsys):
    tracker = tracking.Patient(Failing(OSError(28, "No space left on device")))
    for _ in range(3):
        tracker.log({"generation": 1})
    tracker.finish({})
    assert capsys.readouterr().err == "W&B is left out from here on: [Errno 28] No space left on device\n"


def test_the_end_of_a_run_does_not_wait(capsys, monkeypatch):
    monkeypatch.setattr(tracking, "END_SECONDS", 0.2)
    started = time.monotonic()
    tracking.Patient(Failing(seconds=30)).finish({})
    assert time.monotonic() - started < 5
    assert "has not answered for 0.2 s" in capsys.readouterr().err


@pytest.mark.parametrize("failing", [{"online"}, {"online", "offline"}])
def test_where_the_server_does_not_answer_the_run_goes_on(tmp_path, capsys, monkeypatch, failing):
    class Tracker(Failing):
        def __init__(self, config, *_):
            super().__init__()
            if config.mode in failing:
                raise RuntimeError("API key must have 40 characters\nand more")
            self.mode = config.mode

    monkeypatch.setattr(tracking, "WandbTracker", Tracker)
    tracker = tracking.start(TrackerConfig("online"), tmp_path, "name", {})
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "W&B cannot be used online: API key must have 40 characters; the run goes on offline"
    assert isinstance(tracker, tracking.NoTracker if "offline" in failing else tracking.Patient)


@pytest.mark.parametrize("junk", ["", "not an id", "\0", "ABCDEF12"])
def test_a_junk_id_is_replaced(tmp_path, junk):
    path = tmp_path / "wandb_id.txt"
    path.write_text(junk)
    new = tracking._identifier(path)
    assert len(new) == 8
    assert tracking._identifier(path) == path.read_text() == new
