"""What operators see: a line of JSON for each request, and counters for Prometheus."""

import os
import re
import secrets
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

REQUEST_ID = "X-Request-ID"

REQUESTS = Counter("waybill_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "waybill_request_seconds",
    "Time to answer",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

log = structlog.get_logger("waybill.api")


def observe(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.started = time.perf_counter()
    given = request.headers.get(REQUEST_ID, "")
    g.request_id = given if re.fullmatch(r"[A-Za-z0-9._-]{8,64}", given) else secrets.token_hex(8)


def _end(response: Response) -> Response:
    # An address that is not ours is one route, or anybody could fill the memory with counters.
    route = request.url_rule.rule if request.url_rule else "none"
    seconds = time.perf_counter() - g.started
    count, clock = meters(request.method, route, response.status_code)
    count.inc()
    clock.observe(seconds)
    response.headers[REQUEST_ID] = g.request_id
    who = g.get("caller")
    log.info(
        "request",
        request_id=g.request_id,
        method=request.method,
        route=route,
        status=response.status_code,
        ms=round(seconds * 1000, 2),
        game=(request.view_args or {}).get("game_id"),
        player=who.id if who else None,
    )
    return response


@cache
def meters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, status), SECONDS.labels(method, route)


def exposition() -> Response:
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
