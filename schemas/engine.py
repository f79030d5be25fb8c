"""The engine's own structs in the OpenAPI document, derived from their definitions: nothing is described twice."""

from typing import Any

import msgspec

from referee.contract import Decision, Game, View
from referee.games import all_games
from referee.options import Move, type_name
from referee.record import VisibleRow
from referee.table import Receipt

REF = "#/components/schemas/{name}"


class OptionListing(msgspec.Struct, omit_defaults=True):
    """One kind of move on offer: what each of its fields may be, and as `hints` what their values mean; `hint` is what
    the order means whatever its fields are."""

    type: str
    notation: str
    fields: dict[str, Any]
    hint: str = ""


class Options(msgspec.Struct):
    """What a seat may do now. What fits `schema` is accepted; ways through a graph are checked by the referee."""

    sequence: int
    decisions: tuple[Decision, ...]
    offers: tuple[OptionListing, ...]
    schema: dict[str, Any]
    default: dict[str, Any] | None


class LeftOut(msgspec.Struct):
    """The first of blind orders that could not be played any more, and why; those after it were left out too."""

    index: int
    code: str
    detail: str
    field: str
    rule: str
    nearest: dict[str, Any] | None
    readings: tuple[str, ...]


class Played(msgspec.Struct, omit_defaults=True):
    """Orders that stand: the rows they made, as you may see them, and how each order was read. `left_out` is there only
    if blind orders went no further."""

    sequence: int
    head: str
    readings: tuple[str, ...]
    rows: tuple[VisibleRow, ...]
    left_out: LeftOut | None = None


class SealedAnswer(msgspec.Struct):
    """A sealed move in its envelope. The log publishes the same commitment at the reveal."""

    sequence: int
    readings: tuple[str, ...]
    receipt: Receipt


class Checked(msgspec.Struct):
    """Orders that would stand. What they would bring is not told."""

    sequence: int
    readings: tuple[str, ...]


class Log(msgspec.Struct):
    rows: tuple[VisibleRow, ...]


class MoveType(msgspec.Struct):
    type: str
    notation: str
    hidden: tuple[str, ...]
    schema: dict[str, Any]


class Ruleset(msgspec.Struct):
    """A game that can be opened here."""

    key: str
    name: str
    version: str
    seats: tuple[int, ...]
    board: str
    fidelity: str
    settings: dict[str, Any]
    endings: dict[str, str]
    moves: tuple[MoveType, ...]


class RulesetDetail(Ruleset):
    board_data: Any


class Rulesets(msgspec.Struct):
    rulesets: tuple[Ruleset, ...]


STRUCTS = (View, Options, Played, SealedAnswer, Checked, Log, Rulesets, RulesetDetail)


def ref(struct: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": REF.format(name=struct.__name__)}


def components() -> dict[str, dict[str, Any]]:
    """The schemas of the engine's answers, and the moves of every game as a discriminated union."""
    _, found = msgspec.json.schema_components(STRUCTS, ref_template=REF)
    unions = []
    for key, game in all_games().items():
        title = "".join(word.capitalize() for word in key.split("-"))
        mapping = {}
        for kind in move_types(game):
            name = f"{title}{kind.__name__}"
            found[name] = move_schema(kind)
            mapping[type_name(kind)] = REF.format(name=name)
        found[f"{title}Move"] = {
            "title": f"A move of {game.name}",
            "oneOf": [{"$ref": one} for one in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
        }
        unions.append({"$ref": REF.format(name=f"{title}Move")})
    found["Move"] = {
        "description": "A move of the game in question; `/options` gives the exact schema of a position.",
        "anyOf": unions,
    }
    return found


def move_types(game: type[Game[Any, Any, Any]]) -> list[type[Move]]:
    return list(dict.fromkeys(move for phase in game.phase_types for move in phase.moves))


def move_schema(kind: type[Move]) -> dict[str, Any]:
    """A move type as JSON Schema: its shape, whatever the position."""
    _, found = msgspec.json.schema_components([kind])
    return {**found[kind.__name__], "description": f"Written: {kind.notation}"}
