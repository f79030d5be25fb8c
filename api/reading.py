"""How requests are read: JSON as strict as msgspec is, and a blueprint that reads it so."""

from http import HTTPStatus
from typing import Any

import flask_smorest
import msgspec
from flask import Request
from webargs.core import missing
from webargs.flaskparser import FlaskParser, is_json_request

from api.problems import refuse


class Parser(FlaskParser):
    """The standard reader, but not to be felled by a hundred thousand brackets."""

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
