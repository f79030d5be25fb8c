"""Press: messages between players."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.fields import MOST_SEATS, QueryInteger, StrictBoolean, StrictInteger, StrictSchema

LONGEST_MESSAGE = 4000
FORMATS = ["json", "jsonl"]


def readable(text: str) -> None:
    """Lines of text: nothing that steers a terminal or hides."""
    if not text.strip():
        raise ValidationError("A message holds something to read.")
    if any(not (letter.isprintable() or letter in "\n\t") for letter in text):
        raise ValidationError("Printable characters and line ends only.")


class NewPressSchema(StrictSchema):
    """A message to everybody; with `to`, to some seats; with `note`, to yourself."""

    text = fields.String(
        required=True, validate=[validate.Length(1, LONGEST_MESSAGE), readable], metadata={"example": "Well played."}
    )
    to = fields.List(
        StrictInteger(validate=validate.Range(0, MOST_SEATS - 1)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, MOST_SEATS),
        metadata={"description": "Seats. Null: everybody.", "example": None},
    )
    note = StrictBoolean(load_default=False, metadata={"description": "For your own eyes."})

    @validates_schema
    def has_one_address(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("note") and data.get("to"):
            raise ValidationError("A note is for yourself: it has no `to`.", "to")


class PlaceSchema(StrictSchema):
    number = StrictInteger(required=True)
    commitment = fields.String(required=True)
    previous = fields.String(required=True)
    nonce = fields.String(required=True, allow_none=True)


class MessageSchema(StrictSchema):
    id = fields.String(required=True)
    seat = StrictInteger(required=True, allow_none=True, metadata={"description": "Null where senders are not named."})
    to = fields.List(
        StrictInteger(), required=True, allow_none=True, metadata={"description": "Seats. Null: everybody."}
    )
    note = fields.Boolean(required=True)
    text = fields.String(required=True, allow_none=True, metadata={"description": "Null: it was removed."})
    removed = fields.Boolean(required=True)
    sent_at = fields.DateTime(required=True, format="iso")
    hash = fields.String(
        required=True, allow_none=True, metadata={"description": "Of your own; of others', when the game is over."}
    )
    place = fields.Nested(
        PlaceSchema,
        required=True,
        allow_none=True,
        metadata={"description": "In the chain of all messages; told when the game is over."},
    )


class PressQuerySchema(Schema):
    after = fields.String(
        validate=validate.Length(1, 64), metadata={"description": "The id of the last message that you have."}
    )
    limit = QueryInteger(load_default=100, validate=validate.Range(1, 500))
    format = fields.String(
        load_default="json",
        validate=validate.OneOf(FORMATS),
        metadata={
            "description": "`jsonl`: all of it, one message a line; of a game that is over with the whole chain."
        },
    )


class BlockSchema(StrictSchema):
    player = StrictInteger(required=True)
    name = fields.String(required=True)
    created_at = fields.DateTime(required=True, format="iso")


class WrittenSchema(StrictSchema):
    game = fields.String(required=True)
    message = fields.Nested(MessageSchema, required=True)
