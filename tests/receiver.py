"""A program that is told by a webhook, on this machine: it keeps what it gets, and answers as it is told to."""

import contextlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver:
    def __init__(self) -> None:
        self.secret = ""  # checked with, if there is one
        self.status, self.body, self.headers = 204, b"", {}
        self.drips = False
        self.got: list[dict[str, Any]] = []
        self.raw: list[tuple[dict[str, str], bytes]] = []
        self.url = ""

    def ids(self) -> list[int]:
        return [one["data"]["id"] for one in self.got]


@contextlib.contextmanager
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = dict(self.headers.items())
            found.raw.append((headers, body))
            status = found.status
            if found.drips:
                with contextlib.suppress(OSError):
                    for letter in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000:
                        self.wfile.write(bytes([letter]))
                        time.sleep(0.05)
                return
            if found.secret:
                try:
                    told = Webhook(found.secret).verify(body, headers)
                except WebhookVerificationError:
                    status = 400
                else:
                    if status < 300:
                        found.got.append(told)
            self.send_response(status)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(found.body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_port}/told"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
