"""Games and their seats."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.clocks import CLOCK, NEW_CLOCK, ClockField, NewClockField
from schemas.fields import (
    LARGEST_BOARD,
    LONGEST_NAME,
    MOST_SEATS,
    QueryFlag,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    email_field,
    entropy_field,
    name_field,
    printable,
    seed_field,
    without_nul,
)

PRESS = ["all", "public", "none"]
UNDO = ("never", "own", "consent")
LONGEST_STANDING_PAUSE = 24 * 3600


class SeatRequestSchema(StrictSchema):
    """`me`, `open` to all, a `bot`, or an `invite`: for a player by name, an address, or whoever has its token."""

    kind = fields.String(required=True, validate=validate.OneOf(["me", "invite", "open", "bot"]))
    name = name_field(metadata={"description": "Of the player invited."})
    email = email_field(
        metadata={
            "description": "Of the person invited. They get a mail and take the seat by answering it, whether they play"
            " here already or not; which of the two it is nobody is told. You may invite 20 addresses in a day."
        }
    )
    bot = fields.String(
        load_default="steady",
        validate=validate.Length(1, LONGEST_NAME),
        metadata={"description": "Its strength: one of the `bots` of the ruleset.", "example": "steady"},
    )
    entropy = entropy_field()

    @validates_schema
    def fits_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        if data["kind"] != "invite" and ("name" in data or "email" in data):
            raise ValidationError("Only an invite has a name or an email.", "name" if "name" in data else "email")
        if "name" in data and "email" in data:
            raise ValidationError("Invite by name or by email, not by both.", "email")


class DemandsSchema(StrictSchema):
    """What a host wants of those who join."""

    turns = StrictInteger(validate=validate.Range(0, 10_000), metadata={"description": "Answered in time, at least."})
    in_time = StrictInteger(validate=validate.Range(0, 100), metadata={"description": "Of 100 turns, at least."})
    left = StrictInteger(allow_none=True, validate=validate.Range(0, 10_000), metadata={"description": "At most."})


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
    clock = NewClockField(load_default=None, allow_none=True, metadata={"description": NEW_CLOCK})
    undo = fields.String(
        load_default="never",
        validate=validate.OneOf(UNDO),
        metadata={"description": "Whether moves can be taken back: by the player alone, or if all agree."},
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
    standing_pause = StrictInteger(
        load_default=0,
        validate=validate.Range(0, LONGEST_STANDING_PAUSE),
        metadata={
            "description": "Seconds, up to which standing orders wait before they answer, by lot: so that nobody can "
            "tell by the time whether a person has."
        },
    )
    demands = fields.Nested(DemandsSchema, load_default=None, allow_none=True)
    sandbox = StrictBoolean(
        load_default=False,
        metadata={
            "description": "A private game to try things out in: bots and the clock wait for `POST advance`, and it"
            " counts in nobody's record."
        },
    )
    seed = seed_field(
        "Of a sandbox: the same seed and the same moves give the same game.", load_default=None, allow_none=True
    )


class TurnRecordSchema(StrictSchema):
    """How a player has kept their turns so far, in all games."""

    answered = StrictInteger(required=True)
    late = StrictInteger(required=True)
    left = StrictInteger(required=True, metadata={"description": "Games left before their end."})
    in_time = StrictInteger(required=True, allow_none=True, metadata={"description": "Of 100 turns."})
    median = StrictInteger(required=True, allow_none=True, metadata={"description": "Seconds for an answer."})


class SeatSchema(StrictSchema):
    seat = StrictInteger(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["player", "bot", "invitation", "open"]))
    name = fields.String(required=True)
    player = StrictInteger(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the player, which stays when names change."},
    )
    offered = fields.Boolean(required=True, metadata={"description": "A bot has it, and a person may take it over."})
    substitute = StrictInteger(
        required=True, allow_none=True, metadata={"description": "The player who takes it over."}
    )
    takes_over_at = fields.DateTime(required=True, allow_none=True, format="iso")
    record = fields.Nested(TurnRecordSchema, required=True, allow_none=True)


class GameSummarySchema(StrictSchema):
    id = fields.String(required=True)
    ruleset = fields.String(required=True)
    version = fields.String(required=True)
    settings = fields.Dict(required=True)
    title = fields.String(required=True)
    private = fields.Boolean(required=True)
    sandbox = fields.Boolean(required=True, metadata={"description": "To try things out in."})
    status = fields.String(required=True, validate=validate.OneOf(["open", "running", "paused", "over"]))
    ending = fields.String(required=True)
    sequence = StrictInteger(required=True, metadata={"description": "Of the log's last row; -1 before the start."})
    to_act = fields.List(StrictInteger(), required=True, metadata={"description": "The seats the game waits for."})
    commitment = fields.String(required=True, metadata={"description": "To the seed, which is told after the game."})
    clock = ClockField(required=True, allow_none=True, metadata={"description": CLOCK})
    undo = fields.String(required=True, validate=validate.OneOf(UNDO))
    demands = fields.Nested(DemandsSchema, required=True, allow_none=True)
    due_at = fields.DateTime(required=True, allow_none=True, format="iso")
    created_at = fields.DateTime(required=True, format="iso")
    started_at = fields.DateTime(required=True, allow_none=True, format="iso")
    moved_at = fields.DateTime(required=True, allow_none=True, format="iso")
    press = fields.String(required=True, validate=validate.OneOf(PRESS))
    press_named = fields.Boolean(required=True)
    press_opens = fields.Boolean(required=True)
    standing_pause = StrictInteger(required=True)
    host = StrictInteger(
        required=True, allow_none=True, metadata={"description": "The player who opened the game, or their successor."}
    )


class AbsenceSchema(StrictSchema):
    seat = StrictInteger(required=True)
    begin = fields.DateTime(required=True, format="iso", data_key="from")
    until = fields.DateTime(required=True, format="iso")


class ConsentSchema(StrictSchema):
    """A seat wants to `pause`, to `resume`, or to `undo` back to the row `detail`."""

    kind = fields.String(required=True)
    seat = StrictInteger(required=True)
    sequence = StrictInteger(required=True)
    detail = StrictInteger(required=True)


class DepartureSchema(StrictSchema):
    """Somebody has left the game, at this row; why: `left`, or `late` too often."""

    seat = StrictInteger(required=True)
    player = StrictInteger(required=True, allow_none=True, attribute="player_id")
    sequence = StrictInteger(required=True)
    why = fields.String(required=True)
    left_at = fields.DateTime(required=True, format="iso")
    returned_at = fields.DateTime(required=True, allow_none=True, format="iso")


class GameSchema(GameSummarySchema):
    absences = fields.List(fields.Nested(AbsenceSchema), required=True)
    waits = fields.List(
        StrictInteger(), required=True, metadata={"description": "Seats that want the reveal at the deadline."}
    )
    bank = fields.List(
        StrictInteger(), required=True, allow_none=True, metadata={"description": "Seconds left in it, by seat."}
    )
    consents = fields.List(
        fields.Nested(ConsentSchema), required=True, metadata={"description": "What somebody wants all to agree to."}
    )
    departures = fields.List(fields.Nested(DepartureSchema), required=True)
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
