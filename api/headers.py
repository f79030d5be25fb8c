"""Headers that go with every answer, whoever makes it: added once, at the very end.

Browsers are told to be no cleverer than the answer says, and that pages from elsewhere may read it. Nothing but the
Authorization header tells who asks, so no page gets more than its own token opens.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Request

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Header = tuple[str, str]

ADDED = "waybill.headers"  # in a request's environment: the headers that its answer will have

ALWAYS: tuple[Header, ...] = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Access-Control-Allow-Origin", "*"),
)


def add_headers(request: Request, *headers: Header) -> None:
    """Sends these headers with the answer to a request."""
    request.environ[ADDED].extend(headers)


class HeadersMiddleware:
    """WSGI middleware. What an answer says itself has precedence."""

    def __init__(self, application: "WSGIApplication", accepted: Iterable[str], exposed: Iterable[str]) -> None:
        self.application = application
        self.always = (*ALWAYS, ("Access-Control-Expose-Headers", ", ".join(exposed)))
        self.preflight = (
            ("Access-Control-Allow-Methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
            ("Access-Control-Allow-Headers", ", ".join(accepted)),
            ("Access-Control-Max-Age", "600"),
        )

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        added: list[Header] = [*self.always]
        if environ["REQUEST_METHOD"] == "OPTIONS":
            added += self.preflight
        environ[ADDED] = added

        def start(status: str, headers: list[Header], *rest: Any) -> Any:
            present = {name for name, _ in headers}
            return start_response(status, headers + [header for header in added if header[0] not in present], *rest)

        return self.application(environ, start)
