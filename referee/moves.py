"""Moves and events as plain data, typed again; what is wrong with data that is no move."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from referee.contract import Event, Game, and_list
from referee.errors import InvalidOrder
from referee.log import ENGINE_EVENTS
from referee.options import Move, fields_of, type_name
from referee.orders.notation import pattern_of

AnyGame = Game[Any, Any, Any]

SHAPES: Mapping[Any, str] = {  # what a field of a move can hold
    int: "a whole number",
    str: "a name",
    tuple[int, ...]: "a list of whole numbers",
    tuple[str, ...]: "a list of names",
}


def read_move(game: AnyGame, order: Any) -> Move:
    """A move from plain data; whatever is not of a known shape is an InvalidOrder."""
    if isinstance(order, Move):
        return order
    if not isinstance(order, dict):
        raise InvalidOrder("not_an_object", "A move is an object with its type and its fields.")
    kinds = game.moves_by_name
    kind = kinds.get(order["type"]) if isinstance(order.get("type"), str) else None
    if kind is None:
        written = "; ".join(map(pattern_of, game.move_types))
        raise InvalidOrder("unknown_type", f"There is no move of this type. The moves are: {written}.", field="type")
    try:
        return msgspec.convert(order, kind)
    except msgspec.ValidationError:
        pass
    order = {name: _whole(value) for name, value in order.items()}
    try:
        return msgspec.convert(order, kind)
    except msgspec.ValidationError:
        raise _wrong_shape(kind, order) from None


def _wrong_shape(kind: type[Move], order: dict[str, Any]) -> InvalidOrder:
    """Which field of a move cannot be read, and what belongs there."""
    written = pattern_of(kind)
    for field in fields_of(kind):
        if field.name not in order:
            if field.required:
                message = f"“{written}” needs its {field.name.upper()}: {_shape(field.type)}."
                return InvalidOrder("wrong_shape", message, field=field.name)
            continue
        try:
            msgspec.convert(order[field.name], field.type)
        except msgspec.ValidationError:
            message = f"The {field.name.upper()} of “{written}” must be {_shape(field.type)}."
            return InvalidOrder("wrong_shape", message, field=field.name)
    names = [field.name.upper() for field in fields_of(kind)]
    message = f"“{written}” has {f'the fields {and_list(names)}' if names else 'no fields'}, and nothing else."
    return InvalidOrder("wrong_shape", message)


def _shape(kind: Any) -> str:
    """What a field holds, for people; a field with few values may name them in its type."""
    return SHAPES.get(kind) or f"one of {and_list(get_args(kind))}"


def read_event(game: AnyGame, data: Any) -> Event:
    """An event from the log, typed again."""
    kinds: tuple[type[Event], ...] = (*game.event_types, *ENGINE_EVENTS)
    kind = next(kind for kind in kinds if type_name(kind) == data["type"])
    return msgspec.convert(data, kind)


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is 3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return [_whole(item) if isinstance(item, float) else item for item in value] if isinstance(value, list) else value
