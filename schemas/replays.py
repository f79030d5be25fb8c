"""What may be asked of positions, pictures and the log."""

from marshmallow import Schema, fields, validate

from schemas.fields import QueryFlag, QueryInteger

LONGEST_PART = 20


class AtQuerySchema(Schema):
    at = QueryInteger(metadata={"description": "A sequence number: the game as it was after that row."})


class PartQuerySchema(AtQuerySchema):
    part = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_PART),
        metadata={"description": "Only a part: `map`, `track`, `market` or `players`, if the game has it."},
    )


class TextQuerySchema(AtQuerySchema):
    part = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_PART),
        metadata={
            "description": "`full` for everything, or only a part: `map`, `track`, `market` or `players`, if the game "
            "has it. Without it: what the decision needs."
        },
    )
    news = QueryFlag(
        load_default=True,
        metadata={"description": "0: do not begin with what has happened since your last move."},
    )


WIDTHS = (390, 600, 800, 1200, 1600)  # of a PNG, in pixels: few, so that what one has asked for is there for the next


class PictureQuerySchema(PartQuerySchema):
    width = QueryInteger(
        load_default=1200,
        validate=validate.OneOf(WIDTHS, error="The widths that there are: {choices}."),
        metadata={"description": "Of the picture in pixels, one of a few."},
    )


class LogQuerySchema(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last sequence number you have."})
    limit = QueryInteger(load_default=200, validate=validate.Range(1, 500))
