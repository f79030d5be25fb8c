"""What operators see: a line of JSON for each request, and counters for Prometheus."""

import logging
import os
import random
import re
import time
from functools import cache

import structlog
from flask import Flask, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)

from api.context import current_g, current_request
from api.headers import add_headers
from runtime.logs import bind_log_context, log_request

REQUEST_ID = "X-Request-ID"

REQUESTS = Counter("waybill_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "waybill_request_seconds",
    "Time to answer",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def observe(app: Flask) -> None:
    is_logged = structlog.get_logger("waybill.api").bind().is_enabled_for(logging.INFO)

    def begin() -> None:
        request, g = current_request(), current_g()
        g.started = time.perf_counter()
        given = request.environ.get("HTTP_X_REQUEST_ID")
        request_id = given if given and is_request_id(given) else f"{random.getrandbits(64):016x}"
        g.request_id = request_id
        add_headers(request, (REQUEST_ID, request_id))
        if request.view_args and "game_id" in request.view_args:
            bind_log_context(request_id=request_id, game=request.view_args["game_id"])
        else:
            bind_log_context(request_id=request_id)

    def end(response: Response) -> Response:
        request, g = current_request(), current_g()
        # An address that is not ours is one route, or anybody could fill the memory with counters.
        route = request.url_rule.rule if request.url_rule else "none"
        seconds = time.perf_counter() - g.started
        count, clock = meters(request.method, route, response.status_code)
        count.inc()
        clock.observe(seconds)
        if is_logged:
            who = g.get("caller")
            log_request(
                method=request.method,
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


def exposition(more: bytes = b"") -> Response:
    """What the processes have counted, and more of the same form."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    return Response(generate_latest(registry) + more, content_type=CONTENT_TYPE_LATEST)
