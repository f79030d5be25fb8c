"""Flask without what this service has no use for, and would pay for with every request."""

from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any

from flask import Flask, Request, Response
from flask.json.provider import DefaultJSONProvider
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter

from runtime.doors import LARGEST_BODY

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LARGEST_REQUEST = LARGEST_BODY


class NoSessions(SessionInterface):
    """There are no cookies: a request says itself who asks."""

    nothing = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        return self.nothing


class ApiRequest(Request):
    max_content_length = LARGEST_REQUEST

    @property
    def stream(self) -> IO[bytes]:
        """The body. Of one whose length is known the server gives no more than that."""
        length = self.environ.get("CONTENT_LENGTH") or ""
        is_known = length.isdecimal() and int(length) <= LARGEST_REQUEST
        return self.environ["wsgi.input"] if is_known else super().stream


class RawResponse(Response):
    """An answer to a write, with all its headers and its whole body: there is nothing to add, nor to take away."""

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        start_response(self.status, list(self.headers))
        return self.response  # type: ignore[return-value]  # bytes: nothing else is put into it


class ApiJson(DefaultJSONProvider):
    """Keys in their own order, letters as they are."""

    sort_keys = False
    ensure_ascii = False


class ApiApp(Flask):
    request_class = ApiRequest
    json_provider_class = ApiJson
    session_interface = NoSessions()

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """The service is the same by whatever name it is called."""
        if request is None:
            return None
        called = request.environ
        host, root = called.get("HTTP_HOST", "localhost"), called.get("SCRIPT_NAME", "")
        asked = request.path, request.method, called["QUERY_STRING"]
        return MapAdapter(self.url_map, host, root, "", called["wsgi.url_scheme"], *asked)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """As it is: no view is a coroutine."""
        return func
