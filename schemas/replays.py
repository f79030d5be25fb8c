"""What may be asked of positions, pictures and the log."""

from marshmallow import Schema, validate

from schemas.fields import QueryInteger


class AtQuerySchema(Schema):
    at = QueryInteger(metadata={"description": "A sequence number: the game as it was after that row."})


class PictureQuerySchema(AtQuerySchema):
    width = QueryInteger(load_default=1200, validate=validate.Range(200, 2400))


class LogQuerySchema(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last sequence number you have."})
    limit = QueryInteger(load_default=200, validate=validate.Range(1, 500))
