"""What hosts and players say at the table beside their moves."""

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from schemas.fields import MOST_SEATS, StrictBoolean, StrictInteger, StrictSchema, name_field

SEAT = validate.Range(0, MOST_SEATS - 1)


class AbsenceRequestSchema(StrictSchema):
    begin = fields.AwareDateTime(
        required=True, format="iso", data_key="from", metadata={"example": "2026-12-24T00:00:00+01:00"}
    )
    until = fields.AwareDateTime(required=True, format="iso", metadata={"example": "2026-12-27T00:00:00+01:00"})

    @validates_schema
    def is_in_order(self, data: dict[str, Any], **_: Any) -> None:
        if data["until"] <= data["begin"]:
            raise ValidationError("An absence ends after it begins.", "until")


class WaitSchema(StrictSchema):
    wait = StrictBoolean(load_default=True, metadata={"description": "False: no longer."})


class UndoSchema(StrictSchema):
    to = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(0, 999_999_999),
        metadata={"description": "The row to go back to; if it is not said, what was asked for, or the last but one."},
    )
    agree = StrictBoolean(load_default=True, metadata={"description": "False: nobody goes back."})


class HostSchema(StrictSchema):
    player = StrictInteger(required=True, metadata={"description": "The number of a player who has a seat."})


class OfferSchema(StrictSchema):
    seat = StrictInteger(required=True, validate=SEAT)
    name = name_field(load_default=None, allow_none=True, metadata={"description": "Of the player; null: anybody."})


class SubstituteSchema(StrictSchema):
    seat = StrictInteger(load_default=None, allow_none=True, validate=SEAT)
