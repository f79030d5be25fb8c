"""Streams: where they are, and tickets for them."""

from typing import Any

from marshmallow import Schema, fields, validate

from schemas.fields import QueryInteger

LONGEST_CURSOR = 60_000


class RowInteger(QueryInteger):
    """The number of a row in an address, or -1: before the first."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators = [validate.Range(-1, 999_999_999)]

    def _validated(self, value: Any) -> Any:
        return -1 if value == "-1" else super()._validated(value)


class AllEventsQuerySchema(Schema):
    after = fields.String(
        validate=validate.Length(max=LONGEST_CURSOR),
        metadata={"description": "The `id` of the last event that you have, if you cannot send `Last-Event-ID`."},
    )


class EventsQuerySchema(Schema):
    after = RowInteger(
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
