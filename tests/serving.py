"""An application behind a socket, in this process: for clients that are programs of their own."""

import contextlib
import threading
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def served(app: Flask) -> Iterator[str]:
    """Its address."""

    def bounded(environ: dict[str, Any], start_response: Any) -> Any:
        # The API reads a body to its end, which is known to the server that it is meant for, and not to this one.
        environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
        return app(environ, start_response)

    server = make_server("127.0.0.1", 0, bounded, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
