"""The ways a move is wrong: not readable, against the rules, or readable in two ways."""

from collections.abc import Mapping
from typing import Any, ClassVar

LONGEST_MESSAGE = 800  # it may quote what somebody sent


class OrderError(Exception):
    """A refused order. Nothing has changed; the fields say what was wrong and what would be right.

    `code` is stable and meant for programs, `message` is a sentence for the player, `numbers` are the figures the
    sentence rests on, `rule` names the rule or ruling, `nearest` is a legal move close to the refused one, and `index`
    is the place of the refused order in its submission. A game sets `nothing_near` where no other move would do
    instead: then none is proposed.
    """

    kind: ClassVar[str] = "refused"

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str = "",
        rule: str = "",
        numbers: Mapping[str, int] | None = None,
        nearest: Mapping[str, Any] | None = None,
        readings: tuple[str, ...] = (),
    ) -> None:
        message = message.encode(errors="replace").decode()  # it may quote half a character
        if len(message) > LONGEST_MESSAGE:
            message = message[:LONGEST_MESSAGE] + "…"
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.rule = rule
        self.numbers = dict(numbers or {})
        self.nearest = nearest
        self.readings = readings
        self.index = 0
        self.nothing_near = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "code": self.code,
            "message": self.message,
            "field": self.field,
            "rule": self.rule,
            "numbers": self.numbers,
            "nearest": self.nearest,
            "readings": list(self.readings),
            "index": self.index,
        }


class InvalidOrder(OrderError):
    """The order cannot be read: an unknown type, a missing field, a word that means nothing here."""

    kind = "invalid"


class IllegalOrder(OrderError):
    """The order is understood, and the rules forbid it now."""

    kind = "illegal"


class AmbiguousOrder(OrderError):
    """The order can be read in more than one way; `readings` lists them."""

    kind = "ambiguous"


class BoardError(Exception):
    """A board file is wrong; `problems` lists everything found, in the order of the file."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class RecordError(Exception):
    """A record does not hold; `row` is the first line that differs, None when no single line is to blame."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class StaysBehind(Exception):
    """A game cannot be carried over to newer rules; `row` is the first that they do not make the same of, None when no
    single row is to blame."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row
