"""Standing orders as data: what a seat wants done when it is asked, one model behind the text and the JSON.

A standing order has clauses; of a clause's steps each answers one decision, with alternatives in the order of
preference. Facts are compared and no more: no loops, plus and minus alone, and bounds on everything.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta

WAIT = "wait"  # the order that leaves the decision to the player
DEFAULT = "default"  # the order for what the referee plays in place of the late
OWN_ORDERS = frozenset({WAIT, DEFAULT})

MOST_ORDERS = 40  # of a seat
MOST_CLAUSES = 12
MOST_STEPS = 12
MOST_ALTERNATIVES = 24
MOST_CONDITIONS = 40  # within one order
LONGEST_PAUSE = 14 * 24 * 3600  # seconds
SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}  # of the units in which a pause is written
MOST_TIMES = 1000
LARGEST = 10**9  # of a number in an order

MOMENT = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"

Name = Annotated[str, Meta(min_length=1, max_length=80)]
Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Comparison = Literal["<", "<=", "=", "!=", ">=", ">"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any part of a standing order."""


class Amount(Part, frozen=True):
    """A sum of facts and a number: `cash - price + 5`."""

    plus: Annotated[tuple[Name, ...], Meta(max_length=4)] = ()
    minus: Annotated[tuple[Name, ...], Meta(max_length=4)] = ()
    number: Number = 0


class Compare(Part, frozen=True, tag_field="test", tag="compare"):
    left: Amount
    op: Comparison
    right: Amount


class Is(Part, frozen=True, tag_field="test", tag="is"):
    """A word is one of these, or the same as another fact; of a list, one of these is in it."""

    fact: Name
    any_of: Annotated[tuple[Name, ...], Meta(max_length=MOST_ALTERNATIVES)] = ()
    same_as: Annotated[str, Meta(max_length=80)] = ""


class Holds(Part, frozen=True, tag_field="test", tag="holds"):
    fact: Name


class Can(Part, frozen=True, tag_field="test", tag="can"):
    """An order of this type is possible now."""

    order: Name


class Not(Part, frozen=True, tag_field="test", tag="not"):
    condition: "Condition"


class AllOf(Part, frozen=True, tag_field="test", tag="and"):
    conditions: "Annotated[tuple[Condition, ...], Meta(min_length=2, max_length=MOST_CONDITIONS)]"


class AnyOf(Part, frozen=True, tag_field="test", tag="or"):
    conditions: "Annotated[tuple[Condition, ...], Meta(min_length=2, max_length=MOST_CONDITIONS)]"


Condition = Union[Compare, Is, Holds, Can, Not, AllOf, AnyOf]  # noqa: UP007 - named in strings above


class Bound(Part, frozen=True, tag_field="choose", tag="number"):
    """The least or the most that is legal, within these bounds."""

    pick: Literal["least", "most"]
    at_least: Amount | None = None
    up_to: Amount | None = None


class Ranked(Part, frozen=True, tag_field="choose", tag="ranked"):
    """For a field that takes several: those of these that are there, in this order, as many as may be."""

    values: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_ALTERNATIVES)]


class Everything(Part, frozen=True, tag_field="choose", tag="all"):
    """As much as there is."""


class Anything(Part, frozen=True, tag_field="choose", tag="any"):
    """Whatever is offered first."""


Text = Annotated[str, Meta(max_length=80)]
Choice = Union[  # noqa: UP007
    Number, Text, Annotated[tuple[Number | Text, ...], Meta(max_length=100)], Bound, Ranked, Everything, Anything
]


class Action(Part, frozen=True):
    """An order with a choice for each of its fields; those that are not named have their default. `wait` leaves the
    decision to the player."""

    order: Name
    fields: Annotated[dict[str, Choice], Meta(max_length=12)] = {}

    def __hash__(self) -> int:
        return hash((self.order, *sorted(self.fields)))


Alternatives = Annotated[tuple[Action, ...], Meta(min_length=1, max_length=MOST_ALTERNATIVES)]
Steps = Annotated[tuple[Alternatives, ...], Meta(min_length=1, max_length=MOST_STEPS)]


class Clause(Part, frozen=True, rename={"condition": "if"}):
    """What to do, one step a decision, if a condition holds when it begins."""

    do: Steps
    condition: Condition | None = None


class StandingOrder(Part, frozen=True, rename={"condition": "if", "only_while": "while"}):
    """The first clause that can be done is done.

    `next` is a queued turn, done once when the seat must answer; `once` and `always` are rules. Limits end an order:
    a row, a round, a moment, a number of times, an event. `after` is how long the player may look first, in seconds.
    """

    do: Annotated[tuple[Clause, ...], Meta(min_length=1, max_length=MOST_CLAUSES)]
    when: Literal["next", "once", "always"] = "always"
    phases: Annotated[tuple[Name, ...], Meta(max_length=12)] = ()
    condition: Condition | None = None
    only_while: Condition | None = None
    until_row: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    until_round: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    until: Annotated[str, Meta(pattern=MOMENT)] | None = None  # in UTC
    times: Annotated[int, Meta(ge=1, le=MOST_TIMES)] | None = None
    after: Annotated[int, Meta(ge=0, le=LONGEST_PAUSE)] = 0
    stop_when: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    if_impossible: Literal["drop", "keep"] | None = None  # None: a rule is kept, and what is done once is dropped

    @property
    def is_kept(self) -> bool:
        """Whether it stays when it turns out impossible."""
        return (self.if_impossible or ("keep" if self.when == "always" else "drop")) == "keep"


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a standing order has come: how often it was done, and which step of which clause is next."""

    used: int = 0
    clause: int = 0
    step: int = 0  # of the clause that was begun; 0: none was
    row: int = -1  # of its last move


class Kept(msgspec.Struct, frozen=True):
    """A standing order as a seat has it: with a number by which it is called, its text, and its progress."""

    number: int
    text: str
    order: StandingOrder
    progress: Progress = Progress()
    since: int = -1  # the row at which it was given


def seconds_of(moment: str) -> int:
    """A moment in seconds since 1970; the referee knows no clock, and is told what time it is."""
    year, month, day, hour, minute, second = (int(part) for part in re.findall(r"\d+", moment))
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)  # a leap day is the last of its year
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def conditions_of(order: StandingOrder) -> Iterator[Condition]:
    """Every condition within an order, with those inside of others."""
    waiting = [order.condition, order.only_while, *(clause.condition for clause in order.do)]
    while waiting:
        found = waiting.pop()
        if found is None:
            continue
        yield found
        match found:
            case Not(condition):
                waiting.append(condition)
            case AllOf(conditions) | AnyOf(conditions):
                waiting.extend(conditions)


def amounts_of(order: StandingOrder) -> Iterator[Amount]:
    for found in conditions_of(order):
        if isinstance(found, Compare):
            yield from (found.left, found.right)
    for action in actions_of(order):
        for choice in action.fields.values():
            if isinstance(choice, Bound):
                yield from (bound for bound in (choice.at_least, choice.up_to) if bound)


def actions_of(order: StandingOrder) -> Iterator[Action]:
    return (action for clause in order.do for step in clause.do for action in step)


def read_orders(data: Any) -> tuple[StandingOrder, ...]:
    """Standing orders from plain data; raises msgspec.ValidationError with the place of what is wrong."""
    found: tuple[StandingOrder, ...] = msgspec.convert(
        data, Annotated[tuple[StandingOrder, ...], Meta(max_length=MOST_ORDERS)]
    )
    return found
