"""What our blueprint leaves out of flask-smorest's way makes no difference to anybody."""

from typing import Any

import flask_smorest
import pytest
from flask import Flask, Response, jsonify
from flask.testing import FlaskClient
from marshmallow import fields, validate

from api import Api
from api.blueprint import Blueprint, Parser
from schemas.fields import QueryFlag, QueryInteger, StrictSchema


class PlainBlueprint(flask_smorest.Blueprint):
    """flask-smorest as it comes."""

    ARGUMENTS_PARSER = Parser()


class BodySchema(StrictSchema):
    name = fields.String(required=True, validate=validate.Length(1, 5))
    number = fields.Integer(load_default=7)


class QuerySchema(StrictSchema):
    limit = QueryInteger(load_default=50, validate=validate.Range(1, 200))
    flag = QueryFlag(load_default=False)


def app_with(kind: type[flask_smorest.Blueprint]) -> Flask:
    bp = kind("things", __name__, url_prefix="/v1", description="Things")

    @bp.route("/things/<thing_id>", methods=["POST"])
    @bp.doc(security=[{}])
    @bp.arguments(QuerySchema, location="query")
    @bp.arguments(BodySchema)
    @bp.response(201, BodySchema)
    @bp.alt_response(202, description="Later.", success=True)
    def make(query: dict[str, Any], body: dict[str, Any], thing_id: str) -> Response:
        """Make a thing."""
        response = jsonify(query=query, body=body, thing=thing_id)
        response.status_code = 201
        return response

    @bp.route("/things")
    @bp.arguments(QuerySchema, location="query")
    @bp.response(200, BodySchema(many=True))
    def things(query: dict[str, Any]) -> Any:
        """All things."""
        return [{"name": "one", "number": query["limit"]}], 200, {"X-More": "yes"}

    app = Flask(__name__)
    api = Api(app, spec_kwargs={"title": "t", "version": "v1", "openapi_version": "3.1.0"})
    api.register_blueprint(bp)
    app.extensions["api"] = api
    return app


@pytest.fixture(scope="module")
def clients() -> list[FlaskClient]:
    return [app_with(kind).test_client() for kind in (Blueprint, PlainBlueprint)]


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("POST", "/v1/things/a", {"json": {"name": "x"}}),
        ("POST", "/v1/things/a?limit=3&flag=1", {"json": {"name": "x", "number": 1}}),
        ("POST", "/v1/things/a?limit=0", {"json": {"name": "x"}}),
        ("POST", "/v1/things/a?limit=x&nonsense=1", {"json": {"name": "x"}}),
        ("POST", "/v1/things/a", {"json": {}}),
        ("POST", "/v1/things/a", {"json": {"name": "too long", "number": "x", "more": 1}}),
        ("POST", "/v1/things/a", {"json": []}),
        ("POST", "/v1/things/a", {"json": None}),
        ("POST", "/v1/things/a", {}),
        ("POST", "/v1/things/a", {"data": b"{", "headers": JSON}),
        ("POST", "/v1/things/a", {"data": b"\xff", "headers": JSON}),
        ("POST", "/v1/things/a", {"data": b'{"name": "x"}', "headers": {"Content-Type": "text/plain"}}),
        (
            "POST",
            "/v1/things/a",
            {"data": b'{"name": "x"}', "headers": {"Content-Type": "application/json;a=b"}},
        ),
        ("GET", "/v1/things", {}),
        ("GET", "/v1/things?limit=3", {}),
        ("GET", "/v1/things?limit=3&limit=4", {}),
        ("GET", "/v1/things?limit=", {}),
        ("HEAD", "/v1/things", {}),
        ("PUT", "/v1/things", {}),
        ("GET", "/v1/nothing", {}),
    ],
)
def test_answers_are_those_of_flask_smorest(
    clients: list[FlaskClient], method: str, path: str, options: dict[str, Any]
) -> None:
    ours, theirs = (client.open(path, method=method, **options) for client in clients)
    assert (ours.status, ours.data) == (theirs.status, theirs.data)
    assert sorted(ours.headers) == sorted(theirs.headers)


def test_the_document_is_that_of_flask_smorest(clients: list[FlaskClient]) -> None:
    ours, theirs = (client.application.extensions["api"].spec.to_dict() for client in clients)
    assert ours == theirs
