"""The application: configuration and wiring, nothing else."""

import redis
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import api
from api import rate_limits
from api.access import note_look
from api.application import ApiApp
from api.cache import TTLCache
from api.dev_mail import box_of
from api.docs import document
from api.headers import HeadersMiddleware
from api.idempotency import HEADER as IDEMPOTENCY_KEY
from api.mail import Inbound
from api.metrics import ServiceMetrics
from api.observability import REQUEST_ID, observe
from api.page import document as page_document
from api.problems import from_bug, from_order_error, from_service_error, from_unavailable
from api.responses import code_digest, compress
from api.rulesets import describe
from referee.errors import OrderError
from referee.games import all_games, shipped_board
from referee.structs import preload_decoders
from runtime.config import Config, service_config
from runtime.logs import log_as_json
from runtime.redis_client import connect
from runtime.vault import Vault
from service import push, webhooks
from service.errors import ServiceError, Unavailable
from service.mailbox import Mailbox
from workers import app as worker_app
from workers import presence, tasks

ACCEPTED = ("Authorization", "Content-Type", IDEMPOTENCY_KEY, "If-Match", "If-None-Match", REQUEST_ID)
EXPOSED = ("ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Idempotent-Replayed", *rate_limits.HEADERS)


def create_app(config: Config | None = None) -> Flask:
    """The API on a database and a Redis: runtime/config.py says what can be set."""
    config = config or service_config()
    log_as_json(config.log_level)
    app = ApiApp(__name__)
    app.extensions["cache"] = TTLCache()
    app.extensions["stream"] = config.stream_url or config.port_of_stream
    wire_workers(app, config)
    app.wsgi_app = HeadersMiddleware(app.wsgi_app, ACCEPTED, EXPOSED)  # type: ignore[method-assign]  # Flask's own way
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    observe(app)
    rate_limits.limit_requests(app, config.requests_per_minute, config.redis_url)
    app.after_request(compress)
    app.after_request(note_look)
    api.register(app)
    app.register_error_handler(OrderError, from_order_error)
    app.register_error_handler(ServiceError, from_service_error)
    app.register_error_handler(Unavailable, from_unavailable)
    app.register_error_handler(Exception, from_bug)
    preload_decoders()
    preload(app)
    return app


def preload(app: Flask) -> None:
    """What is slow the first time, before anybody asks for it: others would have to wait meanwhile."""
    for key, game_type in all_games().items():
        describe(key)
        for version in game_type.versions:
            shipped_board(game_type, version)
    code_digest()
    page_document()
    with app.app_context():
        document()


def wire_workers(app: Flask, config: Config) -> None:
    """The database, and how the API hands work to workers."""
    worker_app.configure(config)
    app.extensions["database"] = worker_app.app.database  # one pool for both
    app.extensions["enqueue_work"] = tasks.enqueue_work
    app.extensions["mailbox"] = Mailbox(worker_app.app.transport, config.mail_domain, config.url)
    app.extensions["mail_inbound"] = Inbound(config.mail_secret, config.mail_domain, tasks.enqueue_post)
    database, vault, loopback = worker_app.app.database, Vault(config), config.webhook_loopback
    app.extensions["webhooks"] = webhooks.Desk(database, vault, loopback)
    app.extensions["push"] = push.Desk(database, vault, worker_app.vapid_of(config), loopback)
    app.extensions["dev_mail"] = box_of(config)
    app.extensions["looking"] = worker_app.app.looking
    app.extensions["hints"] = worker_app.app.hints
    client = connect(config.redis_url, socket_timeout=1, socket_connect_timeout=1)

    def redis_answers() -> bool:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False

    def workers_present() -> presence.Presence | None:
        try:
            return presence.read(client)
        except redis.RedisError:
            return None

    app.extensions["redis"] = client
    app.extensions["redis_answers"] = redis_answers
    app.extensions["service_metrics"] = ServiceMetrics(worker_app.app.database, workers_present)
