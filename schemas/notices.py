"""Notices, their deliveries, and what players want to be told."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.fields import QueryFlag, QueryInteger, StrictBoolean, StrictInteger, StrictSchema, without_nul

CHANNELS = ["feed", "mail", "push"]
WHEN = ["at_once", "digest"]
STATES = ["waiting", "delivered", "dropped", "given_up"]
KINDS = [
    "your_turn",
    "phase_opened",
    "revealed",
    "offered",
    "reminder",
    "late",
    "standing_dropped",
    "press",
    "invited",
    "declined",
    "joined",
    "left",
    "replaced",
    "returned",
    "substitute_wanted",
    "paused",
    "resumed",
    "absence",
    "deadline_moved",
    "host_changed",
    "undo_asked",
    "undone",
    "game_over",
    "bounced",
    "webhook_off",
]
LONGEST_GAME = 64  # letters of a game's id that are looked at
MOST_READ_AT_ONCE = 500
LARGEST_NUMBER = 2**62


class NoticesQuerySchema(Schema):
    unread = QueryFlag(load_default=False, metadata={"description": "Those alone that you have not read."})
    game = fields.String(validate=[validate.Length(1, LONGEST_GAME), without_nul])
    after = fields.String(validate=validate.Length(max=64), metadata={"description": "From the `next` link of a page."})
    limit = QueryInteger(load_default=50, validate=validate.Range(1, 200))


class PressToldSchema(StrictSchema):
    id = fields.String(required=True)
    seat = StrictInteger(required=True, allow_none=True, metadata={"description": "Who wrote; null if not named."})
    text = fields.String(required=True, allow_none=True, metadata={"description": "Null: it was removed."})


class NoticeSchema(StrictSchema):
    id = StrictInteger(required=True, metadata={"description": "Stays the same however often it is delivered."})
    kind = fields.String(required=True, validate=validate.OneOf([*KINDS, "test"]))
    game_id = fields.String(required=True)
    ruleset = fields.String(required=True)
    game = fields.String(required=True, metadata={"description": "The name of the ruleset."})
    title = fields.String(required=True)
    seat = StrictInteger(required=True, allow_none=True, metadata={"description": "Yours in that game, then."})
    about = StrictInteger(required=True, allow_none=True, metadata={"description": "The seat that it is about."})
    sequence = StrictInteger(required=True, metadata={"description": "The row of the log after which it was made."})
    summary = fields.String(required=True)
    sentences = fields.List(
        fields.String(), required=True, metadata={"description": "What happened since your last move or notice."}
    )
    omitted = StrictInteger(required=True, metadata={"description": "Sentences before these, which are in the log."})
    prompt = fields.String(required=True, metadata={"description": "What you are asked, if you are."})
    due_at = fields.DateTime(required=True, allow_none=True, format="iso")
    detail = fields.Dict(required=True, metadata={"description": "More, by its kind."})
    press = fields.Nested(PressToldSchema, required=True, allow_none=True)
    created_at = fields.DateTime(required=True, format="iso")
    read_at = fields.DateTime(required=True, allow_none=True, format="iso")


class NoticesSchema(StrictSchema):
    unread = StrictInteger(required=True, metadata={"description": "How many you have not read, on all pages."})
    notices = fields.List(fields.Nested(NoticeSchema), required=True)


class ReadSchema(StrictSchema):
    """Which notices you have read: those with these numbers, of a game, or up to one; an empty body means all."""

    ids = fields.List(
        StrictInteger(validate=validate.Range(0, LARGEST_NUMBER)), validate=validate.Length(1, MOST_READ_AT_ONCE)
    )
    game = fields.String(validate=[validate.Length(1, LONGEST_GAME), without_nul])
    up_to = StrictInteger(validate=validate.Range(0, LARGEST_NUMBER))


class UnreadSchema(StrictSchema):
    unread = StrictInteger(required=True)


class DeliverySchema(StrictSchema):
    channel = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    attempts = StrictInteger(required=True)
    due_at = fields.DateTime(required=True, format="iso", metadata={"description": "Of the next try, while it waits."})
    first_tried_at = fields.DateTime(required=True, allow_none=True, format="iso")
    done_at = fields.DateTime(required=True, allow_none=True, format="iso")
    reason = fields.String(required=True, metadata={"description": "Why it was dropped, given up, or has to wait."})


def hour_field(**options: Any) -> StrictInteger:
    return StrictInteger(validate=validate.Range(0, 23), **options)


class QuietHoursSchema(StrictSchema):
    class Meta(StrictSchema.Meta):
        include = {"from": hour_field(required=True, attribute="since", metadata={"description": "A full hour."})}

    until = hour_field(required=True)


class ChoiceSchema(StrictSchema):
    channels = fields.List(
        fields.String(validate=validate.OneOf(CHANNELS)),
        required=True,
        validate=validate.Length(max=len(CHANNELS)),
        metadata={"description": "Without any you are not told at all."},
    )
    when = fields.String(required=True, validate=validate.OneOf(WHEN))


class PreferencesSchema(StrictSchema):
    zone = fields.String(required=True, metadata={"example": "Europe/Berlin"})
    digest_hour = hour_field(required=True)
    quiet_hours = fields.Nested(QuietHoursSchema, required=True, allow_none=True)
    while_looking = fields.Boolean(required=True)
    kinds = fields.Dict(keys=fields.String(), values=fields.Nested(ChoiceSchema), required=True)


def each_once(found: list[str]) -> None:
    if len(set(found)) < len(found):
        raise ValidationError("Each channel once.")


class ChoiceChangeSchema(StrictSchema):
    channels = fields.List(
        fields.String(validate=validate.OneOf(CHANNELS)), validate=[validate.Length(max=len(CHANNELS)), each_once]
    )
    when = fields.String(validate=validate.OneOf(WHEN))


class PreferencesChangeSchema(StrictSchema):
    """What is not named stays as it is; of the kinds too."""

    zone = fields.String(
        validate=[validate.Length(1, 64), without_nul],
        metadata={"description": "An IANA name, for the digest and the quiet hours.", "example": "Europe/Berlin"},
    )
    digest_hour = hour_field(metadata={"description": "When the digest goes out."})
    quiet_hours = fields.Nested(QuietHoursSchema, allow_none=True)
    while_looking = StrictBoolean(metadata={"description": "Also be told of a game that you are looking at."})
    kinds = fields.Dict(
        keys=fields.String(validate=validate.OneOf(KINDS)),
        values=fields.Nested(ChoiceChangeSchema),
        metadata={"example": {"press": {"channels": ["feed"], "when": "at_once"}}},
    )

    @validates_schema
    def says_something(self, data: dict[str, Any], **_: Any) -> None:
        quiet = data.get("quiet_hours")
        if quiet and quiet["since"] == quiet["until"]:
            raise ValidationError("From an hour to the same one would be none, or all of them.", "quiet_hours")
