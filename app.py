"""The application: configuration and wiring, nothing else."""

import hashlib

import redis
from flask import Flask, Response, g, request
from flask_cors import CORS
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

import api
from api.access import Remembered
from api.observing import REQUEST_ID, observe
from api.once import HEADER as IDEMPOTENCY_KEY
from api.problems import from_bug, from_order_error, from_store_error
from referee.errors import OrderError
from store.config import Config, service_config
from store.database import Database
from store.errors import StoreError
from store.logs import log_as_json
from workers import app as worker_app
from workers import tasks

LARGEST_REQUEST = 512 * 1024
NOT_LIMITED = frozenset({"healthz", "readyz", "metrics"})
LIMIT_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def create_app(config: Config | None = None) -> Flask:
    """The API on a database and a Redis: store/config.py says what can be set."""
    config = config or service_config()
    log_as_json(config.log_level)
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["database"] = Database.of(config)
    app.extensions["remembered"] = Remembered()
    wire_workers(app, config)
    app.after_request(secure)  # the first to be registered has the last word
    observe(app)
    limit(app, config)
    CORS(
        app,
        origins="*",
        send_wildcard=True,
        allow_headers=["Authorization", "Content-Type", IDEMPOTENCY_KEY, "If-Match", "If-None-Match", REQUEST_ID],
        expose_headers=["ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Idempotent-Replayed", *LIMIT_HEADERS],
        max_age=600,
    )
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


def limit(app: Flask, config: Config) -> None:
    """So many requests a minute for a token, or for an address without one. Without Redis each process counts alone."""
    Limiter(
        who_asks,
        app=app,
        application_limits=[f"{config.requests_per_minute} per minute"],
        storage_uri=config.redis_url,
        storage_options={"socket_connect_timeout": 0.25, "socket_timeout": 0.25},
        strategy="fixed-window",
        headers_enabled=True,
        in_memory_fallback_enabled=True,
        swallow_errors=True,
    ).request_filter(lambda: request.method == "OPTIONS" or request.path.rpartition("/")[2] in NOT_LIMITED)


def who_asks() -> str:
    """Tokens are counted by their text's hash, before they are looked up: a wrong one is counted too."""
    token = request.headers.get("Authorization")
    return f"token:{hash_of(token)}" if token else f"address:{get_remote_address()}"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def secure(response: Response) -> Response:
    """Headers that keep browsers from being clever."""
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Cache-Control", "no-store")
    if response.status_code != 429:
        # The limiter sends Retry-After with every answer; it belongs to those that ask to come again.
        response.headers.pop("Retry-After", None)
        if "retry_after" in g:
            response.headers["Retry-After"] = g.retry_after
    return response
