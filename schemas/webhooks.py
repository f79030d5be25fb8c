"""Webhooks and their deliveries."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from schemas.fields import QueryInteger, StrictBoolean, StrictInteger, StrictSchema, printable
from schemas.notices import KINDS, STATES

LONGEST_URL = 500


def each_once(found: list[str]) -> None:
    if len(set(found)) < len(found):
        raise ValidationError("Each event once.")


def url_field(**options: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(1, LONGEST_URL),
        metadata={
            "description": "Begins with https:// and leads to a public machine.",
            "example": "https://bot.example.org/waybill",
        },
        **options,
    )


def events_field(**options: Any) -> "fields.List[str]":
    return fields.List(
        fields.String(validate=validate.OneOf(KINDS)),
        validate=[validate.Length(1, len(KINDS)), each_once],
        metadata={"description": "Kinds of notices; if you name none, all of them."},
        **options,
    )


def label_field(**options: Any) -> fields.String:
    return fields.String(validate=[validate.Length(max=64), printable], **options)


class NewWebhookSchema(StrictSchema):
    url = url_field(required=True)
    events = events_field(load_default=list(KINDS))
    label = label_field(load_default="")


class WebhookChangeSchema(StrictSchema):
    """What is not named stays as it is."""

    url = url_field()
    events = events_field()
    label = label_field()
    on = StrictBoolean(metadata={"description": "Switch it on again, or off."})


class WebhookSchema(StrictSchema):
    id = StrictInteger(required=True)
    url = fields.String(required=True)
    label = fields.String(required=True)
    events = fields.List(fields.String(validate=validate.OneOf(KINDS)), required=True)
    created_at = fields.DateTime(required=True, format="iso")
    failing_since = fields.DateTime(
        required=True, allow_none=True, format="iso", metadata={"description": "Nothing has been delivered since."}
    )
    paused_until = fields.DateTime(
        required=True, allow_none=True, format="iso", metadata={"description": "After a failure: the next try."}
    )
    off_at = fields.DateTime(
        required=True, allow_none=True, format="iso", metadata={"description": "Nothing is sent since; null: it is on."}
    )
    off_why = fields.String(required=True)
    former_until = fields.DateTime(
        required=True,
        allow_none=True,
        format="iso",
        metadata={"description": "Until then everything is signed with the former secret, too."},
    )


class NewlyMadeWebhookSchema(WebhookSchema):
    secret = fields.String(
        required=True, metadata={"description": "`whsec_…`, shown once: you check signatures with it."}
    )


class WebhookTestSchema(StrictSchema):
    notice = StrictInteger(required=True, metadata={"description": "Look for it in the deliveries."})


class DeliveriesQuerySchema(Schema):
    after = fields.String(validate=validate.Regexp("^[0-9]{1,18}$"), metadata={"description": "From the `next` link."})
    limit = QueryInteger(load_default=50, validate=validate.Range(1, 200))


class WebhookTrySchema(StrictSchema):
    tried_at = fields.DateTime(required=True, format="iso")
    milliseconds = StrictInteger(required=True)
    status = StrictInteger(required=True, allow_none=True, metadata={"description": "Null: there was no answer."})
    answer = fields.String(required=True, metadata={"description": "Its beginning, at most 1024 bytes."})
    reason = fields.String(required=True, metadata={"description": "Why it does not count as delivered."})


class WebhookDeliverySchema(StrictSchema):
    notice = StrictInteger(required=True, attribute="notice_id", metadata={"description": "The notice's `id`."})
    type = fields.String(required=True, attribute="kind")
    game_id = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    attempts = StrictInteger(required=True)
    due_at = fields.DateTime(required=True, format="iso", metadata={"description": "Of the next try, while it waits."})
    done_at = fields.DateTime(required=True, allow_none=True, format="iso")
    reason = fields.String(required=True)
    tries = fields.List(
        fields.Nested(WebhookTrySchema), required=True, metadata={"description": "The last ten, oldest first."}
    )
