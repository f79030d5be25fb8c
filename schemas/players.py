"""Players and their tokens."""

from marshmallow import fields, validate

from schemas.fields import StrictInteger, StrictSchema, email_field, name_field, printable


class NewPlayerSchema(StrictSchema):
    name = name_field(required=True, metadata={"example": "Ann"})
    email = email_field(load_default=None, allow_none=True, metadata={"example": "ann@example.org"})


class PlayerChangeSchema(StrictSchema):
    name = name_field()
    email = email_field(allow_none=True)


class PlayerSchema(StrictSchema):
    id = StrictInteger(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    created_at = fields.DateTime(required=True, format="iso")


class SignedUpSchema(StrictSchema):
    player = fields.Nested(PlayerSchema, required=True)
    token = fields.String(required=True, metadata={"description": "Told once: keep it. Send it as a bearer token."})


class NewTokenSchema(StrictSchema):
    label = fields.String(load_default="", validate=[validate.Length(max=64), printable])


class TokenSchema(StrictSchema):
    id = StrictInteger(required=True)
    hint = fields.String(required=True, metadata={"description": "The first letters of the token."})
    label = fields.String(required=True)
    created_at = fields.DateTime(required=True, format="iso")
    revoked_at = fields.DateTime(required=True, allow_none=True, format="iso")


class IssuedTokenSchema(TokenSchema):
    token = fields.String(required=True)
