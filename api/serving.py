"""Answers made of the engine's structs: encoded once, with an entity tag, and cached where they cannot change."""

import hashlib
from typing import Any

import msgspec
from flask import Response, request

FOR_EVER = 60 * 60 * 24 * 365


def engine_response(
    thing: Any,
    status: int = 200,
    *,
    sequence: int | None = None,
    final: bool = False,
    public: bool = False,
    headers: dict[str, str] | None = None,
) -> Response:
    """JSON of a struct. `final`: it will never change. `public`: it is the same for everybody."""
    return tagged(msgspec.json.encode(thing) + b"\n", "application/json", status, sequence, final, public, headers)


def tagged(
    body: bytes,
    content_type: str,
    status: int = 200,
    sequence: int | None = None,
    final: bool = False,
    public: bool = False,
    headers: dict[str, str] | None = None,
) -> Response:
    response = Response(body, status, headers, content_type=content_type)
    mark = hashlib.sha256(body).hexdigest()[:16]
    response.set_etag(mark if sequence is None else f"{sequence}-{mark}")
    response.headers["Vary"] = "Authorization"
    scope = "public" if public else "private"
    if final:
        response.headers["Cache-Control"] = f"{scope}, max-age={FOR_EVER}, immutable"
    else:
        response.headers["Cache-Control"] = f"{scope}, no-cache"
    return response.make_conditional(request)
