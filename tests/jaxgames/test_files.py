"""Files that may be anything, and places where nothing can be written."""

import os

import pytest

from jaxgames import files


@pytest.fixture
def places(tmp_path):
    """What a path may lead to, by name."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    other = {"zero": "/dev/zero", "nul": f"{tmp_path}/a\0b", "long": f"{tmp_path}/{'x' * 300}", "empty": ""}
    inside = {
        name: str(tmp_path / name)
        for name in ("folder", "loop", "pipe", "file", "link", "missing", "missing/in", "file/in")
    }
    return inside | other


@pytest.mark.parametrize("name", ["folder", "loop", "pipe", "missing", "file/in", "zero", "nul", "long", "empty"])
def test_what_is_no_file_is_refused_at_once_and_named(places, name):
    with pytest.raises(OSError) as caught:  # noqa: PT011  # of any kind
        files.read(places[name])
    assert caught.value.filename == places[name]
    assert caught.value.strerror


def test_files_are_read_up_to_their_limit(places):
    assert files.read(places["link"], 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        files.read(places["file"], 4)


@pytest.mark.parametrize("name", ["folder", "pipe", "file/in", "zero", "nul", "long", "empty"])
def test_what_cannot_be_written_is_known_before(places, name):
    with pytest.raises(OSError):  # noqa: PT011
        files.check_writable(places[name])


@pytest.mark.parametrize("name", ["file", "link", "missing", "missing/in"])
def test_what_can_be_written_is_left_as_it_is(places, name):
    before = sorted(os.listdir(os.path.dirname(places["file"])))
    files.check_writable(places[name])
    assert sorted(os.listdir(os.path.dirname(places["file"]))) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is writable to root")
def test_a_folder_of_others_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        files.check_writable(tmp_path / "file")
