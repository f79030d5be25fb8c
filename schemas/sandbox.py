"""Games to try things out in."""

from marshmallow import Schema, fields, validate

from schemas.fields import (
    LONGEST_CLOCK,
    MOST_SEATS,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    seed_field,
)


class AdvanceSchema(StrictSchema):
    """Time passes, then the bots answer."""

    seconds = StrictInteger(
        load_default=0,
        validate=validate.Range(0, LONGEST_CLOCK),
        metadata={"description": "By which the clock goes on; who is late by then is played for.", "example": 86400},
    )
    bots = StrictBoolean(
        load_default=True, metadata={"description": "Whether bots answer, until the game asks a person."}
    )


class ForkQuerySchema(Schema):
    at = QueryInteger(metadata={"description": "The row after which it goes its own way; without it, the last one."})
    seat = QueryInteger(
        validate=validate.Range(0, MOST_SEATS - 1),
        metadata={"description": "Yours in the copy: else the one that you have, or that is asked."},
    )
    bot = fields.String(
        metadata={"description": "On the other seats, as `GET /rulesets/{key}` names them; without it, `steady`."}
    )
    seed = seed_field(
        "Of a copy of a game that is not over: the same seed deals the same hidden things, and the same chance."
    )
