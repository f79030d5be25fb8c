"""How requests are read: JSON as strict as msgspec is, and a blueprint that reads it so."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import flask_smorest
import msgspec
from flask import Request, request
from marshmallow import Schema
from webargs.core import missing
from webargs.flaskparser import FlaskParser, is_json_request

from api.problems import refuse


class Parser(FlaskParser):
    """The standard reader, but not to be felled by a hundred thousand brackets."""

    def __init__(self) -> None:
        super().__init__()
        self._without_query: dict[Schema, dict[str, Any]] = {}

    def parse(self, argmap: Schema, req: Request | None = None, *, location: str | None = None, **options: Any) -> Any:
        """As in the base class, but what an address without a query means is worked out once."""
        if location != "query" or request.query_string:
            return super().parse(argmap, req, location=location, **options)
        if argmap not in self._without_query:
            self._without_query[argmap] = super().parse(argmap, req, location=location, **options)
        return dict(self._without_query[argmap])

    def _raw_load_json(self, req: Request) -> Any:
        if not is_json_request(req):
            if req.get_data(cache=True):
                detail = "Send JSON, and say so: Content-Type: application/json."
                refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail)
            return missing
        try:
            return msgspec.json.decode(req.get_data(cache=True))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            return self._handle_invalid_json_error(error, req)


class Blueprint(flask_smorest.Blueprint):
    ARGUMENTS_PARSER = Parser()

    def arguments(self, schema: type[Schema], **options: Any) -> Any:
        """As in the base class, but with one instance of the schema for all requests, not one for each."""
        return super().arguments(schema(), **options)

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
