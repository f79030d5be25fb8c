"""The HTTP API: thin blueprints that parse, call and serialise."""

from typing import Any

import flask_smorest
from flask import Flask
from marshmallow import fields
from werkzeug.exceptions import HTTPException

from api import (
    clocks,
    dev_mail,
    docs,
    document,
    events,
    games,
    health,
    mail,
    moves,
    notices,
    page,
    players,
    press,
    push,
    replays,
    rulesets,
    sandbox,
    seats,
    standing,
    webhooks,
)
from api.problems import PROBLEM_JSON, from_http_exception
from schemas import engine
from schemas.clocks import ClockSchema, ShownClockSchema
from schemas.game_types import ref_to
from schemas.moves import MoveField
from schemas.problems import ProblemSchema

BLUEPRINTS = (
    players.bp,
    rulesets.bp,
    games.bp,
    seats.bp,
    clocks.bp,
    sandbox.bp,
    moves.bp,
    replays.bp,
    notices.bp,
    press.bp,
    standing.bp,
    events.bp,
    webhooks.bp,
    push.bp,
)


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest has no types
    """flask-smorest with RFC 9457 problems in its answers and in its document."""

    ERROR_SCHEMA = ProblemSchema

    def handle_http_exception(self, error: HTTPException) -> Any:
        return from_http_exception(error)

    def _register_responses(self) -> None:
        """As the base class does, but the answers are of the media type that they are sent in."""
        content = {PROBLEM_JSON: {"schema": self.ERROR_SCHEMA}}
        description = "A problem: what was wrong, and what would be right."
        for name in (self.DEFAULT_ERROR_RESPONSE_NAME, "UNPROCESSABLE_ENTITY", "UNPROCESSABLE_CONTENT"):
            self.spec.components.response(name, {"description": description, "content": content}, lazy=True)


def refer_to_moves(_: Any, field: fields.Field[Any], **__: Any) -> dict[str, str]:
    return ref_to("Move") if isinstance(field, MoveField) else {}


def register(app: Flask) -> Api:
    """Puts the whole API on an application."""
    api = Api(
        app,
        spec_kwargs={
            "title": "Waybill",
            "version": document.VERSION,
            "openapi_version": "3.1.0",
            "security": [{"bearer": []}, {}],
        },
    )
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    api.ma_plugin.converter.add_attribute_function(refer_to_moves)
    for name, schema in engine.components().items():
        api.spec.components.schema(name, schema)
    api.spec.components.schema("NewClock", schema=ClockSchema)
    api.spec.components.schema("Clock", schema=ShownClockSchema)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    app.register_blueprint(health.bp)
    app.register_blueprint(health.bp, url_prefix="/v1", name="health_v1")
    app.register_blueprint(mail.bp)
    app.register_blueprint(dev_mail.bp)
    app.register_blueprint(docs.bp)
    app.register_blueprint(page.bp)
    app.extensions["waybill_api"] = api
    return api
