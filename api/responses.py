"""Answers made of the engine's structs: encoded once, with an entity tag, and cached where they cannot change."""

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Response, request

import referee

FINAL_SECONDS = 5 * 60  # a game that is over changes no more, but its players may get other names, or none
VARY = "Authorization, Accept-Encoding"
GZIPPED = frozenset(
    {
        "application/json",
        "application/jsonl",
        "application/schema+json",
        "image/svg+xml",
        "text/html",
        "text/javascript",
        "text/markdown",
        "text/plain",
    }
)
SMALLEST_GZIPPED = 1024  # bytes
GZIP_LEVEL = 4  # a map of 208 KB becomes 26 KB in 1.6 ms; at 6 it would be 23 KB in 2.9 ms


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
        fill(response, body)
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
    if may_be_gzipped(response):  # other bytes, so another tag
        seen = hashlib.sha256(f"{seen} gzip".encode()).hexdigest()
    mark = seen[:16]
    response.set_etag(mark if sequence is None else f"{sequence}-{mark}")
    response.headers["Vary"] = VARY
    scope = "public" if public else "private"
    response.headers["Cache-Control"] = f"{scope}, max-age={FINAL_SECONDS}" if final else f"{scope}, no-cache"
    response.make_conditional(request)
    return response


def may_be_gzipped(response: Response) -> bool:
    """Whether the caller understands it, and there is something to gain."""
    if response.mimetype not in GZIPPED or "gzip" not in request.environ.get("HTTP_ACCEPT_ENCODING", ""):
        return False
    return request.accept_encodings["gzip"] > 0


def fill(response: Response, body: bytes) -> None:
    """Puts a body into an answer, gzipped if that is worth while."""
    if len(body) >= SMALLEST_GZIPPED and may_be_gzipped(response):
        body = gzip.compress(body, GZIP_LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
    response.data = body


def compress(response: Response) -> Response:
    """After a request: gzips what was read and has no entity tag. A write is answered at once, as it is."""
    if request.method == "GET" and response.status_code == 200 and "ETag" not in response.headers:
        if response.is_sequence and response.mimetype in GZIPPED and "Content-Encoding" not in response.headers:
            response.headers.setdefault("Vary", VARY)
            response.vary.add("Accept-Encoding")
            fill(response, response.get_data())
    return response


@cache
def code_digest() -> str:
    """Of everything that draws and writes boards: what was drawn by other code is not the same picture."""
    total = hashlib.sha256()
    for path in sorted(Path(referee.__file__).parent.rglob("*")):
        if path.suffix in (".py", ".ttf", ".yaml"):
            total.update(path.read_bytes())
    return total.hexdigest()
