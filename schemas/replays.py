"""What may be asked of positions, pictures and the log."""

from marshmallow import Schema, fields, validate

from referee.pictures.drawing import LOOKS
from schemas.fields import MOST_SEATS, QueryFlag, QueryInteger

LONGEST_PART = 20


class AtQuerySchema(Schema):
    at = QueryInteger(metadata={"description": "A sequence number: the game as it was after that row."})


class SeenQuerySchema(AtQuerySchema):
    seen_by = QueryInteger(
        validate=validate.Range(0, MOST_SEATS - 1),
        metadata={"description": "A seat. When the game is over: only what that seat could see after that row."},
    )


class PictureQuerySchema(SeenQuerySchema):
    part = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_PART),
        metadata={"description": "Only a part: `map`, `track`, `market` or `players`, if the game has it."},
    )
    look = fields.String(
        load_default="",
        validate=validate.OneOf(["", *LOOKS], error="Where one can look closer: " + ", ".join(LOOKS) + "."),
        metadata={"description": "Closer: a quarter of the picture or of its part, twice as large."},
    )


class TextQuerySchema(SeenQuerySchema):
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


class PixelsQuerySchema(PictureQuerySchema):
    width = QueryInteger(
        load_default=1200,
        validate=validate.OneOf(WIDTHS, error="The widths that there are: {choices}."),
        metadata={"description": "Of the picture in pixels, one of a few."},
    )


class LogQuerySchema(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last sequence number you have."})
    limit = QueryInteger(load_default=200, validate=validate.Range(1, 500))


class ScoresQuerySchema(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last row whose scores you have."})
    limit = QueryInteger(load_default=500, validate=validate.Range(1, 500))


class RecordsQuerySchema(Schema):
    after = QueryInteger(load_default=0, metadata={"description": "The `number` of the last game that you have."})
    limit = QueryInteger(load_default=20, validate=validate.Range(1, 50))
