"""How requests are read and views are documented: flask-smorest, with JSON as strict as msgspec is.

Between a request and its view flask-smorest and webargs put a wrapper for each decorator. Without them a move takes
0.75 instead of 1.0 ms of CPU. tests/api/test_blueprint.py shows that answers and document stay those of flask-smorest.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from typing import Any, Protocol, TypeVar

import flask_smorest
import msgspec
from flask import Request, Response
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser, is_json_request

from api.context import current_request
from api.problems import refuse

View = TypeVar("View", bound=Callable[..., Any])


class Decorator(Protocol):
    """Gives back a view of the same type."""

    def __call__(self, view: View, /) -> View: ...


class Parser(FlaskParser):
    """The standard reader, but not to be felled by a hundred thousand brackets."""

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data()
        if req.environ.get("CONTENT_TYPE") != "application/json" and not is_json_request(req):
            if body:
                detail = "Send JSON, and say so: Content-Type: application/json."
                refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail)
            return {}
        try:
            return msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            detail = f"The body is not JSON: {str(error).rstrip('.')}."
            refuse(HTTPStatus.BAD_REQUEST, "invalid-request", detail, errors={"json": [detail]})


class DirectParser(Parser):
    """Bodies go straight to their schema, and what an address without a query means is worked out once."""

    def __init__(self) -> None:
        super().__init__()
        self._without_query: dict[Schema, dict[str, Any]] = {}

    def read_body(self, schema: Schema) -> Any:
        request = current_request()
        try:
            return schema.load(self._raw_load_json(request))
        except ValidationError as error:
            self._on_validation_error(error, request, schema, "json", error_status_code=None, error_headers=None)

    def read_query(self, schema: Schema) -> Any:
        request = current_request()
        if request.query_string:
            return self.parse(schema, request, location="query")
        if schema not in self._without_query:
            self._without_query[schema] = self.parse(schema, request, location="query")
        return dict(self._without_query[schema])


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    ARGUMENTS_PARSER = DirectParser()

    def route(self, rule: str, **options: Any) -> Decorator:
        decorate: Decorator = super().route(rule, **options)
        return decorate

    def arguments(self, schema: type[Schema], *, location: str = "json", **options: Any) -> Decorator:
        instance = schema()
        if location == "json":  # without a body it is as if there were an empty object
            options.setdefault("required", any(field.required for field in instance.fields.values()))
        read = self.ARGUMENTS_PARSER.read_body if location == "json" else self.ARGUMENTS_PARSER.read_query
        document: Decorator = documented(super().arguments(instance, location=location, **options))

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(*args: Any, **values: Any) -> Any:
                return view(*args, read(instance), **values)

            return document(reading)  # type: ignore[return-value]  # called as the view, without the argument

        return decorate

    def response(self, status: int, schema: Any = None, **options: Any) -> Decorator:
        """A view that returns a response has made it itself: there is nothing left to do but document it."""
        decorate: Decorator = super().response(status, schema, **options)
        document: Decorator = documented(decorate)
        return lambda view: (document if view.__annotations__["return"] is Response else decorate)(view)

    def alt_response(self, status: int, **options: Any) -> Decorator:
        return documented(super().alt_response(status, **options))

    @staticmethod
    def doc(*, parameters: Sequence[dict[str, Any]] = (), **options: Any) -> Decorator:
        """Parameters stand beside those of the view's arguments; flask-smorest would put them in their place."""
        document = documented(flask_smorest.Blueprint.doc(**options))

        def note(view: View) -> View:
            view = document(view)
            if parameters:
                known = view._apidoc.setdefault("arguments", {})  # type: ignore[attr-defined]  # as in `documented`
                known.setdefault("parameters", []).extend(deepcopy(one) for one in parameters)
            return view

        return note


def documented(decorate: Callable[[Any], Any]) -> Decorator:
    """For decorators that do nothing but document: the view keeps what they note and is not wrapped once more."""

    def note(view: View) -> View:
        view._apidoc = decorate(view)._apidoc  # type: ignore[attr-defined]  # where flask-smorest keeps it
        return view

    return note
