"""SIGTERM and Ctrl-C end a run between two generations: save first, then leave with 143 or 130."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = signal.SIGTERM, signal.SIGINT


class Interrupts:
    """Remembers a signal instead of obeying it at once; a second Ctrl-C is obeyed at once."""

    def __init__(self) -> None:
        self.signal: int | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            raise SystemExit(self.exit_code)
        self.signal = number

    @property
    def exit_code(self) -> int:
        return 128 + (self.signal or 0)


@contextmanager
def deferred_interrupts() -> Iterator[Interrupts]:
    """Within the block signals are remembered; only in the main thread, where Python delivers them."""
    interrupts = Interrupts()
    try:
        before = {number: signal.signal(number, interrupts) for number in SIGNALS}
    except ValueError:  # not the main thread: a launcher runs us in a worker
        before = {}
    try:
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
