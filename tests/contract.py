"""Every answer that a test gets from the API is held against the OpenAPI document: status, type, headers, body. So is
what a real server answers, and every event of a stream."""

import gzip
import json
import re
import urllib.request
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

import jsonschema_rs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.docs import document
from api.problems import PROBLEM_JSON
from tests import examples

# Headers that a client acts on: where an answer has one, the document says so.
TELLING = ("ETag", "Link", "Location", "Retry-After", "Idempotent-Replayed", "WWW-Authenticate")
VERBS = ("get", "post", "put", "patch", "delete")
MADE_BY_THE_SERVER = {405, 500}  # of any operation: in the document they are its `default`
EVENT_STREAM = "text/event-stream"


class Contract:
    """An OpenAPI document, and what it says of an answer."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self._validators: dict[tuple[str, ...], Any] = {}
        # Those with the fewest names to fill in first: /games/mine before /games/{id}.
        templates = sorted(spec["paths"], key=lambda template: template.count("{"))
        self._paths = [(_pattern(template), spec["paths"][template]) for template in templates]

    def operation_at(self, method: str, path: str) -> dict[str, Any] | None:
        """The operation that a request is for; None if it is none of the document's."""
        verb = "get" if method == "HEAD" else method.lower()
        item = next((item for pattern, item in self._paths if pattern.fullmatch(path)), {})
        return item.get(verb) if verb in VERBS else None

    def operation(self, name: str) -> dict[str, Any]:
        return next(
            operation
            for _, item in self._paths
            for verb, operation in item.items()
            if verb in VERBS and operation["operationId"] == name
        )

    def check(self, method: str, path: str, code: int, headers: Mapping[str, str], body: bytes) -> str | None:
        """Holds an answer against the document; the name of the operation, if it is one of the document's."""
        operation = self.operation_at(method, path)
        if operation is None:
            return None
        name, status = operation["operationId"], str(code)
        if status not in operation["responses"] and code in MADE_BY_THE_SERVER:
            status = "default"
        where = f"{method} {path} ({name}) answered {code}"
        assert status in operation["responses"], f"{where}, which the document does not know: {body[:300]!r}"
        documented = self.resolved(operation["responses"][status])
        for header in TELLING:
            if header in headers:
                assert header in documented["headers"], f"{where} with {header}, which the document does not tell of"
        contents = documented.get("content", {})
        if not contents or method == "HEAD":
            return None
        mimetype = headers.get("Content-Type", "").partition(";")[0]
        kinds = [kind for kind in contents if kind.partition(";")[0] == mimetype]
        assert kinds, f"{where} as {mimetype}; the document has {list(contents)}"
        if mimetype.endswith("json"):
            plain = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
            error = next(self.validator(name, status, kinds[0]).iter_errors(json.loads(plain)), None)
            assert error is None, f"{where}: {str(error)[:2000]}"
        return str(name)

    def check_event(self, path: str, kind: str, data: Any) -> None:
        """Holds an event of a stream against the document."""
        operation = self.operation_at("GET", path)
        assert operation is not None, path
        kinds = operation["responses"]["200"]["content"][EVENT_STREAM]["x-events"]
        assert kind in kinds, f"{path} sent the event {kind}; the document has {list(kinds)}"
        validator = self._validator((operation["operationId"], "event", kind), kinds[kind])
        error = next(validator.iter_errors(data), None)
        assert error is None, f"{path}, event {kind}: {str(error)[:2000]}"

    def resolved(self, response: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in response:
            found: dict[str, Any] = self.spec["components"]["responses"][response["$ref"].rpartition("/")[2]]
            return found
        return response

    def validator(self, name: str, status: str, kind: str) -> Any:
        content = self.resolved(self.operation(name)["responses"][status])["content"]
        return self._validator((name, status, kind), content[kind]["schema"])

    def _validator(self, key: tuple[str, ...], schema: dict[str, Any]) -> Any:
        """Stricter than the document: an answer has no field that it does not tell of, though it may get some later."""
        if key not in self._validators:
            whole = {**closed(schema), "components": {"schemas": self._closed_components}}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        return self._validators[key]

    @cached_property
    def _closed_components(self) -> dict[str, Any]:
        return {name: closed(schema) for name, schema in self.spec["components"]["schemas"].items()}


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{\w+\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))


class CheckedClient(FlaskClient):
    """Flask's test client. Nothing that it is answered is left unchecked."""

    def open(self, *args: Any, **options: Any) -> TestResponse:
        response = super().open(*args, **options)
        request = response.request
        if "waybill_api" not in self.application.extensions:
            return response
        contract = contract_of(self.application)
        is_json = (response.mimetype or "").endswith("json")  # else nobody asks what is in it
        body = response.get_data() if is_json else b""
        name = contract.check(request.method, request.path, response.status_code, response.headers, body)
        if examples.FILE and (name or response.mimetype == PROBLEM_JSON):
            examples.note(name or "", response, options.get("json"))
        return response


@lru_cache(maxsize=8)
def contract_of(app: Flask) -> Contract:
    return Contract(spec(app))


@lru_cache(maxsize=8)
def contract_at(url: str) -> Contract:
    """That of a server, as it gives it itself."""
    with urllib.request.urlopen(f"{url}/v1/openapi.json", timeout=30) as answer:
        return Contract(json.load(answer))


@lru_cache(maxsize=8)
def spec(app: Flask) -> dict[str, Any]:
    with app.app_context():
        return document()


def closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: closed(part) for name, part in schema.items() if name not in ("discriminator", "example")}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema
