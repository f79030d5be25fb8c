"""Standing orders as they are sent."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.fields import QueryFlag, QueryInteger, StrictSchema, without_nul

LONGEST_TEXT = 20_000
MOST_ORDERS = 40


class StandingOrderField(fields.Field[Any]):
    """A line of text, or the same as an object. The referee knows its shape."""

    default_error_messages = {"invalid": "A standing order is a line of text, or an object."}

    def __init__(self, **options: Any) -> None:
        shapes = [
            {"type": "string", "maxLength": LONGEST_TEXT},
            {"$ref": "#/components/schemas/StandingOrder"},
        ]
        super().__init__(**{**options, "metadata": {**options.get("metadata", {}), "anyOf": shapes}})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            without_nul(value)
            return value
        if isinstance(value, dict):
            return value
        raise self.make_error("invalid")


class NewStandingOrdersSchema(StrictSchema):
    """Standing orders in the order in which they are tried: as text, one a line, or as a list."""

    text = fields.String(
        validate=[validate.Length(max=LONGEST_TEXT), without_nul],
        metadata={"example": "in share: take pile\nnext: take money"},
    )
    orders = fields.List(StandingOrderField(), validate=validate.Length(max=MOST_ORDERS))

    @validates_schema
    def is_one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if ("text" in data) == ("orders" in data):
            raise ValidationError("Send either `text` or `orders`.", "text")


class StandingQuerySchema(Schema):
    dry_run = QueryFlag(load_default=False, metadata={"description": "Say what they would do, keep nothing."})
    at = QueryInteger(metadata={"description": "With `dry_run`: what they would have done after this row of the game."})


class RemovedQuerySchema(Schema):
    number = QueryInteger(metadata={"description": "Of the one order to take back; without it all are."})
