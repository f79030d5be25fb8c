"""Everything that can go wrong, as RFC 9457 problems: stable types, and a sentence for the person who gets them."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NoReturn

import structlog
from flask import Response, current_app, g
from werkzeug.exceptions import HTTPException

from referee.errors import AmbiguousOrder, IllegalOrder, InvalidOrder, OrderError
from service.errors import (
    Banned,
    Conflict,
    Invalid,
    KeyReused,
    NoSeat,
    NotFound,
    OtherRules,
    ServiceError,
    Stale,
    TooMany,
    Unavailable,
    WrongStatus,
)

log = structlog.get_logger("waybill.api")

PROBLEM_JSON = "application/problem+json"

# What is in the way of a move rather than wrong with it.
NOT_NOW = frozenset({"not_your_turn", "game_over"})

SERVICE_STATUS: dict[type[ServiceError], HTTPStatus] = {
    Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFound: HTTPStatus.NOT_FOUND,
    Banned: HTTPStatus.FORBIDDEN,
    NoSeat: HTTPStatus.FORBIDDEN,
    WrongStatus: HTTPStatus.CONFLICT,
    Conflict: HTTPStatus.CONFLICT,
    OtherRules: HTTPStatus.CONFLICT,
    Stale: HTTPStatus.PRECONDITION_FAILED,
    KeyReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
}

AWAY = "The database does not answer now. Send the same request again, with the same Idempotency-Key."

# Where the name of a status is not the same in all versions of Python.
KINDS: dict[int, str] = {413: "too-large"}

# Where the library does not say what would be right.
ELSEWHERE: dict[int, str] = {
    404: "There is nothing at this address; /v1/docs lists those that there are.",
    405: "This address understands: {allowed}.",
}

MOST_SHOWN = 5  # mistakes of a request in its `detail`

ORDER_TYPES: dict[type[OrderError], str] = {
    InvalidOrder: "invalid-order",
    IllegalOrder: "illegal-order",
    AmbiguousOrder: "ambiguous-order",
}


class Problem(HTTPException):
    """A problem that is raised: its type's last part, its status, a sentence, and further members."""

    def __init__(self, status: HTTPStatus, kind: str, detail: str, headers: dict[str, str] | None = None, **more: Any):
        super().__init__(detail)
        self.code = int(status)
        self.kind = kind
        self.more = more
        self.headers = headers or {}

    def get_response(self, *_: Any, **__: Any) -> Response:
        return problem(self.code or 500, self.kind, self.description or "", self.headers, **self.more)


def refuse(status: HTTPStatus, kind: str, detail: str, headers: dict[str, str] | None = None, **more: Any) -> NoReturn:
    raise Problem(status, kind, detail, headers, **more)


def problem(status: int, kind: str, detail: str, headers: dict[str, str] | None = None, **more: Any) -> Response:
    body = {
        "type": f"urn:waybill:problem:{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    return Response(current_app.json.dumps(body) + "\n", status, headers, content_type=PROBLEM_JSON)


def from_http_exception(error: HTTPException) -> Response:
    if isinstance(error, Problem):
        return error.get_response()
    status = error.code or 500
    data = getattr(error, "data", None) or {}
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    if "messages" in data:
        wrong = data["messages"]
        found = [sentence for part in wrong.values() for sentence in _sentences(part)]
        rest = [f"And {len(found) - MOST_SHOWN} more."] if len(found) > MOST_SHOWN else []
        return problem(status, "invalid-request", " ".join(found[:MOST_SHOWN] + rest), headers, errors=wrong)
    kind = KINDS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "-")
    detail = data.get("message") or error.description or HTTPStatus(status).phrase
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        detail = f"The limit is {detail}; Retry-After says when to come again."
    elif status in ELSEWHERE:
        detail = ELSEWHERE[status].format(allowed=headers.get("Allow"))
    return problem(status, kind, detail, headers)


def _sentences(wrong: Any, *path: str) -> Iterator[str]:
    """What marshmallow found, with the names of the fields: `seats.0.kind: Must be one of: ...`."""
    if isinstance(wrong, dict):
        for name, more in wrong.items():
            yield from _sentences(more, *path, *([] if name == "_schema" else [str(name)]))
    else:
        yield from (": ".join(filter(None, (".".join(path), str(message)))) for message in wrong)


def from_order_error(error: OrderError) -> Response:
    status = HTTPStatus.CONFLICT if error.code in NOT_NOW else HTTPStatus.UNPROCESSABLE_ENTITY
    reasons = {name: value for name, value in error.to_dict().items() if name not in ("kind", "message")}
    return problem(status, ORDER_TYPES[type(error)], error.message, **reasons)


def from_service_error(error: ServiceError) -> Response:
    status = SERVICE_STATUS[type(error)]
    kind = error.code.replace("_", "-")
    if isinstance(error, Stale):
        return problem(status, kind, error.message, sequence=error.sequence)
    if isinstance(error, Invalid):
        return problem(status, kind, error.message, field=error.field, errors={error.field: error.problems})
    if isinstance(error, TooMany):
        return problem(status, kind, error.message, {"Retry-After": str(error.retry_after)})
    return problem(status, kind, error.message)


def from_unavailable(error: Unavailable) -> Response:
    # Addresses and roles of the database are for operators.
    log.warning("unavailable", reason=error.message)
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", AWAY, {"Retry-After": str(error.retry_after)})


def from_bug(error: Exception) -> Response:
    """What nobody foresaw: the log gets the story, the caller a number to ask about."""
    log.error("unhandled error", exc_info=error)
    detail = f"Something is wrong here, not with your request. It is noted as {g.get('request_id', 'unknown')}."
    return problem(500, "internal-error", detail)
