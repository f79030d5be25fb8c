"""The application: configuration and wiring, nothing else."""

import logging
from typing import Any

import flask_limiter
import redis
import structlog
from flask import Flask, Response, request
from flask_cors import CORS
from flask_limiter.util import get_remote_address

import api
from api.access import Remembered
from api.observing import observe
from api.problems import from_bug, from_order_error, from_store_error
from referee.errors import OrderError
from store.config import Config, read_config
from store.database import Database
from store.errors import StoreError

LARGEST_REQUEST = 512 * 1024


def create_app(config: Config | None = None) -> Flask:
    """The API on a database and a Redis: see store/config.py for what can be set."""
    config = config or read_config()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    app.json.sort_keys = False  # type: ignore[attr-defined]
    log_as_json(config.log_level)
    app.extensions["database"] = Database.of(config)
    app.extensions["remembered"] = Remembered()
    api.register(app)
    for kind, handle in ((OrderError, from_order_error), (StoreError, from_store_error), (Exception, from_bug)):
        app.register_error_handler(kind, handle)
    observe(app)
    app.after_request(secure)
    return app
