"""What can stand in the way of a request. Messages are written for the person who gets them."""

from typing import ClassVar

from store.errors import Unavailable as Unavailable


class ServiceError(Exception):
    """Nothing was changed. `code` is stable and meant for programs."""

    code: ClassVar[str] = "service"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(ServiceError):
    """What was asked for cannot be; `field` is the part of the request to change, `problems` is all that is wrong."""

    code = "invalid_request"

    def __init__(self, field: str, message: str, problems: list[str] | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.problems = problems or [message]


class NotFound(ServiceError):
    code = "not_found"


class Conflict(ServiceError):
    """The request does not fit the state of things: a name is taken, a seat is filled, a game has started."""

    code = "conflict"


class Banned(ServiceError):
    """The player is shut out by whoever runs the service, perhaps with a reason."""

    code = "banned"

    def __init__(self, reason: str = "") -> None:
        why = f" ({reason})" if reason else ""
        super().__init__(f"You are banned from this service{why}. Whoever runs it can lift that.")


class WrongStatus(Conflict):
    """The game is not running, or not open, or not paused."""

    code = "wrong_status"


class OtherRules(ServiceError):
    """The game was begun under rules that are not here, by another version of the service."""

    code = "other_rules"


class NoSeat(ServiceError):
    """The player has no seat in the game, or not that one: perhaps it has just changed hands."""

    code = "no_seat"

    def __init__(self) -> None:
        super().__init__("You have no seat in this game.")


class Stale(ServiceError):
    """The caller expected another sequence number; `sequence` is the game's now."""

    code = "stale"

    def __init__(self, message: str, sequence: int) -> None:
        super().__init__(message)
        self.sequence = sequence


class TooMany(ServiceError):
    """More than anybody may do in a time; `retry_after` is in how many seconds there is room again."""

    code = "too_many_requests"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class KeyReused(ServiceError):
    """An idempotency key came again with another request."""

    code = "key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request; take a new one for each request.")
