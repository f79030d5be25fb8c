"""Is it alive, is it ready, how is it doing."""

from flask import Blueprint, Response, current_app, jsonify, request

from api import observability
from api.access import db
from service import role

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return jsonify(status="ok")


@bp.get("/readyz")
def readyz() -> tuple[Response, int]:
    """The database takes writes, so moves are taken; `?for=reads`: it answers, be it a standby. Without Redis
    the workers find their work a little later."""
    found = role(db())
    checks = {"database": found is not None, "role": found, "redis": current_app.extensions["redis_answers"]()}
    is_ready = found == "primary" or (found == "standby" and request.args.get("for") == "reads")
    status = "ok" if is_ready else "read-only" if found else "unavailable"
    return jsonify(status=status, checks=checks), 200 if is_ready else 503


@bp.get("/metrics")
def metrics() -> Response:
    """Prometheus: what the processes count, and how the whole service is doing."""
    return observability.exposition(current_app.extensions["service_metrics"].text())
