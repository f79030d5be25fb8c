"""Games and their seats."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.fields import (
    LARGEST_BOARD,
    LONGEST_CLOCK,
    LONGEST_NAME,
    MOST_SEATS,
    SHORTEST_CLOCK,
    QueryFlag,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    email_field,
    entropy_field,
    name_field,
    printable,
    without_nul,
)

PRESS = ["all", "public", "none"]


class SeatRequestSchema(StrictSchema):
    """`me`, `open` to all, a `bot`, or an `invite`: for a player by name, an address, or whoever has its token."""

    kind = fields.String(required=True, validate=validate.OneOf(["me", "invite", "open", "bot"]))
    name = name_field(metadata={"description": "Of the player invited."})
    email = email_field(metadata={"description": "Of the person invited."})
    bot = fields.String(load_default="random", validate=validate.Length(1, LONGEST_NAME))
    entropy = entropy_field()

    @validates_schema
    def fits_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        if data["kind"] != "invite" and ("name" in data or "email" in data):
            raise ValidationError("Only an invite has a name or an email.", "name" if "name" in data else "email")
        if "name" in data and "email" in data:
            raise ValidationError("Invite by name or by email, not by both.", "email")


class NewGameSchema(StrictSchema):
    ruleset = fields.String(required=True, validate=validate.Length(1, 64), metadata={"example": "airlines-europe"})
    seats = fields.List(
        fields.Nested(SeatRequestSchema),
        required=True,
        validate=validate.Length(1, MOST_SEATS),
        metadata={"example": [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]},
    )
    settings = fields.Dict(keys=fields.String(), load_default=dict, metadata={"example": {}})
    board = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, LARGEST_BOARD),
        metadata={"description": "A board file of your own, as YAML text.", "example": None},
    )
    private = StrictBoolean(load_default=False)
    title = fields.String(load_default="", validate=[validate.Length(max=80), printable])
    clock = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(SHORTEST_CLOCK, LONGEST_CLOCK),
        metadata={"description": "Seconds for each decision; then the referee plays the default. Null: no clock."},
    )
    press = fields.String(
        load_default="all",
        validate=validate.OneOf(PRESS),
        metadata={"description": "Whom players may write to: all of them, to everybody alone (`public`), or nobody."},
    )
    press_named = StrictBoolean(load_default=True, metadata={"description": "Whether messages name their sender."})
    press_opens = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether everybody reads private messages when the game is over."},
    )


class SeatSchema(StrictSchema):
    seat = StrictInteger(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["player", "bot", "invitation", "open"]))
    name = fields.String(required=True)
    player = StrictInteger(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the player, which stays when names change."},
    )


class GameSummarySchema(StrictSchema):
    id = fields.String(required=True)
    ruleset = fields.String(required=True)
    version = fields.String(required=True)
    settings = fields.Dict(required=True)
    title = fields.String(required=True)
    private = fields.Boolean(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["open", "running", "paused", "over"]))
    ending = fields.String(required=True)
    sequence = StrictInteger(required=True, metadata={"description": "Of the log's last row; -1 before the start."})
    to_act = fields.List(StrictInteger(), required=True, metadata={"description": "The seats the game waits for."})
    commitment = fields.String(required=True, metadata={"description": "To the seed, which is told after the game."})
    clock = StrictInteger(required=True, allow_none=True)
    due_at = fields.DateTime(required=True, allow_none=True, format="iso")
    created_at = fields.DateTime(required=True, format="iso")
    started_at = fields.DateTime(required=True, allow_none=True, format="iso")
    moved_at = fields.DateTime(required=True, allow_none=True, format="iso")
    press = fields.String(required=True, validate=validate.OneOf(PRESS))
    press_named = fields.Boolean(required=True)
    press_opens = fields.Boolean(required=True)
    host = StrictInteger(
        required=True, allow_none=True, metadata={"description": "The player who opened the game, or their successor."}
    )


class GameSchema(GameSummarySchema):
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    you = StrictInteger(required=True, allow_none=True, metadata={"description": "Your seat."})


class InvitationSchema(StrictSchema):
    seat = StrictInteger(required=True)
    token = fields.String(required=True, metadata={"description": "Shown once: whoever sends it gets the seat."})


class OpenedGameSchema(StrictSchema):
    game = fields.Nested(GameSchema, required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class JoinGameSchema(StrictSchema):
    token = fields.String(
        load_default=None, validate=validate.Length(max=64), metadata={"description": "An invitation."}
    )
    seat = StrictInteger(load_default=None, validate=validate.Range(0, MOST_SEATS - 1))
    entropy = entropy_field()


class GamesQuerySchema(Schema):
    mine = QueryFlag(load_default=False, metadata={"description": "Games that you have opened or have a seat in."})
    to_act = QueryFlag(load_default=False, metadata={"description": "Games that wait for you."})
    status = fields.String(validate=validate.OneOf(["open", "running", "paused", "over"]))
    ruleset = fields.String(validate=[validate.Length(1, 64), without_nul])
    after = fields.String(metadata={"description": "From the `next` link of a page."})
    limit = QueryInteger(load_default=50, validate=validate.Range(1, 200))
