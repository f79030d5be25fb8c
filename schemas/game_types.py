"""The types of each game in the OpenAPI document: moves, events, view and settings, all read off the rules.

Their names begin with the game's (`AirlinesEuropeBuy`), so that no two games have a type of the same name.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args, get_type_hints

import msgspec

from referee.contract import Event, Game, View
from referee.games import all_games
from referee.log import ENGINE_EVENTS
from referee.options import Move, type_name

REF = "#/components/schemas/{name}"
Schema = dict[str, Any]
GameType = type[Game[Any, Any, Any]]


def title_of(key: str) -> str:
    """airlines-europe -> AirlinesEurope."""
    return "".join(word.capitalize() for word in key.split("-"))


def move_types(game: GameType) -> list[type[Move]]:
    return list(dict.fromkeys(move for phase in game.phase_types for move in phase.moves))


def move_schema(kind: type[Move]) -> Schema:
    """A move type as JSON Schema: its shape, whatever the position."""
    _, found = msgspec.json.schema_components([kind])
    return {**tidy(found[kind.__name__]), "description": f"Written: {kind.notation}"}


def components() -> dict[str, Schema]:
    """The types of all games, and those that any game's value has: `Move`, `PlayedMove`, `Event`, `View`."""
    found: dict[str, Schema] = {}
    for key in all_games():
        found |= types_of(key)
    found |= told([*ENGINE_EVENTS], lambda name: f"{name}Event")
    titles = {key: title_of(key) for key in all_games()}
    found["Move"] = {
        "title": "Move",
        "description": "A move of the game in question; `/options` gives the exact schema of a position.",
        "anyOf": [ref_to(f"{title}Move") for title in titles.values()],
    }
    found["PlayedMove"] = {
        "title": "PlayedMove",
        "description": "A move as the log has it. What you may not know of it is null.",
        "anyOf": [ref_to(f"{title}PlayedMove") for title in titles.values()],
    }
    found["Event"] = {
        "title": "Event",
        "description": "Something that happened. What you may not know of it is null.",
        "anyOf": [ref_to(f"{title}Event") for title in titles.values()]
        + [ref_to(f"{kind.__name__}Event") for kind in ENGINE_EVENTS],
    }
    mapping = {key: REF.format(name=f"{title}View") for key, title in titles.items()}
    found["View"] = {
        "title": "View",
        "description": "A game as you may see it.",
        "oneOf": [{"$ref": one} for one in mapping.values()],
        "discriminator": {"propertyName": "game", "mapping": mapping},
    }
    return found


def types_of(key: str) -> dict[str, Schema]:
    """The types of one game."""
    game, title = all_games()[key], title_of(key)
    found: dict[str, Schema] = {}

    sent = {type_name(kind): f"{title}{kind.__name__}" for kind in move_types(game)}
    for kind in move_types(game):
        found[sent[type_name(kind)]] = {**move_schema(kind), "title": sent[type_name(kind)]}
    found[f"{title}Move"] = union(f"{title}Move", f"A move of {game.name}.", sent)

    played = dict(sent)
    for kind in move_types(game):
        if kind.hidden:
            played[type_name(kind)] = name = f"{title}Played{kind.__name__}"
            found[name] = {**nullable(move_schema(kind), kind.hidden), "title": name}
    description = f"A move of {game.name} as the log has it. What you may not know of it is null."
    found[f"{title}PlayedMove"] = union(f"{title}PlayedMove", description, played)

    found |= told(game.event_types, lambda name: f"{title}{name}Event")
    events = {type_name(kind): f"{title}{kind.__name__}Event" for kind in game.event_types}
    found[f"{title}Event"] = union(f"{title}Event", f"What can happen in {game.name}.", events)

    table = get_type_hints(game.view)["return"]
    found |= told([table], lambda name: f"{title}Table" + ("" if name == table.__name__ else name.removesuffix("View")))
    found |= told([game.settings_type], lambda name: f"{title}{name}")
    found[f"{title}View"] = view_schema(key, title)
    return found


def document(key: str) -> Schema:
    """The types of one game as a JSON Schema of their own. What fits it is a move, an event, a view, settings or a
    board; each can be had by its name in `$defs`."""
    game, title = all_games()[key], title_of(key)
    _, shared = msgspec.json.schema_components([View], ref_template=REF)
    found = types_of(key) | {name: answer(schema) for name, schema in shared.items() if name != "View"}
    found |= told([game.board_type], lambda name: f"{title}Board" + ("" if name == game.board_type.__name__ else name))
    places = {REF.format(name=name): f"#/$defs/{name}" for name in found}
    kinds = ("Move", "PlayedMove", "Event", "View", "Settings", "Board")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": f"The types of {game.name}, rules {game.version}.",
        "anyOf": [{"$ref": f"#/$defs/{title}{kind}"} for kind in kinds],
        "$defs": {name: _with_names(without_mapping(found[name]), places) for name in sorted(found)},
    }


def without_mapping(schema: Schema) -> Schema:
    """JSON Schema knows no discriminator; the constants in `type` tell the parts of a union apart as well."""
    return {name: part for name, part in schema.items() if name != "discriminator"}


def view_schema(key: str, title: str) -> Schema:
    """A whole view of one game."""
    _, found = msgspec.json.schema_components([View], ref_template=REF)
    view = answer(found["View"])
    view["properties"] |= {
        "game": {"type": "string", "const": key},
        "settings": ref_to(f"{title}Settings"),
        "table": ref_to(f"{title}Table"),
    }
    return {**view, "title": f"{title}View", "description": f"A game of {all_games()[key].name} as you may see it."}


def told(kinds: Iterable[type[msgspec.Struct]], naming: Callable[[str], str]) -> dict[str, Schema]:
    """Structs that are only ever answered, and those within them, under other names."""
    kinds = list(kinds)
    _, found = msgspec.json.schema_components(kinds, ref_template=REF)
    names = {REF.format(name=name): REF.format(name=naming(name)) for name in found}
    structs = {kind.__name__: kind for kind in structs_within(*kinds)}
    renamed = {}
    for name, schema in found.items():
        kind = structs.get(name)
        schema = answer(schema, may_lack(kind) if kind else ())
        schema = nullable(schema, kind.hidden if kind and issubclass(kind, Event) else ())
        renamed[naming(name)] = {**_with_names(schema, names), "title": naming(name)}
    return renamed


def structs_within(*kinds: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs that types are made of, each once, however they hold each other."""
    waiting, seen = list(kinds), set()
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            if kind in seen:
                continue
            seen.add(kind)
            yield kind
            waiting += [field.type for field in msgspec.structs.fields(kind)]
        else:
            waiting += get_args(kind)


def may_lack(kind: type[msgspec.Struct]) -> list[str]:
    """The fields that are left out where they say nothing."""
    omits = kind.__struct_config__.omit_defaults
    return [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.default is msgspec.UNSET or (omits and not field.required)
    ]


def _with_names(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, dict):
        return {
            name: names.get(part, part) if name == "$ref" else _with_names(part, names) for name, part in schema.items()
        }
    return [_with_names(part, names) for part in schema] if isinstance(schema, list) else schema


def ref_to(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def union(name: str, description: str, by_type: dict[str, str]) -> Schema:
    """One of these, told apart by their `type`."""
    mapping = {kind: REF.format(name=one) for kind, one in by_type.items()}
    return {
        "title": name,
        "description": description,
        "oneOf": [{"$ref": one} for one in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def answer(schema: Schema, lacking: Iterable[str] = ()) -> Schema:
    """A struct that is answered: all its fields are there, whatever their defaults."""
    schema = tidy(schema)
    if schema.get("type") != "object" or "properties" not in schema:
        return schema
    properties = {name: {k: v for k, v in one.items() if k != "default"} for name, one in schema["properties"].items()}
    left_out = set(lacking)
    return {**schema, "properties": properties, "required": [name for name in properties if name not in left_out]}


def nullable(schema: Schema, hidden: Iterable[str]) -> Schema:
    """The same where some fields may be hidden: null."""
    properties = dict(schema["properties"]) if hidden else schema.get("properties", {})
    for name in hidden:
        kind = {key: value for key, value in properties[name].items() if key != "default"}
        if {"type": "null"} not in kind.get("anyOf", ()):
            properties[name] = {"anyOf": [kind, {"type": "null"}]}
    return {**schema, "properties": properties} if hidden else schema


def tidy(schema: Any) -> Any:
    """msgspec's schema in the words that generators of clients understand best: constants as such, and lists of a
    fixed length with the type of their items."""
    if isinstance(schema, list):
        return [tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: tidy(part) for name, part in schema.items()}
    match schema:
        case {"enum": [str() as only]}:
            schema = {"type": "string", "const": only, **{k: v for k, v in schema.items() if k != "enum"}}
        case {"prefixItems": [*parts]}:
            kinds = [part for number, part in enumerate(parts) if part not in parts[:number]]
            schema = {name: part for name, part in schema.items() if name != "prefixItems"}
            schema["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        case {"type": "array"} if "items" not in schema:
            schema["items"] = {}
    return schema
