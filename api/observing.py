"""What operators see: a line of JSON for each request, and counters for Prometheus."""

import logging
import os
import random
import re
import time
from functools import cache

import structlog
from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)

from api.headers import tell
from runtime.logs import say_with_every_line, tell_soon

REQUEST_ID = "X-Request-ID"

REQUESTS = Counter("waybill_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "waybill_request_seconds",
    "Time to answer",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def observe(app: Flask) -> None:
    is_told = structlog.get_logger("waybill.api").bind().is_enabled_for(logging.INFO)

    # Each use of `request` and `g` looks for the request of this thread: once is enough.

    def begin() -> None:
        asked, noted = request._get_current_object(), g._get_current_object()
        noted.started = time.perf_counter()
        given = asked.environ.get("HTTP_X_REQUEST_ID")
        request_id = given if given and is_request_id(given) else f"{random.getrandbits(64):016x}"
        noted.request_id = request_id
        tell(asked, (REQUEST_ID, request_id))
        if asked.view_args and "game_id" in asked.view_args:
            say_with_every_line(request_id=request_id, game=asked.view_args["game_id"])
        else:
            say_with_every_line(request_id=request_id)

    def end(response: Response) -> Response:
        asked, noted = request._get_current_object(), g._get_current_object()
        # An address that is not ours is one route, or anybody could fill the memory with counters.
        route = asked.url_rule.rule if asked.url_rule else "none"
        seconds = time.perf_counter() - noted.started
        count, clock = meters(asked.method, route, response.status_code)
        count.inc()
        clock.observe(seconds)
        who = noted.get("caller")
        if is_told:
            tell_soon(
                "request",
                method=asked.method,
                route=route,
                status=response.status_code,
                ms=round(seconds * 1000, 2),
                player=who.id if who else None,
            )
        return response

    app.before_request(begin)
    app.after_request(end)


def is_request_id(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9._-]{8,64}", text) is not None


@cache
def meters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, status), SECONDS.labels(method, route)


def exposition() -> Response:
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
