"""What stands between the network and the application: no connection holds what others need.

The server's own threads wait for bodies, and there are many of them; the application's few places are taken by requests
that are there as a whole. A body has a limit in time, an address one in connections.
"""

import os
import socket
import stat
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import structlog

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

LARGEST_BODY = 512 * 1024
BODY_SECONDS = 10  # for a whole body: half a megabyte needs 50 KB a second, a move a few bytes
QUIET_SECONDS = 60  # after which a connection on which neither side sends anything is closed, answers not read included
CHECK_EVERY = 0.5  # seconds, at bodies and connections
ANSWER_SECONDS = 1.0  # within which an answer has left, however busy the machine is
CLOCK_SECONDS = 0.02  # by which the kernel's clock of a connection may be off
# Of struct tcp_info, in milliseconds ago; the same in every Linux.
LAST_DATA_SENT, LAST_DATA_RECEIVED = slice(44, 48), slice(52, 56)

log = structlog.get_logger("waybill.doors")

Environ = dict[str, Any]


class Answer(Protocol):
    """Granian's side of a request."""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...


Handler = Callable[[Answer, Environ], Any]


def problem(status: int, kind: str, title: str, detail: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """An answer in the form of api/problems.py, for those who do not get as far as the application."""
    body = {"type": f"urn:waybill:problem:{kind}", "title": title, "status": status, "detail": detail}
    encoded = msgspec.json.encode(body) + b"\n"
    headers = {"Content-Type": "application/problem+json", "Content-Length": str(len(encoded)), "Connection": "close"}
    return status, list(headers.items()), encoded


TOO_SLOW = problem(
    408, "too-slow", "Request Timeout", f"The body of a request has to arrive within {BODY_SECONDS} seconds."
)
CUT_SHORT = problem(400, "invalid-request", "Bad Request", "The body is shorter than its Content-Length says.")


class Reading:
    """A request whose body is on its way."""

    __slots__ = ("address", "answer", "refused_at", "since")

    def __init__(self, answer: Answer, address: str) -> None:
        self.answer = answer
        self.address = address
        self.since = time.monotonic()
        self.refused_at = 0.0


class Doors:
    """Lets whole requests through to the application, so many at a time."""

    def __init__(self, handle: Handler, places: int) -> None:
        self.handle = handle
        self.places: SimpleQueue[None] = SimpleQueue()
        for _ in range(places):
            self.places.put(None)
        self.reading: set[Reading] = set()

    def __call__(self, answer: Answer, environ: Environ) -> Any:
        if environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ:
            if not self.read_body(answer, environ):
                return None
        self.places.get()
        try:
            return self.handle(answer, environ)
        finally:
            self.places.put(None)

    def read_body(self, answer: Answer, environ: Environ) -> bool:
        """Puts the whole body in the place of the stream; False if there is none to wait for any more."""
        length = environ.get("CONTENT_LENGTH", "")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            return True  # it is refused unread
        reading = Reading(answer, environ["REMOTE_ADDR"])
        self.reading.add(reading)
        try:
            body = environ["wsgi.input"].read(LARGEST_BODY + 1)
        finally:
            self.reading.discard(reading)
        if reading.refused_at:
            return False
        if length.isdecimal() and len(body) != int(length):
            answer.response_bytes(*CUT_SHORT)  # to be on the safe side: who sent it has gone
            return False
        environ.pop("HTTP_TRANSFER_ENCODING", None)  # its chunks are put together
        environ["CONTENT_LENGTH"] = str(len(body))
        environ["wsgi.input"] = BytesIO(body)
        return True

    def refuse_late_bodies(self) -> list[Reading]:
        """Answers for those that take too long; all that have been answered so and are still being read."""
        now = time.monotonic()
        late = [reading for reading in list(self.reading) if now - reading.since > BODY_SECONDS]
        for reading in late:
            if not reading.refused_at:
                reading.refused_at = now
                reading.answer.response_bytes(*TOO_SLOW)
        return late


def whole_answers(application: "WSGIApplication") -> "WSGIApplication":
    """Answers come in one piece: of a row of pieces the server keeps a few, and a thread waits until they are read."""

    def answer(environ: Environ, start_response: "StartResponse") -> list[bytes]:
        pieces = application(environ, start_response)
        try:
            return list(pieces)
        finally:
            if close := getattr(pieces, "close", None):
                close()

    return answer


class Connection:
    """A connection that this process has accepted, as the kernel knows it: with whom, and for how long it is quiet."""

    def __init__(self, held: socket.socket) -> None:
        self.socket = held
        self.address: str = held.getpeername()[0]
        told = held.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED.stop)
        self.since_sent = int.from_bytes(told[LAST_DATA_SENT], sys.byteorder) / 1000
        self.since_received = int.from_bytes(told[LAST_DATA_RECEIVED], sys.byteorder) / 1000

    def close(self) -> None:
        """The server notices, and so does the thread that waits for the rest of a body."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Connections:
    """Closes connections that hold on to something. Only Linux tells about them; elsewhere a proxy has to do it."""

    def __init__(self, doors: Doors, port: int, most: int) -> None:
        self.doors = doors
        self.port = port
        self.most = most  # of an address; 0: as many as it likes

    def check(self) -> None:
        late = self.doors.refuse_late_bodies()
        if sys.platform != "linux":
            return
        with ExitStack() as stack:
            by_address: dict[str, list[Connection]] = defaultdict(list)
            for held in accepted(self.port):
                stack.enter_context(held)
                with suppress(OSError):  # it may have gone meanwhile
                    connection = Connection(held)
                    by_address[connection.address].append(connection)
            for address, connections in by_address.items():
                self.close_quiet(connections)
                self.close_surplus(connections)
                self.close_late(connections, [reading for reading in late if reading.address == address])

    def close_quiet(self, connections: list[Connection]) -> None:
        for connection in connections:
            if min(connection.since_sent, connection.since_received) > QUIET_SECONDS:
                connection.close()

    def close_surplus(self, connections: list[Connection]) -> None:
        if self.most and len(connections) > self.most:
            longest_silent_first = sorted(connections, key=lambda connection: -connection.since_received)
            for connection in longest_silent_first[: len(connections) - self.most]:
                connection.close()
            log.warning("too many connections", connections=len(connections), most=self.most)

    def close_late(self, connections: list[Connection], late: list[Reading]) -> None:
        """The server goes on reading a body after the answer, and does not tell on which connection. It is one of the
        same address on which the refusal was the last thing to be sent; should others have sent their last answer in
        the same moment, they have lost nothing but an idle connection."""
        now = time.monotonic()
        for reading in late:
            since_refusal = now - reading.refused_at
            for connection in connections:
                if since_refusal - ANSWER_SECONDS < connection.since_sent < since_refusal + CLOCK_SECONDS:
                    connection.close()


def accepted(port: int) -> Iterator[socket.socket]:
    """The connections of this process to a port of its own. Copies: none can become another while it is looked at."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if not stat.S_ISSOCK(os.stat(int(name)).st_mode):
                continue
            candidate = socket.socket(fileno=os.dup(int(name)))
            is_ours = candidate.family != socket.AF_UNIX and candidate.getsockname()[1] == port
            if is_ours and not candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                yield candidate
            else:
                candidate.close()


def keep_checking(*checks: Callable[[], None]) -> None:
    """Makes the checks again and again, in a thread of its own."""

    def check_for_ever() -> None:
        while True:
            time.sleep(CHECK_EVERY)
            for check in checks:
                try:
                    check()
                except Exception:  # whatever it was: without this thread nobody would be shown the door any more
                    log.exception("the doors could not be checked")

    Thread(target=check_for_ever, name="doors", daemon=True).start()
