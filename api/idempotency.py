"""Idempotency keys: a request that comes twice is done once and answered twice."""

import hashlib
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Response, current_app

from api.access import caller
from api.application import RawResponse
from api.context import current_request
from api.problems import refuse
from service.idempotency import Answer, IdempotencyKey, Once

T = TypeVar("T")

HEADER = "Idempotency-Key"
IN_ENVIRON = "HTTP_IDEMPOTENCY_KEY"
REPLAYED = {"Idempotent-Replayed": "true"}
LONGEST_KEY = 255
SHORTEST_KEY_ALONE = 16  # without a token: who guesses the key of a sign-up could be given its token
DOCUMENTED = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": "A word of your own for this request, so that it can be sent again without being done twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
}
DOCUMENTED_ALONE = {
    **DOCUMENTED,
    "schema": {"type": "string", "minLength": SHORTEST_KEY_ALONE, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
}


def idempotency_key() -> IdempotencyKey | None:
    """The request's key, if it has one. The store gets a digest of it."""
    request = current_request()
    key = request.environ.get(IN_ENVIRON)
    if key is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not all("!" <= letter <= "~" for letter in key):
        detail = f"{HEADER} is 1 to {LONGEST_KEY} visible ASCII characters."
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail)
    who = caller()
    if who is None and len(key) < SHORTEST_KEY_ALONE:
        detail = f"Without a token, {HEADER} is {SHORTEST_KEY_ALONE} to {LONGEST_KEY} characters that nobody can guess."
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail)
    scope = f"player:{who.id}" if who else f"address:{request.remote_addr}"
    what = "\n".join((request.method, request.full_path)).encode() + b"\n" + request.get_data()
    return IdempotencyKey(scope, hashlib.sha256(key.encode()).hexdigest(), hashlib.sha256(what).hexdigest())


def respond(answer: Answer, is_repeated: bool = False) -> Response:
    """An answer as the service keeps it."""
    body = answer.body.encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **answer.headers}
    return RawResponse([body], answer.status, headers | (REPLAYED if is_repeated else {}))


def respond_once(done: Once[T], status: int, body: Any, headers: dict[str, str] | None = None) -> Response:
    """What a write has made, as JSON."""
    text = current_app.json.dumps(body) + "\n"
    return respond(Answer(status, text, headers or {}), done.is_repeated)
