"""Every answer that a test gets from the API is held against the OpenAPI document: status, type, headers, body."""

import gzip
import json
from functools import lru_cache
from typing import Any

import jsonschema_rs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from api.docs import document
from api.document import endpoints_of
from api.problems import PROBLEM_JSON
from tests import examples

# Headers that a client acts on: where an answer has one, the document says so.
TELLING = ("ETag", "Link", "Location", "Retry-After", "Idempotent-Replayed", "WWW-Authenticate")
VERBS = ("get", "post", "put", "patch", "delete")
MADE_BY_THE_SERVER = {405, 500}  # of any operation: in the document they are its `default`


class CheckedClient(FlaskClient):
    """Flask's test client. Nothing that it is answered is left unchecked."""

    def open(self, *args: Any, **options: Any) -> TestResponse:
        response = super().open(*args, **options)
        request = response.request
        name = check(self.application, request.method, request.path, response)
        if examples.FILE and (name or response.mimetype == PROBLEM_JSON):
            examples.note(name or "", response, options.get("json"))
        return response


def check(app: Flask, method: str, path: str, response: TestResponse) -> str | None:
    """Holds an answer against the document; the name of the operation, if it is one of the document's."""
    found = operation_at(app, method, path)
    if found is None:
        return None
    name, operation = found
    status = str(response.status_code)
    if status not in operation["responses"] and response.status_code in MADE_BY_THE_SERVER:
        status = "default"
    where = f"{method} {path} ({name}) answered {response.status_code}"
    assert status in operation["responses"], f"{where}, which the document does not know: {response.get_data()[:300]!r}"
    documented = resolved(app, operation["responses"][status])
    for header in TELLING:
        if header in response.headers:
            assert header in documented["headers"], f"{where} with {header}, which the document does not tell of"
    contents = documented.get("content", {})
    if not contents or method == "HEAD":
        return None
    kinds = [kind for kind in contents if kind.partition(";")[0] == response.mimetype]
    assert kinds, f"{where} as {response.mimetype}; the document has {list(contents)}"
    if response.mimetype.endswith("json"):
        body = response.get_data()
        if response.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        validator = validator_for(app, name, status, kinds[0])
        error = next(validator.iter_errors(json.loads(body)), None)
        assert error is None, f"{where}: {str(error)[:2000]}"
    return name


def resolved(app: Flask, response: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in response:
        name = response["$ref"].rpartition("/")[2]
        return spec(app)["components"]["responses"][name]
    return response


def operation_at(app: Flask, method: str, path: str) -> tuple[str, dict[str, Any]] | None:
    """The operation that a request is for; None if it is none of the document's."""
    if "waybill_api" not in app.extensions:
        return None
    adapter = app.url_map.bind("localhost")
    try:
        rule, _ = adapter.match(path, method=method, return_rule=True)
    except HTTPException:
        return None
    template = next(
        (place for (place, verb), endpoint in endpoints(app).items() if endpoint == rule.endpoint and verb in VERBS), ""
    )
    verb = "get" if method == "HEAD" else method.lower()
    operation = spec(app)["paths"].get(template, {}).get(verb)
    return (operation["operationId"], operation) if operation else None


@lru_cache(maxsize=8)
def endpoints(app: Flask) -> dict[tuple[str, str], str]:
    return endpoints_of(app)


@lru_cache(maxsize=8)
def spec(app: Flask) -> dict[str, Any]:
    with app.app_context():
        return document()


@lru_cache(maxsize=512)
def validator_for(app: Flask, name: str, status: str, kind: str) -> Any:
    """Stricter than the document: an answer has no field that it does not tell of, though it may get some later."""
    operation = next(
        operation
        for item in spec(app)["paths"].values()
        for verb, operation in item.items()
        if verb in VERBS and operation["operationId"] == name
    )
    schema = resolved(app, operation["responses"][status])["content"][kind]["schema"]
    return jsonschema_rs.Draft202012Validator({**closed(schema), "components": {"schemas": closed_components(app)}})


@lru_cache(maxsize=8)
def closed_components(app: Flask) -> dict[str, Any]:
    return {name: closed(schema) for name, schema in spec(app)["components"]["schemas"].items()}


def closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: closed(part) for name, part in schema.items() if name not in ("discriminator", "example")}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema
