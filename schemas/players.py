"""Players and their tokens."""

from marshmallow import fields, validate

from schemas.fields import StrictInteger, StrictSchema, email_field, name_field, printable
from schemas.games import GameSummarySchema, TurnRecordSchema
from schemas.notices import NoticeSchema, PreferencesSchema
from schemas.press import BlockSchema, WrittenSchema
from schemas.push import PushSubscriptionSchema
from schemas.webhooks import WebhookSchema

SCOPES = ["read", "play", "host", "account"]


class NewPlayerSchema(StrictSchema):
    name = name_field(required=True, metadata={"example": "Ann"})
    email = email_field(load_default=None, allow_none=True, metadata={"example": "ann@example.org"})


class PlayerChangeSchema(StrictSchema):
    name = name_field()
    email = email_field(allow_none=True)


class PlayerSchema(StrictSchema):
    id = StrictInteger(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True, metadata={"description": "Proved to be theirs."})
    unproved_email = fields.String(
        required=True, allow_none=True, metadata={"description": "Named and not proved: it counts for nothing yet."}
    )
    created_at = fields.DateTime(required=True, format="iso")


class EmailSchema(StrictSchema):
    email = email_field(required=True, metadata={"example": "ann@example.org"})


class LetterTokenSchema(StrictSchema):
    token = fields.String(
        required=True, validate=validate.Length(1, 64), metadata={"description": "From a letter (`wl_…`): good once."}
    )


class LetterSentSchema(StrictSchema):
    detail = fields.String(required=True)


class SignedUpSchema(StrictSchema):
    player = fields.Nested(PlayerSchema, required=True)
    token = fields.String(required=True, metadata={"description": "Shown once: keep it. Send it as a bearer token."})


class NewTokenSchema(StrictSchema):
    label = fields.String(load_default="", validate=[validate.Length(max=64), printable])
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        load_default=["read", "play", "host"],
        validate=validate.Length(max=len(SCOPES)),
        metadata={"description": "What it may do. Every token may read."},
    )


class TokenSchema(StrictSchema):
    id = StrictInteger(required=True)
    hint = fields.String(required=True, metadata={"description": "The first letters of the token."})
    label = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = fields.DateTime(required=True, format="iso")
    revoked_at = fields.DateTime(required=True, allow_none=True, format="iso")


class IssuedTokenSchema(TokenSchema):
    token = fields.String(required=True)


class GamePlayedSchema(StrictSchema):
    game = fields.Nested(GameSummarySchema, required=True)
    seat = StrictInteger(required=True, allow_none=True)
    entropy = fields.String(required=True)


class GameLeftSchema(StrictSchema):
    game = fields.String(required=True, attribute="game_id")
    seat = StrictInteger(required=True)
    why = fields.String(required=True)
    left_at = fields.DateTime(required=True, format="iso")
    returned_at = fields.DateTime(required=True, allow_none=True, format="iso")


class ExportSchema(StrictSchema):
    player = fields.Nested(PlayerSchema, required=True)
    names_given_up = fields.Dict(
        keys=fields.String(),
        values=fields.DateTime(format="iso"),
        required=True,
        metadata={"description": "As keys that look-alikes share: nobody else can take them for a year."},
    )
    tokens = fields.List(fields.Nested(TokenSchema), required=True)
    games = fields.List(fields.Nested(GamePlayedSchema), required=True)
    preferences = fields.Nested(PreferencesSchema, required=True)
    notices = fields.List(fields.Nested(NoticeSchema), required=True)
    press = fields.List(fields.Nested(WrittenSchema), required=True, metadata={"description": "What you wrote."})
    blocks = fields.List(fields.Nested(BlockSchema), required=True)
    webhooks = fields.List(fields.Nested(WebhookSchema), required=True)
    push_subscriptions = fields.List(fields.Nested(PushSubscriptionSchema), required=True)
    record = fields.Nested(TurnRecordSchema, required=True)
    games_left = fields.List(fields.Nested(GameLeftSchema), required=True)
