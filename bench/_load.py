"""Keep-alive connections that send requests one after another, as fast as they are answered."""

import selectors
import socket
import time
from collections.abc import Iterator

Request = bytes
ANSWER_SECONDS = 60


class Connection:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answer = b""

    def send(self, request: Request) -> None:
        self.request, self.answer = request, b""
        self.sent = time.perf_counter()
        self.socket.sendall(request)

    @property
    def body(self) -> bytes:
        return self.answer.partition(b"\r\n\r\n")[2]

    def receive(self) -> bool:
        """Takes what has come; whether the answer is complete. One that is no success ends everything."""
        came = self.socket.recv(1 << 16)
        self.answer += came
        head, end, body = self.answer.partition(b"\r\n\r\n")
        if came and not (end and len(body) >= int(head.lower().partition(b"content-length:")[2].split(None, 1)[0])):
            return False
        if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201", b"HTTP/1.1 202")):
            raise RuntimeError(f"{self.request!r} was answered by {self.answer!r}")
        return True


def request(method: str, path: str, token: str = "", body: bytes = b"") -> Request:
    head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nContent-Length: {len(body)}\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n" if token else ""
    return head.encode() + b"\r\n" + body


def drive(connections: list[Connection], scripts: list[Iterator[Request]], seconds: float) -> list[float]:
    """Sends each connection its script until it ends or the time is over; the seconds that each answer took."""
    latencies = []
    end = time.perf_counter() + seconds
    with selectors.DefaultSelector() as selector:
        for connection, script in zip(connections, scripts, strict=True):
            first = next(script, None)
            if first is not None:
                connection.send(first)
                selector.register(connection.socket, selectors.EVENT_READ, (connection, script))
        while selector.get_map():
            for key, _ in selector.select(ANSWER_SECONDS):
                connection, script = key.data
                if connection.receive():
                    now = time.perf_counter()
                    latencies.append(now - connection.sent)
                    if now >= end:
                        selector.unregister(connection.socket)
                    elif following := next(script, None):
                        connection.send(following)
                    else:
                        raise RuntimeError("a connection has nothing left to send: what was measured is too little")
    return latencies
