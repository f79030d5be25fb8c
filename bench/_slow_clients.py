"""Clients that hold connections: they say nothing, or half of something, or do not listen to the answer."""

import itertools
import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Thread

import msgspec

CONNECTIONS = 200
AGAIN_SECONDS = 0.5  # until a connection that was closed is made anew
TICK_SECONDS = 0.1


class Kind(msgspec.Struct, frozen=True):
    """What a slow client sends at once, what after that, a byte a second, and whether it reads what it is answered."""

    name: str
    at_once: bytes = b""
    by_and_by: bytes = b""
    reads: bool = True


def half_of(method: str, path: str, body: bytes = b"") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: slow\r\nContent-Type: application/json\r\n".encode() + body


def kinds(large: str) -> list[Kind]:
    """`large` is the path of a large answer."""
    half_body = half_of("POST", "/v1/players", b"Content-Length: 1000\r\n\r\n") + b'{"name": "'
    return [
        Kind("nothing"),
        Kind("half a head", half_of("GET", "/v1/rulesets")),
        Kind("half a body", half_body),
        Kind("a byte a second", half_body, b"a" * 900),
        # One answer fits into the kernel's buffers, and then the server holds nothing of it; so many do not.
        Kind("answers not read", half_of("GET", large, b"\r\n") * 50, reads=False),
    ]


class SlowClients:
    """So many connections from these addresses of this machine, made anew when they are closed. Use as a context."""

    def __init__(self, port: int, kind: Kind, addresses: Sequence[str], number: int = CONNECTIONS) -> None:
        self.port, self.kind, self.number = port, kind, number
        self.addresses = itertools.cycle(addresses)
        self.closed = 0  # connections that the server has ended
        self.answers: list[bytes] = []  # the beginnings of what it said to them before
        self._end = Event()
        self._thread = Thread(target=self._hold, name=kind.name)

    def __enter__(self) -> "SlowClients":
        self.open = [self._connect() for _ in range(self.number)]
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        for connection in self.open:
            connection.close()

    def _connect(self) -> socket.socket:
        connection = socket.socket()
        if not self.kind.reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that little of an answer fits
        connection.bind((next(self.addresses), 0))
        connection.settimeout(5)
        with suppress(OSError):
            connection.connect(("127.0.0.1", self.port))
            connection.sendall(self.kind.at_once)
        connection.setblocking(False)
        return connection

    def _hold(self) -> None:
        sent = 0
        started = time.monotonic()
        again: list[tuple[float, int]] = []  # when to make which connection anew
        with selectors.DefaultSelector() as selector:
            for index, connection in enumerate(self.open):
                selector.register(connection, selectors.EVENT_READ, index)
            while not self._end.wait(TICK_SECONDS):
                now = time.monotonic()
                for key, _ in selector.select(0) if self.kind.reads else ():
                    connection = self.open[key.data]
                    with suppress(OSError):
                        if answer := connection.recv(200):
                            self.answers.append(answer)
                            continue
                    self.closed += 1
                    selector.unregister(connection)
                    connection.close()
                    again.append((now + AGAIN_SECONDS, key.data))
                while again and again[0][0] <= now:
                    _, index = again.pop(0)
                    self.open[index] = self._connect()
                    selector.register(self.open[index], selectors.EVENT_READ, index)
                if now - started > sent + 1:
                    piece = self.kind.by_and_by[sent : sent + 1]
                    sent += 1
                    for connection in self.open if piece else ():
                        with suppress(OSError):
                            connection.send(piece)
