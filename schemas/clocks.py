"""Clocks as they are asked for and shown. `service.clocks` knows what is possible in them."""

from typing import Any

from marshmallow import fields, validate

from schemas.fields import LONGEST_CLOCK, SHORTEST_CLOCK, StrictBoolean, StrictInteger, StrictSchema

NEW_CLOCK = (
    "The name of a clock, its parts, or just the seconds for each decision, after which the referee plays the default."
    " Null: no clock."
)
CLOCK = "The clock with all its parts, or seconds for each decision if that is all there is to it."
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NAMES = ("live", "daily", "relaxed", "weekly", "none")


class LateSchema(StrictSchema):
    """What happens to who lets a deadline pass."""

    remind = StrictBoolean(metadata={"description": "At half time and before the end."})
    play = fields.String(validate=validate.OneOf(["default", "bot"]), metadata={"description": "In their place."})
    hand_over_after = StrictInteger(
        allow_none=True,
        validate=validate.Range(1, 100),
        metadata={"description": "Late turns in a row, after which a bot gets the seat. Null: never."},
    )
    substitute = StrictBoolean(metadata={"description": "Whether seats that are given up are offered to others."})
    cool_off = StrictInteger(
        metadata={"description": "Seconds in which who left may return although a substitute has come."}
    )


class ClockSchema(StrictSchema):
    """The parts of a clock; all lengths are in seconds. What is not said is as in the `preset`, if one is named."""

    preset = fields.String(validate=validate.OneOf(NAMES))
    time = StrictInteger(allow_none=True, metadata={"description": "For a decision, or for all in a sealed phase."})
    bank = StrictInteger(metadata={"description": "Beside it, for each player and the whole game."})
    increment = StrictInteger(metadata={"description": "That is put into the bank after each decision."})
    days = fields.List(fields.String(validate=validate.OneOf(DAYS)), validate=validate.Length(1, 7))
    hours = fields.List(
        fields.String(validate=validate.Length(equal=5)),
        allow_none=True,
        validate=validate.Length(equal=2),
        metadata={"description": "From, until. Null: all of the day.", "example": ["09:00", "22:00"]},
    )
    zone = fields.String(validate=validate.Length(1, 64), metadata={"example": "Europe/Vienna"})
    grace = StrictInteger(metadata={"description": "After the deadline."})
    cool_off = StrictInteger(metadata={"description": "After the last sealed order, which may still be changed."})
    late = fields.Nested(LateSchema)


class ShownClockSchema(ClockSchema):
    """A clock with all its parts; `name` is that of the preset it is made from, if it is one."""

    class Meta(ClockSchema.Meta):
        exclude = ("preset",)

    name = fields.String(required=True)


NEW_CLOCK_REF = {"$ref": "#/components/schemas/NewClock"}
CLOCK_REF = {"$ref": "#/components/schemas/Clock"}
SECONDS = {"type": "integer", "minimum": SHORTEST_CLOCK, "maximum": LONGEST_CLOCK}
NULL = {"type": "null"}


class NewClockField(fields.Field[Any]):
    """Seconds, a name, or parts."""

    default_error_messages = {"invalid": "A clock is a number of seconds, a name, or an object with its parts."}

    def __init__(self, **options: Any) -> None:
        named = {"type": "string", "enum": list(NAMES)}
        shapes = [SECONDS, named, NEW_CLOCK_REF, NULL]
        super().__init__(**{**options, "metadata": {**options.get("metadata", {}), "anyOf": shapes}})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        match value:
            case bool():
                raise self.make_error("invalid")
            case int() | float():
                whole = StrictInteger(validate=validate.Range(SHORTEST_CLOCK, LONGEST_CLOCK))
                return whole.deserialize(value)
            case str():
                return validate.OneOf(NAMES, error="There is no clock of this name; there are: {choices}.")(value)
            case dict():
                return ClockSchema().load(value)
        raise self.make_error("invalid")


class ClockField(fields.Field[Any]):
    def __init__(self, **options: Any) -> None:
        shapes = [SECONDS, CLOCK_REF, NULL]
        super().__init__(**{**options, "metadata": {**options.get("metadata", {}), "anyOf": shapes}})
