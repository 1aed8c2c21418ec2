"""SIGTERM and Ctrl-C end a run between two generations: save first, then leave with 143 or 130."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = signal.SIGTERM, signal.SIGINT


class Interrupts:
    """Remembers a signal instead of obeying it at once; a second one is obeyed at once."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._at_once = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        at_once = self._at_once or self.signal is not None
        self.signal = number
        if at_once:
            raise SystemExit(self.exit_code)

    def obey_at_once(self) -> None:
        """From now on a signal ends the run where it is; one that came before does so here."""
        self._at_once = True
        if self.signal is not None:
            raise SystemExit(self.exit_code)

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
