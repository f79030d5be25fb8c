"""Browsers that are told by web push."""

from marshmallow import fields, validate

from schemas.fields import StrictInteger, StrictSchema
from schemas.webhooks import LONGEST_URL, label_field


class PushKeysSchema(StrictSchema):
    p256dh = fields.String(
        required=True,
        validate=validate.Length(1, 128),
        metadata={"description": "The browser's public key, in base64 for addresses."},
    )
    auth = fields.String(required=True, validate=validate.Length(1, 64), metadata={"description": "Its shared secret."})


class NewPushSubscriptionSchema(StrictSchema):
    """What `PushSubscription.toJSON()` gives in a browser, without `expirationTime`, and a name for it."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_URL),
        metadata={
            "description": "Where its push service takes messages.",
            "example": "https://push.example.org/send/3f9c2a",
        },
    )
    keys = fields.Nested(PushKeysSchema, required=True)
    label = label_field(load_default="")


class PushSubscriptionSchema(StrictSchema):
    id = StrictInteger(required=True)
    label = fields.String(required=True)
    created_at = fields.DateTime(required=True, format="iso")


class PushSubscriptionsSchema(StrictSchema):
    key = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "`applicationServerKey` to subscribe with; null: this service tells no browsers."},
    )
    subscriptions = fields.List(fields.Nested(PushSubscriptionSchema), required=True)
