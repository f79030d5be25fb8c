"""Answers made of the engine's structs: encoded once, with an entity tag, and cached where they cannot change."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Response, request

import referee

FINAL_SECONDS = 5 * 60  # a game that is over changes no more, but its players may get other names, or none


def engine_response(
    thing: Any,
    status: int = 200,
    *,
    sequence: int | None = None,
    public: bool = False,
) -> Response:
    """JSON of a struct. `public`: it is the same for everybody."""
    body = msgspec.json.encode(thing) + b"\n"
    response = tagged(hashlib.sha256(body).hexdigest(), "application/json", sequence, public=public, status=status)
    if response.status_code != 304:
        response.data = body
    return response


def tagged(
    seen: str,
    content_type: str,
    sequence: int | None = None,
    *,
    final: bool = False,
    public: bool = False,
    status: int = 200,
) -> Response:
    """An answer still without a body, with an entity tag made of the digest of all that the body depends on: 304 if the
    caller has it already. `final`: nothing but names will change."""
    response = Response(status=status, content_type=content_type)
    mark = seen[:16]
    response.set_etag(mark if sequence is None else f"{sequence}-{mark}")
    response.headers["Vary"] = "Authorization"
    scope = "public" if public else "private"
    response.headers["Cache-Control"] = f"{scope}, max-age={FINAL_SECONDS}" if final else f"{scope}, no-cache"
    response.make_conditional(request)
    return response


@cache
def code_digest() -> str:
    """Of everything that draws and writes boards: what was drawn by other code is not the same picture."""
    total = hashlib.sha256()
    for path in sorted(Path(referee.__file__).parent.rglob("*")):
        if path.suffix in (".py", ".ttf", ".yaml"):
            total.update(path.read_bytes())
    return total.hexdigest()
