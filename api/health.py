"""Is it alive, is it ready, how is it doing."""

from flask import Blueprint, Response, current_app, jsonify

from api import observability
from api.access import db
from service import is_alive

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return jsonify(status="ok")


@bp.get("/readyz")
def readyz() -> tuple[Response, int]:
    """The database answers, so moves are taken. Without Redis the workers find their work a little later."""
    checks = {"database": is_alive(db()), "redis": current_app.extensions["redis_answers"]()}
    ready = checks["database"]
    return jsonify(status="ok" if ready else "unavailable", checks=checks), 200 if ready else 503


@bp.get("/metrics")
def metrics() -> Response:
    """Prometheus: what the processes count, and how the whole service is doing."""
    return observability.exposition(current_app.extensions["service_metrics"].text())
