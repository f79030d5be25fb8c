"""What can go wrong. Every error says so in words; a Problem also has what programs need to act on it."""

from typing import Any


class WaybillError(Exception):
    """The base of all errors of this package."""


class Unreachable(WaybillError):
    """The service gave no answer, however often it was asked. A write that was not answered may have been done: the
    same call, made again with the same key, is done once."""


class Problem(WaybillError):
    """The service refused, and nothing was changed. `kind` is the last part of the problem's type."""

    def __init__(self, status: int, data: dict[str, Any]) -> None:
        self.status = status
        self.data = data
        self.kind = str(data.get("type", "")).rpartition(":")[2]
        self.detail = str(data.get("detail") or data.get("title") or f"The service answered {status}.")
        super().__init__(self.detail)


class Stale(Problem):
    """The game has moved on. `sequence` is where it is now."""

    @property
    def sequence(self) -> int:
        return int(self.data["sequence"])


class RefusedOrder(Problem):
    """The orders cannot be played. `nearest` is a legal move like the refused one."""

    @property
    def code(self) -> str:
        return str(self.data.get("code", ""))

    @property
    def nearest(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.data.get("nearest")
        return found


class NotFound(Problem):
    """It is not there, or not for you to know of."""


class Unauthorized(Problem):
    """The token is not known, or was revoked."""


class NotAMove(WaybillError, ValueError):
    """A value that an offer does not allow, found before anything is sent."""


class BadRecord(WaybillError):
    """A record that does not hold: what was wrong, and in which row."""


class BadSignature(WaybillError):
    """A request that did not come from the service, or came too late."""


KINDS: dict[str, type[Problem]] = {
    "stale": Stale,
    "illegal-order": RefusedOrder,
    "invalid-order": RefusedOrder,
    "ambiguous-order": RefusedOrder,
    "not-found": NotFound,
    "unauthorized": Unauthorized,
}


def problem_of(status: int, data: dict[str, Any]) -> Problem:
    kind = str(data.get("type", "")).rpartition(":")[2]
    return KINDS.get(kind, Problem)(status, data)
