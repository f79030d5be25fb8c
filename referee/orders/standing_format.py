"""Standing orders as a player would write them, and as JSON has them."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.options import fields_of
from referee.orders.conditions import format_amount, format_condition
from referee.orders.notation import say
from referee.orders.open_orders import leading
from referee.orders.standing import (
    DEFAULT,
    SECONDS,
    WAIT,
    Action,
    Anything,
    Bound,
    Clause,
    Everything,
    Ranked,
    StandingOrder,
)
from referee.table import AnyGame


def format_order(game: AnyGame, order: StandingOrder) -> str:
    """A standing order as a player would write it."""
    scope: list[str] = [] if order.when == "always" else [order.when]
    if order.phases:
        scope.append("in " + " or ".join(order.phases))
    if order.condition:
        scope.append(f"if {format_condition(game, order.condition)}")
    parts = [format_clause(game, clause) for clause in order.do] + list(_limits(game, order))
    return f"{' '.join(scope) or 'always'}: {'; '.join(parts)}"


def format_clause(game: AnyGame, clause: Clause) -> str:
    steps = ", then ".join(" else ".join(format_action(game, action) for action in step) for step in clause.do)
    return f"{steps} if {format_condition(game, clause.condition)}" if clause.condition else steps


def format_action(game: AnyGame, action: Action) -> str:
    """An order with its choices, as it is written."""
    if action.order == WAIT:
        return "wait for me"
    if action.order == DEFAULT:
        return DEFAULT
    kind = game.moves_by_name[action.order]
    required = {field.name: Anything() for field in fields_of(kind) if field.required}
    if len(required) > 1 and action.fields == required:
        return f"{leading(kind.notation)} any"
    if required and action.fields == required and (verb := leading(kind.notation)) in kind.also:
        return verb
    defaults = {field.name: field.default for field in fields_of(kind)}
    said: list[str] = []
    for piece in re.split(r"(\[[^\]]*\])", kind.notation):
        is_optional = piece.startswith("[")
        names = re.findall(r"\{(\w+)\}", piece)
        if is_optional and all(name not in action.fields for name in names):
            continue
        said.append(
            re.sub(
                r"\{(\w+)\}",
                lambda match: _choice(game, match[1], action.fields.get(match[1], defaults[match[1]])),
                piece.strip("[]"),
            )
        )
    return " ".join(" ".join(said).split())


def _choice(game: AnyGame, field: str, choice: Any) -> str:
    match choice:
        case Anything():
            return "any"
        case Everything():
            return "all"
        case Ranked(values):
            return "any of " + ", ".join(say(game, field, value) for value in values)
        case Bound(pick, at_least, up_to):
            said = [] if (up_to and pick == "most") or (at_least and not up_to and pick == "least") else [f"the {pick}"]
            said += [f"at least {format_amount(at_least)}"] if at_least else []
            said += [f"up to {format_amount(up_to)}"] if up_to else []
            return " ".join(said)
    return say(game, field, choice)


def _limits(game: AnyGame, order: StandingOrder) -> Iterator[str]:
    if order.only_while:
        yield f"while {format_condition(game, order.only_while)}"
    if order.until_row is not None:
        yield f"until row {order.until_row}"
    if order.until_round is not None:
        yield f"until round {order.until_round}"
    if order.until is not None:
        yield f"until {order.until}"
    if order.times is not None:
        yield f"at most {order.times} times"
    if order.after:
        unit = next(unit for unit, seconds in SECONDS.items() if order.after % seconds == 0)
        yield f"after {order.after // SECONDS[unit]}{unit}"
    if order.stop_when:
        yield f"stop when {' or '.join(order.stop_when)}"
    if order.if_impossible:
        yield f"{order.if_impossible} if impossible"


def as_data(order: StandingOrder) -> dict[str, Any]:
    """The order as JSON has it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(order))
    return found
