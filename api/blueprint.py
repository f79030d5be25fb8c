"""How requests are read: JSON as strict as msgspec is, and a blueprint that reads it so."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

import flask_smorest
import msgspec
from flask import Request, Response, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser, is_json_request

from api.problems import refuse


class Parser(FlaskParser):
    """The standard reader, but not to be felled by a hundred thousand brackets."""

    def __init__(self) -> None:
        super().__init__()
        self._without_query: dict[Schema, dict[str, Any]] = {}

    def parse(self, argmap: Schema, req: Request | None = None, *, location: str | None = None, **options: Any) -> Any:
        """As in the base class, but bodies go straight to their schema, and what an address without a query means is
        worked out once."""
        asked = req or request._get_current_object()
        if location == "json":
            return self._parse_body(argmap, asked)
        if location != "query" or asked.query_string:
            return super().parse(argmap, asked, location=location, **options)
        if argmap not in self._without_query:
            self._without_query[argmap] = super().parse(argmap, asked, location=location, **options)
        return dict(self._without_query[argmap])

    def _parse_body(self, schema: Schema, asked: Request) -> Any:
        try:
            return schema.load(self._raw_load_json(asked))
        except ValidationError as error:
            self._on_validation_error(error, asked, schema, "json", error_status_code=None, error_headers=None)

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


class Blueprint(flask_smorest.Blueprint):
    """Documents as the base class does, with as little as possible between a request and its view."""

    ARGUMENTS_PARSER = Parser()

    def arguments(self, schema: type[Schema], *, location: str = "json", **options: Any) -> Any:
        instance, parse = schema(), self.ARGUMENTS_PARSER.parse
        document = documented(super().arguments(instance, location=location, **options))

        def decorate(view: Any) -> Any:
            @wraps(view)
            def reading(*args: Any, **values: Any) -> Any:
                return view(*args, parse(instance, location=location), **values)

            return document(reading)

        return decorate

    def response(self, *args: Any, **options: Any) -> Any:
        """A view that returns a response has made it itself: there is nothing left to do but document it."""
        decorate = super().response(*args, **options)
        return lambda view: (documented(decorate) if view.__annotations__["return"] is Response else decorate)(view)

    @staticmethod
    def doc(**options: Any) -> Any:
        return documented(flask_smorest.Blueprint.doc(**options))

    def alt_response(self, *args: Any, **options: Any) -> Any:
        return documented(super().alt_response(*args, **options))


def documented(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """For decorators that do nothing but document: the view keeps what they note and is not wrapped once more."""

    def note(view: Any) -> Any:
        view._apidoc = decorate(view)._apidoc
        return view

    return note
