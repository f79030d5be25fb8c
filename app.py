"""The application: configuration and wiring, nothing else."""

import logging
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import redis
import structlog
from flask import Flask

import api
from api import limits
from api.access import Remembered
from api.observing import REQUEST_ID, observe
from api.once import HEADER as IDEMPOTENCY_KEY
from api.problems import from_bug, from_order_error, from_store_error
from referee.errors import OrderError
from store.config import Config, read_config
from store.database import Database
from store.errors import StoreError
from workers import app as worker_app
from workers import tasks

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LARGEST_REQUEST = 512 * 1024
ASKED = ("Authorization", "Content-Type", IDEMPOTENCY_KEY, "If-Match", "If-None-Match", REQUEST_ID)
TOLD = ("ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Idempotent-Replayed", *limits.HEADERS)


class Waybill(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """As it is: no view is a coroutine, and being asked so a dozen times a request costs something."""
        return func


def create_app(config: Config | None = None) -> Flask:
    """The API on a database and a Redis: store/config.py says what can be set."""
    config = config or read_config()
    log_as_json(config.log_level)
    app = Waybill(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["database"] = Database.of(config)
    app.extensions["remembered"] = Remembered()
    wire_workers(app, config)
    app.wsgi_app = Browsers(app.wsgi_app)  # type: ignore[method-assign]
    observe(app)  # the first to be registered has the last word
    limits.limit(app, config.requests_per_minute, config.redis_url)
    api.register(app)
    app.register_error_handler(OrderError, from_order_error)
    app.register_error_handler(StoreError, from_store_error)
    app.register_error_handler(Exception, from_bug)
    return app


def wire_workers(app: Flask, config: Config) -> None:
    """How the API tells workers that there is something to do."""
    worker_app.configure(config)
    app.extensions["wake"] = tasks.wake
    app.extensions["look"] = tasks.look
    client = redis.Redis.from_url(config.redis_url, socket_timeout=1, socket_connect_timeout=1)

    def redis_answers() -> bool:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False

    app.extensions["redis_answers"] = redis_answers


class Browsers:
    """What browsers are told with every answer: to be no cleverer than the answer says, and that pages from elsewhere
    may read it. The Authorization header is all that tells who asks, so no page gets more than its own token opens."""

    ALWAYS = (
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cache-Control", "no-store"),
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Expose-Headers", ", ".join(TOLD)),
    )
    BEFOREHAND = (
        ("Access-Control-Allow-Methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
        ("Access-Control-Allow-Headers", ", ".join(ASKED)),
        ("Access-Control-Max-Age", "600"),
    )

    def __init__(self, application: "WSGIApplication") -> None:
        self.application = application

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        own = self.ALWAYS + self.BEFOREHAND if environ["REQUEST_METHOD"] == "OPTIONS" else self.ALWAYS

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            there = {name for name, _ in headers}
            return start_response(status, headers + [one for one in own if one[0] not in there], *rest)

        return self.application(environ, start)


class StandardError:
    """Where lines of the log go."""

    def msg(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    debug = info = warning = error = msg


def log_as_json(level: str) -> None:
    """One line of JSON for each thing worth telling, on standard error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: StandardError(),
    )
