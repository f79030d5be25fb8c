"""The shapes at the HTTP edge. What the engine puts out is described in `schemas.engine`."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

MOST_SEATS = 7
LONGEST_NAME = 32
LONGEST_ENTROPY = 128
LONGEST_TEXT = 8192  # of orders
MOST_MOVES = 100
LARGEST_BOARD = 200_000  # characters of YAML
SHORTEST_CLOCK, LONGEST_CLOCK = 60, 60 * 60 * 24 * 60


class StrictInteger(fields.Integer):
    """A whole number: neither "3" nor 3.7 nor true. JSON's 3.0 is 3."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class QueryInteger(fields.Integer):
    """A whole number in an address: digits alone."""

    def _validated(self, value: Any) -> Any:
        if not (isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 9):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class QueryFlag(fields.Boolean):
    """1 or 0 in an address."""

    truthy = {"1", "true"}
    falsy = {"0", "false"}


def printable(text: str) -> None:
    if not text.isprintable() or text != text.strip():
        raise ValidationError("Printable characters only, and no space at the ends.")


def without_nul(text: str) -> None:
    if "\0" in text:
        raise ValidationError("A zero byte has no place in a text.")


def name_field(**options: Any) -> fields.String:
    return fields.String(validate=[validate.Length(1, LONGEST_NAME), printable], **options)


def email_field(**options: Any) -> fields.Email:
    return fields.Email(validate=[validate.Length(max=254), printable], **options)


def entropy_field() -> fields.String:
    return fields.String(
        load_default="",
        validate=[validate.Length(max=LONGEST_ENTROPY), without_nul],
        metadata={"description": "Your own randomness: it is mixed into the seed of the game."},
    )


class Strict(Schema):
    error_messages = {"type": "The body of this request is a JSON object."}

    class Meta:
        unknown = RAISE
        ordered = True


class NewPlayer(Strict):
    name = name_field(required=True, metadata={"example": "Ann"})
    email = email_field(load_default=None, allow_none=True, metadata={"example": "ann@example.org"})


class PlayerChange(Strict):
    name = name_field()
    email = email_field(allow_none=True)


class Player(Strict):
    id = StrictInteger(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    created_at = fields.DateTime(required=True, format="iso")


class SignedUp(Strict):
    player = fields.Nested(Player, required=True)
    token = fields.String(required=True, metadata={"description": "Told once: keep it. Send it as a bearer token."})


class NewToken(Strict):
    label = fields.String(load_default="", validate=[validate.Length(max=64), printable])


class Token(Strict):
    id = StrictInteger(required=True)
    hint = fields.String(required=True, metadata={"description": "The first letters of the token."})
    label = fields.String(required=True)
    created_at = fields.DateTime(required=True, format="iso")
    revoked_at = fields.DateTime(required=True, allow_none=True, format="iso")


class IssuedToken(Token):
    token = fields.String(required=True)


class SeatWish(Strict):
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


class NewGame(Strict):
    ruleset = fields.String(required=True, validate=validate.Length(1, 64), metadata={"example": "airlines-europe"})
    seats = fields.List(
        fields.Nested(SeatWish),
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
    private = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    title = fields.String(load_default="", validate=[validate.Length(max=80), printable])
    clock = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(SHORTEST_CLOCK, LONGEST_CLOCK),
        metadata={"description": "Seconds for each decision; then the referee plays the default. Null: no clock."},
    )


class Seat(Strict):
    seat = StrictInteger(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["player", "bot", "invitation", "open"]))
    name = fields.String(required=True)


class GameSummary(Strict):
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
    host = StrictInteger(
        required=True, allow_none=True, metadata={"description": "The player who opened the game, or their successor."}
    )


class Game(GameSummary):
    seats = fields.List(fields.Nested(Seat), required=True)
    you = StrictInteger(required=True, allow_none=True, metadata={"description": "Your seat."})


class Invitation(Strict):
    seat = StrictInteger(required=True)
    token = fields.String(required=True, metadata={"description": "Told once: whoever sends it gets the seat."})


class OpenedGame(Strict):
    game = fields.Nested(Game, required=True)
    invitations = fields.List(fields.Nested(Invitation), required=True)


class JoinGame(Strict):
    token = fields.String(
        load_default=None, validate=validate.Length(max=64), metadata={"description": "An invitation."}
    )
    seat = StrictInteger(load_default=None, validate=validate.Range(0, MOST_SEATS - 1))
    entropy = entropy_field()


class GamesQuery(Schema):
    mine = QueryFlag(load_default=False, metadata={"description": "Games that you have opened or have a seat in."})
    to_act = QueryFlag(load_default=False, metadata={"description": "Games that wait for you."})
    status = fields.String(validate=validate.OneOf(["open", "running", "paused", "over"]))
    ruleset = fields.String(validate=[validate.Length(1, 64), without_nul])
    after = fields.String(metadata={"description": "From the `next` link of a page."})
    limit = QueryInteger(load_default=50, validate=validate.Range(1, 200))


class AtQuery(Schema):
    at = QueryInteger(metadata={"description": "A sequence number: the game as it was after that row."})


class PictureQuery(AtQuery):
    width = QueryInteger(load_default=1200, validate=validate.Range(200, 2400))


class LogQuery(Schema):
    after = QueryInteger(load_default=None, metadata={"description": "The last sequence number you have."})
    limit = QueryInteger(load_default=200, validate=validate.Range(1, 500))


class MovesQuery(Schema):
    dry_run = QueryFlag(load_default=False, metadata={"description": "Check the orders, and play nothing."})


class Move(fields.Dict):
    """A move as an object. The referee knows its shape; the document takes it from there."""

    default_error_messages = {"invalid": "A move is an object with a type; text goes into `orders`."}


class NewMoves(Strict):
    """Orders of one seat, as objects or as text, one a line. All are played, or none."""

    moves = fields.List(
        Move(),
        validate=validate.Length(1, MOST_MOVES),
        metadata={"example": [{"type": "take_money"}]},
    )
    orders = fields.String(
        validate=[validate.Length(1, LONGEST_TEXT), without_nul], metadata={"example": "buy London-Paris for grey"}
    )

    @validates_schema
    def is_one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Send either `moves` or `orders`.", "moves")

    def load(self, data: Any, **options: Any) -> Any:
        """A list of objects is left as it is: the referee looks at them. Marshmallow reads, or refuses, the rest."""
        match data:
            case {"moves": [_, *_] as moves} if len(data) == 1 and len(moves) <= MOST_MOVES:
                if all(isinstance(one, dict) for one in moves):
                    return data
        return super().load(data, **options)


class Problem(Schema):
    """RFC 9457. Refused orders carry the referee's reasons as well."""

    type = fields.String(required=True, metadata={"example": "urn:waybill:problem:illegal-order"})
    title = fields.String(required=True)
    status = StrictInteger(required=True)
    detail = fields.String(required=True)
    errors = fields.Raw(metadata={"description": "What is wrong, field by field."})
    code = fields.String(metadata={"description": "Of the refusal: stable, for programs."})
    field = fields.String()
    rule = fields.String(metadata={"description": "The rule or ruling that the refusal rests on."})
    numbers = fields.Dict()
    nearest = fields.Dict(allow_none=True, metadata={"description": "A legal move close to the refused one."})
    readings = fields.List(fields.String())
    index = StrictInteger(metadata={"description": "Which of the orders was refused, counted from 0."})
    sequence = StrictInteger(metadata={"description": "Of the game now, when yours was stale."})
