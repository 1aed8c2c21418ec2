"""What every command shares: text that suits any terminal, numbers within their limits, and a quiet end."""

import argparse
import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

ERRORS = "jaxgames.ascii"  # the name of our way to write what an encoding lacks
ASCII = {
    "×": "x", "±": "+-", "…": "...", "–": "-", "—": "-", "−": "-", "·": ".", "→": "->", "←": "<-", "≥": ">=",
    "≤": "<=", "≈": "~", "≠": "!=", "½": "1/2", "²": "^2", "³": "^3", "√": "sqrt", "σ": "sigma", "λ": "lambda",
    "α": "alpha", "’": "'", "‘": "'", "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " ", "é": "e", "à": "a", "ä": "a",
    "ö": "o", "ü": "u", "š": "s", "ž": "z", "č": "c",
}  # fmt: skip
LONGEST = 500  # characters of a message
QUIT = 128 + 13  # the exit code of a program whose output nobody reads any more (SIGPIPE), as shells have it
ENDING = "SIGTERM", "SIGHUP", "SIGINT"


def set_up() -> None:
    """Makes stdout and stderr write `ASCII`'s words for characters that their encoding lacks, instead of failing."""
    codecs.register_error(ERRORS, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)


def to_ascii(text: str) -> str:
    """The text as `set_up` has it written where there is nothing but ASCII."""
    return "".join(c if c.isascii() else ASCII.get(c) or _escaped(c) for c in text)


def one_line(what: object) -> str:
    """An error or a text as a line to print: control characters are written as \\x1b, and what is too long is cut."""
    if isinstance(what, OSError) and what.filename is not None and what.strerror:
        what = f"{os.fsdecode(what.filename) if isinstance(what.filename, bytes) else what.filename}: {what.strerror}"
    text = str(what) or type(what).__name__
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return "".join(c if c.isprintable() else _escaped(c) for c in cut)


def say(what: object) -> None:
    """Prints an error or a text on stderr, in one line."""
    print(one_line(what), file=sys.stderr, flush=True)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument, for argparse: a whole number from `least` to `most`."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, not {one_line(text)!r}")
        return value

    return number


seed = whole_number(0, 2**32 - 1)


def run(main: Callable[[], int | None]) -> int:
    """The exit code of a command: that of `main`, or 1 after an error of the system, which is said in one line.

    SIGTERM, SIGHUP and Ctrl-C end it with 143, 129 and 130, unless they were ignored before, and a reader of our output
    that leaves ends it with 141.
    """
    set_up()
    for name in ENDING:
        number = getattr(signal, name, None)  # not every system has all
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        try:
            return main() or 0
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ESHUTDOWN):
            say(error)
        _leave_output()
        return QUIT if error.errno in (errno.EPIPE, errno.ESHUTDOWN) else 1


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _leave_output() -> None:
    """What is still to be written goes nowhere: Python would complain of it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_ascii(error.object[error.start : error.end]), error.end


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
