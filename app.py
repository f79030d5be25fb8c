"""The application: configuration and wiring, nothing else."""

import redis
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import api
from api import limits
from api.access import Remembered
from api.application import Waybill
from api.headers import Headers
from api.observing import REQUEST_ID, observe
from api.once import HEADER as IDEMPOTENCY_KEY
from api.problems import from_bug, from_order_error, from_store_error
from referee.errors import OrderError
from referee.structs import preload_decoders
from runtime.config import Config, service_config
from runtime.logs import log_as_json
from store.errors import StoreError
from workers import app as worker_app
from workers import tasks

ACCEPTED = ("Authorization", "Content-Type", IDEMPOTENCY_KEY, "If-Match", "If-None-Match", REQUEST_ID)
EXPOSED = ("ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Idempotent-Replayed", *limits.HEADERS)


def create_app(config: Config | None = None) -> Flask:
    """The API on a database and a Redis: runtime/config.py says what can be set."""
    config = config or service_config()
    log_as_json(config.log_level)
    app = Waybill(__name__)
    app.json.sort_keys = False
    app.json.ensure_ascii = False
    app.extensions["remembered"] = Remembered()
    wire_workers(app, config)
    app.wsgi_app = Headers(app.wsgi_app, ACCEPTED, EXPOSED)
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)
    observe(app)
    limits.limit(app, config.requests_per_minute, config.redis_url)
    api.register(app)
    app.register_error_handler(OrderError, from_order_error)
    app.register_error_handler(StoreError, from_store_error)
    app.register_error_handler(Exception, from_bug)
    preload_decoders()
    return app


def wire_workers(app: Flask, config: Config) -> None:
    """The database, and how the API tells workers that there is something to do."""
    worker_app.configure(config)
    app.extensions["database"] = worker_app.app.database  # one pool for both
    app.extensions["wake"] = tasks.wake
    app.extensions["look"] = tasks.look
    client = redis.Redis.from_url(config.redis_url, socket_timeout=1, socket_connect_timeout=1)

    def redis_answers() -> bool:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False

    app.extensions["redis_answers"] = redis_answers
