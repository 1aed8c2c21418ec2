"""Inputs spoilt at random, what every reader must bear, and what came of it."""

import time
from collections import Counter

from conftest import ROOT
from replay import source, write_between

BEGIN = "<!-- begin of fuzzed {}, by `python -m pytest -m thorough` -->"
SLOWEST = 20.0  # seconds for one input
LEAN, THOROUGH = 150, 10_000  # inputs of a test
ODD = [b"", b"\0", b"\n", b"\r\n", b"\t", b" ", b"\xff", b"\x1b[2J", b"-1", b"0", b"1", b"99999999999", b"9" * 5000,
       b"1e25", b"nan", b"NaN", b"null", b"[", b"]", b"{", b'"', b":", b"::", b"=", b"pass", b"\xc3\x97", b"\xd9\xa3",
       b"\xe2\x80\xa6", b"[" * 2000, b"None", b"true", b"?", b"1/2-1/2", b"0-1", b"K10", b"A1", b"bar", b"/",
       b"\\"]  # fmt: skip


def spoilt(draw, content, words=()):
    """`content` with one to three faults. `words`: what may stand in it besides ODD."""
    for _ in range(draw.choice([1, 1, 2, 3])):
        content = draw.choice(FAULTS)(draw, content, [*words, *words, *words, *ODD])
    return content


def _span(draw, content):
    start = draw.randrange(len(content) + 1)
    return start, min(len(content), start + draw.choice([0, 1, 1, 2, 5, 30]))


def _replaced(draw, content, words):
    start, stop = _span(draw, content)
    return content[:start] + draw.choice(words) + content[stop:]


def _byte(draw, content, words):
    start, _ = _span(draw, content)
    return content[:start] + bytes([draw.randrange(256)]) + content[start + 1 :]


def _cut(draw, content, words):
    start, stop = _span(draw, content)
    return content[:start] + content[stop:]


def _doubled(draw, content, words):
    start, stop = _span(draw, content)
    return content[:stop] + content[start:]


def _ended(draw, content, words):
    return content[: _span(draw, content)[0]]


def _token(draw, content, words):
    """Another word in place of one between spaces, tabs, line ends or colons."""
    for separator in draw.sample([b" ", b"\t", b"\n", b":"], 4):
        parts = content.split(separator)
        if len(parts) > 2:
            parts[draw.randrange(len(parts))] = draw.choice([draw.choice(parts), draw.choice(words)])
            return separator.join(parts)
    return content


FAULTS = [_replaced, _byte, _cut, _doubled, _ended, _token, _token, _token]


def one_line(error):
    """Fails unless the message is a short line."""
    assert str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 1200


class Clock:
    """Counts outcomes, and fails where one input takes too long."""

    def __init__(self):
        self.counts, self.slowest = Counter(), 0.0

    def run(self, function, *arguments):
        """What `function` returns, the outcome or the outcomes, counted."""
        started = time.monotonic()
        found = function(*arguments)
        self.slowest = max(self.slowest, time.monotonic() - started)
        assert self.slowest < SLOWEST, arguments
        self.counts.update([found] if isinstance(found, str) else found)
        self.counts["inputs"] += 1
        return found


def write_down(kind, counts):
    """What became of the inputs, in docs/verification.md."""
    rest = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()) if name != "inputs")
    text = f"{counts['inputs']:,} spoilt {kind}: {rest}; 0 tracebacks, 0 hangs, 0 silent wrong results."
    write_between(ROOT / "docs" / "verification.md", BEGIN.format(kind), f"{source()}: {text}\n")
