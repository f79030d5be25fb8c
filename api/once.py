"""Idempotency keys: a request that comes twice is done once and answered twice."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, request

from api.access import caller, db
from api.application import Finished
from api.problems import refuse
from store import idempotency
from store.database import Session
from store.idempotency import Answer, Request

HEADER = "Idempotency-Key"
IN_ENVIRON = "HTTP_IDEMPOTENCY_KEY"
LONGEST_KEY = 255
SHORTEST_KEY_ALONE = 16  # without a token: who guesses the key of a sign-up gets its answer, with the token
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


def keyed_request() -> Request | None:
    """The request's key, if it has one. The store gets a digest of it: see `_cipher`."""
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
    return Request(scope, hashlib.sha256(key.encode()).hexdigest(), hashlib.sha256(what).hexdigest())


def once(work: Callable[[Session], Answer]) -> Response:
    """Does the work in a transaction and keeps its answer with it; or gives the answer of the first time.

    Answers can hold tokens, which are nowhere kept in the clear: so they are kept enciphered with the key itself, which
    the store does not know.
    """
    keyed = keyed_request()
    with db().transaction() as transaction:
        if keyed is None:
            answer = work(transaction)
        else:
            kept = idempotency.begin(transaction, keyed)
            if kept is not None:
                answer = Answer(kept.status, _cipher(keyed, base64.b64decode(kept.body)).decode(), kept.headers)
                return respond(answer, is_repeated=True)
            answer = work(transaction)
            secret = base64.b64encode(_cipher(keyed, answer.body.encode())).decode()
            idempotency.keep(transaction, keyed, Answer(answer.status, secret, answer.headers))
    return respond(answer)


def _cipher(keyed: Request, text: bytes) -> bytes:
    """Enciphers and deciphers: HMAC-SHA256 in counter mode, keyed by who asks and the request's own key and body."""
    key = f"{keyed.scope}\n{request.environ[IN_ENVIRON]}\n".encode() + request.get_data()
    blocks = range((len(text) + 31) // 32)
    stream = b"".join(hmac.digest(key, number.to_bytes(8), "sha256") for number in blocks)
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def respond(answer: Answer, is_repeated: bool = False) -> Response:
    body = answer.body.encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **answer.headers}
    if is_repeated:
        headers["Idempotent-Replayed"] = "true"
    return Finished([body], answer.status, headers)


def json_answer(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    return Answer(status, current_app.json.dumps(body) + "\n", headers or {})
