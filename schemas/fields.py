"""Fields at the HTTP edge that are stricter than marshmallow's own, and the sizes that requests may have."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

MOST_SEATS = 7
LONGEST_NAME = 32
LONGEST_ENTROPY = 128
LONGEST_TEXT = 8192  # of orders
MOST_MOVES = 100
LARGEST_BOARD = 200_000  # characters of YAML
SHORTEST_CLOCK, LONGEST_CLOCK = 60, 60 * 60 * 24 * 60


class StrictBoolean(fields.Boolean):
    """True or false: neither 0 nor "yes"."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


IN_AN_ADDRESS = validate.Range(0, 999_999_999)


class StrictInteger(fields.Integer):
    """A whole number: neither "3" nor 3.7 nor true. JSON's 3.0 is 3."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class QueryInteger(fields.Integer):
    """A whole number in an address: digits alone."""

    def __init__(self, *, validate: validate.Validator | None = None, **options: Any) -> None:
        super().__init__(validate=[IN_AN_ADDRESS, *([validate] if validate else [])], **options)

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


def plain_address(text: str) -> None:
    """No quotes, no encoded words, no comments: what mail programs read as another address than it seems."""
    if not text.isascii() or '"' in text or "=?" in text:
        raise ValidationError("An address in plain ASCII letters, without quotes.")


def email_field(**options: Any) -> fields.Email:
    return fields.Email(validate=[validate.Length(max=254), printable, plain_address], **options)


def entropy_field() -> fields.String:
    return fields.String(
        load_default="",
        validate=[validate.Length(max=LONGEST_ENTROPY), without_nul],
        metadata={"description": "Your own randomness: it is mixed into the seed of the game."},
    )


def seed_field(description: str, **options: Any) -> fields.String:
    return fields.String(
        validate=[
            validate.Length(equal=64),
            validate.Regexp("^[0-9a-f]{64}$", error="64 hexadecimal digits, in small letters."),
        ],
        metadata={"description": description},
        **options,
    )


class StrictSchema(Schema):
    error_messages = {"type": "The body of this request is a JSON object."}

    class Meta:
        unknown = RAISE
        ordered = True
