"""What is wrong with the shape of plain data: everything, where msgspec stops at the first mistake."""

import difflib
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec

PLAIN = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "a mapping",
    "str": "text",
}


def validation_problems(data: Any, kind: Any, place: str = "") -> Iterator[str]:
    """Each mistake with its place: `cities[3].lat: Expected a number, got text`."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(data, dict):
        yield from _struct_problems(data, kind, place)
    elif isinstance(data, list) and get_args(kind)[1:] == (...,):
        for index, item in enumerate(data):
            yield from validation_problems(item, get_args(kind)[0], f"{place}[{index}]")
    elif isinstance(data, dict) and get_origin(kind) is dict:
        for key, value in data.items():
            yield from validation_problems(value, get_args(kind)[1], _inside(place, key))
    else:
        try:
            msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            message, _, inner = str(error).partition(" - at `$")
            plain = re.sub(r"`(\w+)`", lambda name: PLAIN.get(name[1], name[1]), message)
            yield f"{place}{inner.rstrip('`')}: {plain}" if place else plain


def _struct_problems(data: dict[Any, Any], kind: type[msgspec.Struct], place: str) -> Iterator[str]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in data:
        if key not in fields:
            near = difflib.get_close_matches(str(key), fields, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(fields)}"
            yield f"{_inside(place, key)}: this key is not known; {hint}"
    for name, field in fields.items():
        if name in data:
            yield from validation_problems(data[name], field.type, _inside(place, name))
        elif field.required:
            yield f"{_inside(place, name)}: missing"


def _inside(place: str, key: object) -> str:
    return f"{place}.{key}" if place else str(key)
