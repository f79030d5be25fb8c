"""Whether a standing order can be meant in a game: its orders, fields, facts, phases and events exist, and fit."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec

from referee.options import fields_of
from referee.orders.deciding import most_times
from referee.orders.notation import pattern_of
from referee.orders.standing import (
    MOST_CONDITIONS,
    OWN_ORDERS,
    Action,
    Anything,
    Bound,
    Can,
    Everything,
    Holds,
    Is,
    Ranked,
    StandingOrder,
    actions_of,
    amounts_of,
    conditions_of,
)
from referee.orders.standing_text import phases_by_words
from referee.seat_facts import Kind
from referee.table import AnyGame


def problems_of(game: AnyGame, order: StandingOrder) -> Iterator[str]:
    """Everything in an order that this game does not have."""
    for phase in order.phases:
        if phase not in phases_by_words(game).values():
            known = ", ".join(dict.fromkeys(phases_by_words(game).values()))
            yield f"“{phase}” is no phase of this game; the phases are: {known}."
    for event in order.stop_when:
        if event not in {known.name for known in game.standing.events}:
            known = ", ".join(known.name for known in game.standing.events) or "none"
            yield f"“{event}” is no event of this game; the events are: {known}."
    if order.until_round is not None and "round" not in game.standing.by_name:
        yield "This game has no rounds."
    if order.when != "always" and order.times not in (None, most_times(order)):
        yield f"An order that is done {order.when} has no number of times."
    conditions = list(conditions_of(order))
    if len(conditions) > MOST_CONDITIONS:
        yield f"At most {MOST_CONDITIONS} comparisons in one standing order, not {len(conditions)}."
        return
    for condition in conditions:
        match condition:
            case Is(fact, any_of, same_as):
                yield from _fact_problems(game, fact, "word", "list")
                if same_as:
                    yield from _fact_problems(game, same_as, "word", "list")
                if bool(same_as) == bool(any_of):
                    yield f"“{fact}” is compared with words, or with one other fact."
            case Holds(fact):
                yield from _fact_problems(game, fact, "flag")
            case Can(kind) if kind not in game.moves_by_name:
                yield f"“{kind}” is no order of this game."
    for amount in amounts_of(order):
        for name in (*amount.plus, *amount.minus):
            yield from _fact_problems(game, name, "number")
    for action in actions_of(order):
        yield from _action_problems(game, action)


def _fact_problems(game: AnyGame, name: str, *kinds: Kind) -> Iterator[str]:
    fact = game.standing.by_name.get(name)
    if fact is None:
        yield f"“{name}” is no fact of this game; the facts are: {', '.join(game.standing.by_name)}."
    elif fact.kind not in kinds:
        yield f"“{name}” is a {fact.kind}, and here a {' or a '.join(kinds)} is needed."


def _action_problems(game: AnyGame, action: Action) -> Iterator[str]:
    if action.order in OWN_ORDERS:
        if action.fields:
            yield f"“{action.order}” has no fields."
        return
    kind = game.moves_by_name.get(action.order)
    if kind is None:
        yield f"“{action.order}” is no order of this game; the orders are: {', '.join(game.moves_by_name)}."
        return
    if kind.leaves_the_game:
        yield "Leaving the game is not left to a standing order."
    written, fields = pattern_of(kind), {field.name: field for field in fields_of(kind)}
    for name in action.fields:
        if name not in fields:
            yield f"“{written}” has no field {name}."
    for name, field in fields.items():
        if name not in action.fields:
            if field.required:
                yield f"“{written}” needs its {name.upper()}, or “any”."
        elif not _fits(action.fields[name], field.type):
            yield f"The {name.upper()} of “{written}” cannot be that."


def _fits(choice: Any, kind: Any) -> bool:
    """Whether a choice can be one for a field of a type."""
    is_list = get_origin(kind) is tuple
    is_number = kind is int or (is_list and get_args(kind)[0] is int)
    match choice:
        case Anything():
            return True
        case Everything():
            return is_list or is_number
        case Bound():
            return kind is int
        case Ranked():
            return not is_number
    try:
        msgspec.convert(choice, kind)
    except msgspec.ValidationError:
        return False
    return True
