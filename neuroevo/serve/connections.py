"""A server that answers lines of text of several clients at the same time.

One thread waits for all clients and answers one line of each in turn, so that no client waits for a silent one.
"""

import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """The limits of a server, chosen by judgement."""

    clients: int = 64  # largest number of clients at the same time; further ones are refused
    idle: float = 900.0  # seconds after which a client that neither sends a line nor takes an answer is dismissed
    line: int = 4096  # largest number of bytes of a line with its end


LIMITS = Limits()


@dataclass
class Client:
    """A connection with its input and output.

    connection: a socket that does not block
    respond: from a line to its answer
    limits: of the server
    inbox: received bytes that are not answered yet
    outbox: bytes that are not sent yet
    """

    connection: socket.socket
    respond: Callable[[str], str]
    limits: Limits
    inbox: bytes = b""
    outbox: bytes = b""
    closing: bool = False  # whether the connection ends when the outbox is empty
    active: float = field(default_factory=time.monotonic)  # time of the last answer or of the last bytes sent

    @property
    def has_line(self) -> bool:
        """Whether a line can be answered now."""
        return not self.outbox and not self.closing and (b"\n" in self.inbox or len(self.inbox) >= self.limits.line)

    def receive(self) -> None:
        """Receives the bytes that have come, into the inbox."""
        try:
            content = self.connection.recv(self.limits.line)
        except BlockingIOError:
            return
        except OSError:  # the other side is gone
            content = b""
        self.inbox += content
        self.closing = not content

    def answer(self) -> None:
        """Answers the first line of the inbox; dismisses a client whose line is too long."""
        line, end, rest = self.inbox.partition(b"\n")
        if not end or len(line) >= self.limits.line:
            self.dismiss(f"error: a line has at most {self.limits.line} bytes")
            return
        text = self.respond(line.decode("ascii", "replace").strip("\0\r\n "))
        self.inbox, self.outbox, self.active = rest, (text + "\n").encode(), time.monotonic()
        self.send()

    def dismiss(self, why: str) -> None:
        """Ends the connection after a last line that says why."""
        self.inbox, self.outbox, self.closing = b"", self.outbox + (why + "\n").encode(), True
        self.send()

    def send(self) -> None:
        """Sends as many bytes of the outbox as the other side takes."""
        try:
            sent = self.connection.send(self.outbox)
        except BlockingIOError:
            return
        except OSError:  # the other side is gone
            sent, self.closing = len(self.outbox), True
        if sent:
            self.outbox, self.active = self.outbox[sent:], time.monotonic()


class LineServer:
    """Serves the clients of the socket `listener`. `new_responder` makes a client's function from lines to answers."""

    def __init__(self, listener: socket.socket, new_responder: Callable[[], Callable[[str], str]], limits: Limits):
        self.listener, self.new_responder, self.limits = listener, new_responder, limits
        self.clients: list[Client] = []

    def serve(self, connections: int | None = None) -> None:
        """Serves `connections` connections, not counting refused ones; None: without end."""
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
            if comes:  # after clients that have left made room
                served += self._accept()

    def _wait(self, listens: bool) -> bool:
        """Waits for sockets that are ready, then receives or sends. Returns whether a new client is waiting."""
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
        """Seconds until the first client has been idle for too long; 0 if a line waits for its answer."""
        if any(client.has_line for client in self.clients):
            return 0
        since = [client.active for client in self.clients]
        return max(0, min(since) + self.limits.idle - time.monotonic()) + 0.01 if since else None

    def _accept(self) -> bool:
        """Accepts the new client, or refuses it if there are too many. Returns whether it was accepted."""
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
    """Closes a connection after reading its input, since unread input could discard what was sent."""
    try:
        connection.shutdown(socket.SHUT_WR)
        connection.recv(2**16)
    except OSError:  # nothing there, or nobody
        pass
    connection.close()
