"""Lines in, answers out, for several clients at once.

One thread waits for all of them and answers a line of each in turn, so that nobody waits for a client that is silent.
"""

import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """What a server allows."""

    clients: int = 64  # at once; one more is told so and sent away
    idle: float = 900.0  # seconds without a whole line, or with an answer that nobody takes
    line: int = 4096  # bytes of a line with its end


LIMITS = Limits()


@dataclass
class Client:
    """A connection, what came of it and what is still to be sent."""

    connection: socket.socket
    respond: Callable[[str], str]
    limits: Limits
    inbox: bytes = b""
    outbox: bytes = b""
    closing: bool = False  # once the outbox is empty
    active: float = field(default_factory=time.monotonic)  # when something was last done for it

    @property
    def has_line(self) -> bool:
        """Whether a line can be answered now."""
        return not self.outbox and not self.closing and (b"\n" in self.inbox or len(self.inbox) >= self.limits.line)

    def receive(self) -> None:
        """Takes what there is, but no second line before the first one is answered."""
        try:
            content = self.connection.recv(self.limits.line)
        except BlockingIOError:
            return
        except OSError:  # the other side is gone
            content = b""
        self.inbox += content
        self.closing = not content

    def answer(self) -> None:
        """Answers the first line."""
        line, end, rest = self.inbox.partition(b"\n")
        if not end or len(line) >= self.limits.line:
            self.dismiss(f"error: a line has at most {self.limits.line} bytes")
            return
        text = self.respond(line.decode("ascii", "replace").strip("\0\r\n "))
        self.inbox, self.outbox, self.active = rest, (text + "\n").encode(), time.monotonic()
        self.send()

    def dismiss(self, why: str) -> None:
        """Says why it is sent away."""
        self.inbox, self.outbox, self.closing = b"", self.outbox + (why + "\n").encode(), True
        self.send()

    def send(self) -> None:
        """Sends as much as the other side takes."""
        try:
            sent = self.connection.send(self.outbox)
        except BlockingIOError:
            return
        except OSError:  # the other side is gone
            sent, self.closing = len(self.outbox), True
        if sent:
            self.outbox, self.active = self.outbox[sent:], time.monotonic()


class LineServer:
    """Serves every client that comes to `listener`; `new_responder` gives each a function from lines to answers."""

    def __init__(self, listener: socket.socket, new_responder: Callable[[], Callable[[str], str]], limits: Limits):
        self.listener, self.new_responder, self.limits = listener, new_responder, limits
        self.clients: list[Client] = []

    def serve(self, connections: int | None = None) -> None:
        """Until so many connections were served, those that were refused not among them, or without end."""
        served = 0
        self.listener.setblocking(False)
        while connections is None or served < connections or self.clients:
            comes = self._wait(connections is None or served < connections)
            for client in list(self.clients):
                if client.has_line:
                    client.answer()
                elif time.monotonic() - client.active > self.limits.idle:
                    client.dismiss(f"error: there was no line for {self.limits.idle:g} seconds")
                    client.outbox = b""
                if client.closing and not client.outbox:
                    self.clients.remove(client)
                    _close(client.connection)
            if comes:  # now that those who have left are gone
                served += self._accept()

    def _wait(self, listens: bool) -> bool:
        """Waits until something can be done, and takes or sends what there is. Returns whether somebody comes."""
        with selectors.DefaultSelector() as selector:
            if listens:
                selector.register(self.listener, selectors.EVENT_READ)
            for client in self.clients:
                if not client.has_line:
                    wanted = selectors.EVENT_WRITE if client.outbox else selectors.EVENT_READ
                    selector.register(client.connection, wanted, client)
            comes = False
            for key, _ in selector.select(self._patience()):
                if key.data is None:
                    comes = True
                elif key.data.outbox:
                    key.data.send()
                else:
                    key.data.receive()
        return comes

    def _patience(self) -> float | None:
        """Seconds until somebody has been idle for too long; 0 if there is a line to answer."""
        if any(client.has_line for client in self.clients):
            return 0
        since = [client.active for client in self.clients]
        return max(0, min(since) + self.limits.idle - time.monotonic()) + 0.01 if since else None

    def _accept(self) -> bool:
        """Whether there is a client more."""
        try:
            connection, _ = self.listener.accept()
        except OSError:  # it has left, or the system has no more connections to give
            time.sleep(0.05)
            return False
        connection.setblocking(False)
        client = Client(connection, self.new_responder(), self.limits)
        if len(self.clients) < self.limits.clients:
            self.clients.append(client)
            return True
        client.dismiss(f"error: {self.limits.clients} clients are served already, and no more at once")
        _close(connection)
        return False


def _close(connection: socket.socket) -> None:
    """Ends a connection so that what was sent arrives: unread input would cut it off."""
    try:
        connection.shutdown(socket.SHUT_WR)
        connection.recv(2**16)
    except OSError:  # nothing there, or nobody
        pass
    connection.close()
