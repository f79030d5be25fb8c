"""Streams: where they are, and tickets for them."""

from marshmallow import Schema, fields, validate

from schemas.fields import QueryInteger


class EventsQuerySchema(Schema):
    after = QueryInteger(
        validate=validate.Range(-1, 2**31 - 1),
        metadata={"description": "Go on after this row; -1: from the beginning. Without it, from now."},
    )
    wait = QueryInteger(
        validate=validate.Range(0, 55),
        metadata={"description": "A long poll: answer with JSON as soon as there is a row, or after so many seconds."},
    )


class TicketSchema(Schema):
    """A ticket stands for your token, for a minute, where no header can be sent: `?ticket=…`."""

    ticket = fields.String(required=True)
    expires_in = fields.Integer(required=True, metadata={"description": "Seconds."})
    url = fields.String(required=True, metadata={"description": "Where the stream is: put the path behind it."})
