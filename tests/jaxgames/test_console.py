"""How commands print and how they end, in processes of their own that import nothing else."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT

from jaxgames import console

BEGIN = f"import sys, time; sys.path.insert(0, {str(ROOT / 'jaxgames')!r}); import console\n"
TEXT = "Gomoku 9×9: 0.50 ± 0.03 … – ½ ≥ é \N{SNOWMAN}"
POOR = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "POSIX": {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}


def start(body, **environment):
    program = (
        BEGIN + "def main():\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "sys.exit(console.run(main))"
    )
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=pipe, stderr=pipe, stdin=pipe, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("name", POOR)
def test_what_an_encoding_lacks_is_written_otherwise(name):
    out, err = start(f"print({TEXT!a}); print({TEXT!a}, file=sys.stderr)", **POOR[name]).communicate(timeout=60)
    encoding = "latin-1" if name == "latin-1" else "ascii"
    text = out.decode(encoding).rstrip("\n")
    assert err.decode(encoding).rstrip("\n") == text
    if encoding == "ascii":
        assert text == "Gomoku 9x9: 0.50 +- 0.03 ... - 1/2 >= e \\u2603"
    else:
        assert text == "Gomoku 9×9: 0.50 ± 0.03 ... - ½ >= é \\u2603"


def test_utf_8_stays_as_it_is():
    out, _ = start(f"print({TEXT!a}, '\\udcff')", PYTHONIOENCODING="utf-8").communicate(timeout=60)
    assert out.decode().rstrip("\n") == f"{TEXT} \\udcff"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("waiting", ["time.sleep(60)", "sys.stdin.readline()"])
def test_a_signal_ends_a_command_quietly(name, waiting):
    process = start(f"print('ready', flush=True)\n{waiting}")
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(getattr(signal, name))
    assert process.wait(60) == 128 + getattr(signal, name)
    assert process.communicate() == (b"", b"")


def test_a_signal_that_was_ignored_stays_so():
    """As under nohup."""
    program = "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + BEGIN
    program += "def main():\n  print('ready', flush=True)\n  sys.stdin.readline()\nsys.exit(console.run(main))"
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    assert process.communicate(b"\n", timeout=60) == (b"", b"")
    assert process.returncode == 0


@pytest.mark.parametrize("body", ["while True: print('x' * 1000)", "time.sleep(0.3)\nprint('once')"])
def test_a_reader_that_leaves_ends_a_command_quietly(body):
    process = start(body)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141


def test_a_full_disk_is_said_in_one_line():
    with open("/dev/full", "wb") as full:
        program = BEGIN + "sys.exit(console.run(lambda: print('x')))"
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"[Errno 28] No space left on device\n")


@pytest.mark.parametrize(
    ("what", "line"),
    [
        (OSError(2, "No such file", "a\nb"), r"a\nb: No such file"),
        (OSError("only words"), "only words"),
        (ValueError(), "ValueError"),
        ("x" * 1000, "x" * 500 + "…"),
        ("\x1b[2J\r×\x00\udcff", r"\x1b[2J\r×\x00\udcff"),
    ],
)
def test_errors_are_one_line(what, line):
    assert console.one_line(what) == line


@pytest.mark.parametrize("text", ["-1", "4294967296", "1.0", "", "x", "9" * 5000, "\n"])
def test_seeds_have_32_bits(text):
    assert (console.seed("0"), console.seed("4294967295")) == (0, 2**32 - 1)
    with pytest.raises(Exception, match="must be a whole number from 0 to 4294967295"):
        console.seed(text)
