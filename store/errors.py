"""What can go wrong between a caller and the store. Messages are written for the person who gets them."""

from typing import ClassVar


class StoreError(Exception):
    """Nothing was changed. `code` is stable and meant for programs."""

    code: ClassVar[str] = "store"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unavailable(StoreError):
    """The database does not answer now. Whether a write happened is not known: the idempotency key tells."""

    code = "unavailable"
    retry_after = 1  # seconds


class NotFound(StoreError):
    code = "not_found"


class Conflict(StoreError):
    """The request does not fit the state of things: a name is taken, a seat is filled, a game has started."""

    code = "conflict"


class WrongStatus(Conflict):
    """The game is not running, or not open, or not paused."""

    code = "wrong_status"


class OtherRules(StoreError):
    """The game was begun under rules that are not here, by another version of the service."""

    code = "other_rules"


class Stale(StoreError):
    """The caller expected another sequence number; `sequence` is the game's now."""

    code = "stale"

    def __init__(self, message: str, sequence: int) -> None:
        super().__init__(message)
        self.sequence = sequence


class KeyReused(StoreError):
    """An idempotency key came again with another request."""

    code = "key_reused"
