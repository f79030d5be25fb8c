"""What may be asked of positions, pictures and the log."""

from marshmallow import Schema, validate

from schemas.fields import QueryInteger


class AtQuerySchema(Schema):
    at = QueryInteger(metadata={"description": "A sequence number: the game as it was after that row."})


WIDTHS = (390, 600, 800, 1200, 1600)  # of a PNG, in pixels: few, so that what one has asked for is there for the next


class PictureQuerySchema(AtQuerySchema):
    width = QueryInteger(
        load_default=1200,
        validate=validate.OneOf(WIDTHS, error="The widths that there are: {choices}."),
        metadata={"description": "Of the picture in pixels, one of a few."},
    )


class LogQuerySchema(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last sequence number you have."})
    limit = QueryInteger(load_default=200, validate=validate.Range(1, 500))
