"""The engine's own structs in the OpenAPI document, derived from their definitions: nothing is described twice."""

from datetime import datetime
from typing import Any, Literal

import msgspec

from referee.contract import Decision, View
from referee.orders.standing import StandingOrder
from referee.record import VisibleRow
from referee.table import Receipt
from schemas import game_types
from schemas.game_types import REF, answer, may_lack, ref_to, structs_within


class OptionListing(msgspec.Struct, omit_defaults=True):
    """One kind of move on offer: what each of its fields may be, and as `hints` what their values mean. Fields that are
    not `required` may be left to the referee. `hint` is what the order means whatever its fields are. Who
    `leaves_the_game` by it should be asked back."""

    type: str
    notation: str
    fields: dict[str, Any]
    required: list[str]
    hint: str = ""
    leaves_the_game: bool = False


class Options(msgspec.Struct, kw_only=True):
    """What a seat may do now. What fits `schema` is accepted; ways through a graph are checked by the referee. `words`
    has how values are written, by field, where that is not the value itself."""

    sequence: int
    decisions: tuple[Decision, ...]
    offers: tuple[OptionListing, ...]
    words: dict[str, dict[str, str]]
    schema: dict[str, Any]
    default: dict[str, Any] | None


class OptionsAfter(Options):
    """What a seat may do after orders that are not yet sent. No `offers`: the turn ends with them, or they show
    something new, and what follows is told when they have been played. `moves` are the orders as they were read."""

    moves: tuple[dict[str, Any], ...]
    readings: tuple[str, ...]


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


class StreamedGame(msgspec.Struct):
    """Where a game is."""

    id: str
    status: Literal["open", "running", "paused", "over"]
    sequence: int
    to_act: tuple[int, ...]
    due_at: datetime | None
    ending: str


class NewRows(msgspec.Struct):
    """The answer to a long poll: rows after the one that you named, none if there were none in time."""

    game: StreamedGame
    rows: tuple[VisibleRow, ...]


class RowOfGame(msgspec.Struct):
    """A row of one of your games."""

    game_id: str
    row: VisibleRow


class StateOfGame(msgspec.Struct):
    """Where one of your games is."""

    game_id: str
    game: StreamedGame


class Bye(msgspec.Struct):
    """The last event: why the stream ends, in a word and a sentence. `restart`: connect again."""

    why: str
    detail: str


class RowScores(msgspec.Struct):
    """The score of each seat after a row; null is what you may not know."""

    row: int
    scores: tuple[int | None, ...]


class Scores(msgspec.Struct):
    """How the game went, score by score."""

    seats: int
    scores: tuple[RowScores, ...]


class MoveType(msgspec.Struct):
    type: str
    notation: str
    hidden: tuple[str, ...]
    schema: dict[str, Any]


class Reason(msgspec.Struct):
    """Why a bot made its move, which is in this row of the log."""

    row: int
    seat: int
    reason: str


class Reasons(msgspec.Struct):
    reasons: tuple[Reason, ...]


class BotListing(msgspec.Struct):
    """A bot that can have a seat: its name and what it is like. `rating` is its Elo where it was measured (random moves
    have 1000), `uncertainty` half of the 95 % interval around it."""

    bot: str
    summary: str
    rating: int | None
    uncertainty: int | None


class Ruleset(msgspec.Struct):
    """A game that can be opened here. `minutes` is how long it takes at a table, from the shortest to the longest;
    `weight` is `light`, `medium` or `heavy`; `picture` is the address of one; `parts` are those of its table."""

    key: str
    name: str
    summary: str
    special: str
    minutes: tuple[int, ...]
    weight: str
    picture: str
    parts: tuple[str, ...]
    version: str
    seats: tuple[int, ...]
    board: str
    fidelity: str
    settings: dict[str, Any]
    endings: dict[str, str]
    bots: tuple[BotListing, ...]
    moves: tuple[MoveType, ...]


class FactListing(msgspec.Struct):
    """A fact that standing orders can compare: a number, a word, a flag or a list of words; `words` are those that it
    can be, as values of moves are called."""

    name: str
    kind: str
    says: str
    words: tuple[str, ...]


class PhaseListing(msgspec.Struct):
    """A phase by the name that standing orders call it, with the phases of the game that it stands for."""

    name: str
    says: str
    phases: tuple[str, ...]


class EventListing(msgspec.Struct):
    """Something after which a standing order can stop."""

    name: str
    says: str


class PresetListing(msgspec.Struct):
    """A standing order that many want: in words, and as it is written."""

    key: str
    says: str
    text: str


class StandingListing(msgspec.Struct):
    """What standing orders of a game can speak of."""

    facts: tuple[FactListing, ...]
    phases: tuple[PhaseListing, ...]
    events: tuple[EventListing, ...]
    presets: tuple[PresetListing, ...]


class RulesetDetail(Ruleset):
    standing: StandingListing
    board_data: Any


class Trial(msgspec.Struct, frozen=True, omit_defaults=True):
    """What standing orders would do at a row of the game: the order that applies, by its number, what it would play,
    not before `at`; and why those before it did not apply."""

    sequence: int
    asked: bool  # whether the seat is asked anything there
    number: int | None = None
    plays: str = ""
    at: datetime | None = None
    reasons: tuple[str, ...] = ()


class ListedOrder(msgspec.Struct, frozen=True):
    """A standing order as its player is shown it: as written, as it was read, and as data."""

    number: int
    text: str
    reading: str
    order: dict[str, Any]
    used: int
    begun: bool


class StandingOrders(msgspec.Struct, frozen=True):
    """The standing orders of a seat, in the order in which they are tried, and what they would do now."""

    seat: int
    orders: tuple[ListedOrder, ...]
    now: Trial


class FactNow(msgspec.Struct):
    """A fact with its value; null if it has none now."""

    name: str
    kind: str
    says: str
    value: Any


class FactsNow(msgspec.Struct):
    """What a seat can compare after a row of its game."""

    sequence: int
    seat: int
    facts: tuple[FactNow, ...]


class Rulesets(msgspec.Struct):
    rulesets: tuple[Ruleset, ...]


STRUCTS = (
    View,
    Options,
    OptionsAfter,
    Played,
    SealedAnswer,
    Checked,
    Log,
    Reasons,
    Scores,
    Rulesets,
    RulesetDetail,
    FactsNow,
    StandingOrders,
    StandingOrder,
    NewRows,
    RowOfGame,
    StateOfGame,
    Bye,
)


def ref(struct: type[msgspec.Struct]) -> dict[str, str]:
    return ref_to(struct.__name__)


def components() -> dict[str, dict[str, Any]]:
    """The schemas of the engine's answers, with the types of every game."""
    _, plain = msgspec.json.schema_components(STRUCTS, ref_template=REF)
    structs = {kind.__name__: kind for kind in structs_within(*STRUCTS)}
    found = {name: answer(schema, may_lack(structs[name])) for name, schema in plain.items()}
    found |= game_types.components() | domains()
    found["OptionListing"]["properties"]["fields"] |= {"additionalProperties": ref_to("Domain")}
    for listing in ("Options", "OptionsAfter"):
        found[listing]["properties"]["default"] = {"anyOf": [ref_to("Move"), {"type": "null"}]}
    found["LeftOut"]["properties"]["nearest"] = {"anyOf": [ref_to("Move"), {"type": "null"}]}
    found["VisibleRow"]["properties"]["orders"]["items"] = ref_to("ToldOrder")
    found["VisibleRow"]["properties"]["events"]["items"] = ref_to("Event")
    found["ToldOrder"] = told_order()
    return found


def told_order() -> dict[str, Any]:
    properties = {
        "seat": {"type": "integer"},
        "by": {"type": "string", "description": "`player`, `bot`, `clock`, …: who gave it."},
        "move": ref_to("PlayedMove"),
        "commitment": {"type": "string", "description": "Of a sealed move; else empty."},
        "nonce": {"type": "string", "description": "Of a sealed move; empty as long as you may not know it."},
        "text": {"type": ["string", "null"], "description": "As it is written; null if a part of it is hidden."},
    }
    description = "An order in the log, as you may know it."
    return _object("ToldOrder", description, properties)


VALUE = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
VALUES = {"type": "array", "items": VALUE}
NUMBER = {"type": "integer"}


def domains() -> dict[str, dict[str, Any]]:
    """What a field of an offer may be, as `referee.options` lists it: told apart by `kind`."""
    size = {"at_least": NUMBER, "at_most": NUMBER}
    kinds: dict[str, tuple[str, str, dict[str, Any]]] = {
        "one_of": (
            "OneOf",
            "One of these: send the value. Where a list has but one form, that is the value.",
            {"one_of": {"type": "array", "items": {"anyOf": [*VALUE["anyOf"], VALUES]}}},
        ),
        "range": ("Range", "A whole number, both ends included: send the number.", {"from": NUMBER, "to": NUMBER}),
        "pick": (
            "Pick",
            "Some of these, each once; their order counts: send a list.",
            {"pick_from": VALUES, **size, "ordered": {"type": "boolean"}},
        ),
        "bag": (
            "Bag",
            "Some of these, each up to its number, in any order: send a list.",
            {"bag_of": {"type": "object", "additionalProperties": NUMBER}, **size},
        ),
        "way": (
            "Way",
            "A way: send its steps. A best way to each end is listed; there may be others.",
            {
                "way_to": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "string"}},
                },
                "at_most": NUMBER,
            },
        ),
    }
    found = {}
    for kind, (word, description, properties) in kinds.items():
        name = f"{word}Domain"
        found[name] = _object(name, description, {"kind": {"type": "string", "const": kind}, **properties})
        found[name]["properties"]["hints"] = {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "What values mean, where the game tells it.",
        }
    found["BagDomain"]["properties"]["ordered"] = {
        "type": "boolean",
        "description": "Where it is there and true, the order of the list counts.",
    }
    mapping = {kind: REF.format(name=f"{word}Domain") for kind, (word, _, _) in kinds.items()}
    found["Domain"] = {
        "title": "Domain",
        "description": "What a field of a move may be. Whatever you choose from it is legal.",
        "oneOf": [{"$ref": one} for one in mapping.values()],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    return found


def _object(title: str, description: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }
