"""SIGTERM, SIGHUP and Ctrl-C end a run between two steps: it saves first, then exits with 143, 129 or 130.

While JAX compiles, Python runs no signal handler. So a thread reads the signals, too: it says at once that the run is
about to stop, and a second signal ends the process wherever it is.
"""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


class Interrupts:
    """A signal handler that remembers the first signal in `signal`. A second one ends the program at once."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._at_once = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        at_once = self._at_once or self.signal is not None
        self.signal = number
        if at_once:
            raise SystemExit(self.exit_code)

    def obey_at_once(self) -> None:
        """From now on a signal ends the program at once. If one came before, it ends here."""
        self._at_once = True
        if self.signal is not None:
            raise SystemExit(self.exit_code)

    @property
    def exit_code(self) -> int:
        """The exit code for the remembered signal, by the shells' convention 128 + signal."""
        return 128 + (self.signal or 0)


@contextmanager
def deferred_interrupts() -> Iterator[Interrupts]:
    """Within the block signals are remembered. Outside the main thread, where Python delivers none, nothing changes."""
    interrupts = Interrupts()
    try:
        before = {number: signal.signal(number, interrupts) for number in SIGNALS}
    except ValueError:  # not the main thread: a launcher runs us in a worker
        yield interrupts
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    Thread(target=_watch, args=(reader,), daemon=True).start()
    try:
        yield interrupts
    finally:
        signal.set_wakeup_fd(wakeup)
        writer.close()  # which ends the thread
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(reader: socket.socket) -> None:
    """Reads the numbers of signals until the other end is closed."""
    count = 0
    with reader:
        while numbers := reader.recv(16):
            for number in numbers:
                count += number in SIGNALS
                if count == 1:
                    with suppress(OSError, ValueError):  # the terminal may be closed
                        print("stopping: the run saves first; once more to leave at once", file=sys.stderr, flush=True)
                elif count > 1:
                    os._exit(128 + number)
